// Logs of Darshan with the records that a test says, read as datasets.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "parsers/darshan/dataset.h"
#include "parsers/darshan/writer.h"
#include "tests/parsers/darshan_logs.h"

namespace fathom::testing {

class MadeDarshanLog {
  public:
    using Numbers = std::initializer_list<std::pair<std::size_t, std::int64_t>>;
    using Times = std::initializer_list<std::pair<std::size_t, double>>;

    static constexpr std::uint64_t start = 1'700'000'000'250'000'000;  // ns of UNIX time

    explicit MadeDarshanLog(std::int64_t processes)
    {
        job.start = 1'700'000'000;
        job.start_ns = 250'000'000;
        job.end = 1'700'000'010;
        job.end_ns = 750'000'000;
        job.has_ns = true;
        job.processes = processes;
        job.jobid = 4711;
        job.uid = 1000;
        job.command = "./app -n 2";
    }

    MadeDarshanLog& name(std::uint64_t id, std::string path)
    {
        names_.emplace_back(id, std::move(path));
        return *this;
    }
    // Counters that are not named are 0.
    MadeDarshanLog& record(darshan::Module module, std::uint64_t id, std::int64_t rank, Numbers numbers,
                           Times times = {}, std::uint64_t container = 0)
    {
        const darshan::Counters& counters = *darshan::counters_of(module);
        Record made{module, id, container, rank, {}, {}};
        made.numbers.resize(counters.numbers.size());
        made.times.resize(counters.times.size());
        for (const auto& [place, value] : numbers) made.numbers[place] = value;
        for (const auto& [place, value] : times) made.times[place] = value;
        records_.push_back(std::move(made));
        return *this;
    }
    // Its operations: writes before reads.
    MadeDarshanLog& traced(darshan::Module module, std::uint64_t id, std::int64_t rank,
                           std::vector<darshan::DxtSegment> segments)
    {
        traces_.push_back({module, id, rank, std::move(segments)});
        return *this;
    }
    MadeDarshanLog& heatmap(std::uint64_t id, std::int64_t rank, double bin_seconds,
                            std::vector<std::int64_t> writes, std::vector<std::int64_t> reads)
    {
        heatmaps_.push_back({id, rank, bin_seconds, std::move(writes), std::move(reads)});
        return *this;
    }
    MadeDarshanLog& lustre(darshan::LustreRecord record)
    {
        layouts_.push_back(std::move(record));
        return *this;
    }
    MadeDarshanLog& partial(darshan::Module module)
    {
        partial_.push_back(module);
        return *this;
    }

    std::string write_to(const std::filesystem::path& folder) const
    {
        const std::string path = folder / "made.darshan";
        darshan::Writer writer(path, job);
        for (const auto& [id, name] : names_) writer.add_name(id, name);
        for (const darshan::Module module :
             {darshan::Module::posix, darshan::Module::mpiio, darshan::Module::h5f, darshan::Module::h5d,
              darshan::Module::pnetcdf_file, darshan::Module::pnetcdf_var, darshan::Module::stdio})
            for (const Record& one : records_)
                if (one.module == module)
                    writer.add(module, {one.id, one.rank, one.container, one.numbers, one.times});
        for (const darshan::LustreRecord& record : layouts_) writer.add(record);
        for (const darshan::Module module : {darshan::Module::dxt_posix, darshan::Module::dxt_mpiio})
            for (const Trace& one : traces_)
                if (one.module == module) write(writer, one);
        for (const Heatmap& one : heatmaps_)
            writer.add(darshan::HeatmapRecord{one.id, one.rank, one.bin_seconds, one.writes, one.reads});
        for (const darshan::Module module : partial_) writer.mark_partial(module);
        writer.finish();
        return path;
    }
    Log read() const
    {
        const TemporaryFolder folder;
        return darshan::read_darshan_log(write_to(folder.path));
    }

    darshan::JobRecord job;

  private:
    struct Record {
        darshan::Module module{};
        std::uint64_t id = 0, container = 0;
        std::int64_t rank = 0;
        std::vector<std::int64_t> numbers;
        std::vector<double> times;
    };
    struct Trace {
        darshan::Module module{};
        std::uint64_t id = 0;
        std::int64_t rank = 0;
        std::vector<darshan::DxtSegment> segments;
    };
    struct Heatmap {
        std::uint64_t id = 0;
        std::int64_t rank = 0;
        double bin_seconds = 0;
        std::vector<std::int64_t> writes, reads;
    };

    static void write(darshan::Writer& writer, const Trace& one)
    {
        const auto writes = std::count_if(one.segments.begin(), one.segments.end(),
                                          [](const darshan::DxtSegment& segment) { return segment.write; });
        const auto all = static_cast<std::int64_t>(one.segments.size());
        writer.add(one.module, {one.id, one.rank, 0, "node1", writes, all - writes, true});
        for (const darshan::DxtSegment& segment : one.segments) writer.add(segment);
    }

    std::vector<std::pair<std::uint64_t, std::string>> names_;
    std::vector<Record> records_;
    std::vector<Trace> traces_;
    std::vector<Heatmap> heatmaps_;
    std::vector<darshan::LustreRecord> layouts_;
    std::vector<darshan::Module> partial_;
};

}  // namespace fathom::testing
