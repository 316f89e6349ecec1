// Small logs of Darshan, as our writer makes them: for tests, and to begin fuzzing with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "parsers/darshan/record_id.h"
#include "parsers/darshan/writer.h"

namespace fathom::testing {

inline darshan::JobRecord small_job()
{
    darshan::JobRecord job;
    job.uid = 1000;
    job.start = 1'700'000'000;
    job.start_ns = 250'000'000;
    job.end = 1'700'000'010;
    job.end_ns = 750'000'000;
    job.has_ns = true;
    job.processes = 2;
    job.jobid = 4711;
    job.metadata = {{"lib_ver", "3.5.0"}, {"h", "romio_no_indep_rw=true;cb_nodes=4"}};
    job.command = "./app -o /scratch/out";
    job.mounts = {{"/scratch", "lustre"}, {"/", "ext4"}};
    return job;
}

// Every counter has a value of its own: its place and a number that tells the record.
struct FilledRecord {
    std::vector<std::int64_t> numbers;
    std::vector<double> times;

    FilledRecord(darshan::Module module, std::int64_t record)
    {
        const darshan::Counters& counters = *darshan::counters_of(module);
        for (std::size_t at = 0; at < counters.numbers.size(); ++at)
            numbers.push_back(1000 * record + static_cast<std::int64_t>(at));
        for (std::size_t at = 0; at < counters.times.size(); ++at)
            times.push_back(static_cast<double>(record) + static_cast<double>(at) / 128);
    }
};

inline void add_trace(darshan::Writer& writer, darshan::Module module, std::uint64_t file, bool threads)
{
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        writer.add(module, {file, rank, 0, "node1", 2, 1, threads});
        for (const bool write : {true, true, false})
            writer.add(darshan::DxtSegment{write, rank * 4096, 4096, 1.5, 1.75, threads ? 77U : 0U});
    }
}

// A record or two of each module that is written.
inline void write_every_module(const std::string& path, bool threads)
{
    using namespace darshan;
    Writer writer(path, small_job());
    const std::string names[] = {"/scratch/out", "/scratch/out:data", "<STDOUT>", "heatmap:POSIX"};
    for (const std::string& name : names) writer.add_name(record_id(name), name);
    const std::uint64_t file = record_id(names[0]), object = record_id(names[1]);
    for (const Module module : {Module::posix, Module::mpiio, Module::h5f, Module::h5d, Module::pnetcdf_file,
                                Module::pnetcdf_var, Module::stdio})
        for (const std::int64_t rank : {-1, 0, 1}) {
            const FilledRecord filled(module, rank + 1);
            const bool in_file = counters_of(module)->has_container;
            writer.add(module,
                       {in_file ? object : file, rank, in_file ? file : 0, filled.numbers, filled.times});
        }
    writer.add(LustreRecord{file, -1, {{1 << 20, 2, 0, 0, 0, -1, 0, "fast"}}, {3, 7}});
    add_trace(writer, Module::dxt_posix, file, threads);
    add_trace(writer, Module::dxt_mpiio, file, threads);
    const std::vector<std::int64_t> writes = {4096, 0, 0, 8192}, reads = {0, 0, 4096, 0};
    for (const std::int64_t rank : {0, 1})
        writer.add(HeatmapRecord{record_id(names[3]), rank, 0.5, writes, reads});
    writer.mark_partial(Module::stdio);
    writer.finish();
}

// Writes them into a folder, and returns their paths.
inline std::vector<std::string> write_small_darshan_logs(const std::filesystem::path& folder)
{
    const std::vector<std::string> paths = {folder / "every_module.darshan", folder / "threads.darshan",
                                            folder / "empty.darshan"};
    write_every_module(paths[0], false);
    write_every_module(paths[1], true);
    darshan::Writer(paths[2], small_job()).finish();
    return paths;
}

}  // namespace fathom::testing
