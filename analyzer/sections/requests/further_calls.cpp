// The calls that are neither plain reads nor plain writes: metadata by kind, mappings, asynchronous I/O.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/counter_sums.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/sections.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

// Of the ranks' files and directories; streams have no metadata worth a row.
CounterSums sums_of(const Job& job)
{
    CounterSums sums;
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const NameKind kind = job.files[file].kind;
        if (kind != NameKind::stream && kind != NameKind::device) sums.add(record);
    }
    return sums;
}

DataTable metadata_table(const Log& log, const CounterSums& sums)
{
    const auto& [posix, stdio, mpiio, sizes] = sums;
    DataTable table{.id = "metadata_calls",
                    .title = tells(log, Layer::posix, &Transfers::failed) ? "Metadata calls that succeeded"
                                                                          : "Metadata calls"};
    table.columns = {{"call", "call", Measure::text},
                     {"posix", "POSIX", Measure::count},
                     {"stdio", "stdio", Measure::count},
                     {"mpiio", "MPI-IO", Measure::count}};
    constexpr std::uint64_t none = 0;
    const auto told = [&](auto counter) { return tells(log, counter); };
    const struct {
        std::string_view call;
        bool told;  // by POSIX, or by the only layer that has it
        std::uint64_t posix, stdio, mpiio;
    } rows[] = {
        {"open", tells(log, Layer::posix, &Transfers::opens), posix.opens, stdio.opens, mpiio.opens},
        {"close", tells(log, Layer::posix, &Transfers::closes), posix.closes, stdio.closes, mpiio.closes},
        {"seek", tells(log, Layer::posix, &Pattern::seeks), posix.seeks, stdio.seeks, mpiio.seeks},
        {"stat, access", told(&PosixCounters::stats), posix.stats, none, none},
        {"truncate, fallocate", told(&PosixCounters::truncates), posix.truncates, none, mpiio.truncates},
        {"unlink", told(&PosixCounters::unlinks), posix.unlinks, none, mpiio.unlinks},
        {"rename", told(&PosixCounters::renames), posix.renames, none, none},
        {"link, symlink, readlink", told(&PosixCounters::links), posix.links, none, none},
        {"mode, owner, times, xattr", told(&PosixCounters::attributes), posix.attributes, none, none},
        {"mkdir, rmdir", told(&PosixCounters::directory_changes), posix.directory_changes, none, none},
        {"readdir, scandir", told(&PosixCounters::directory_reads), posix.directory_reads, none, none},
        {"locks", told(&PosixCounters::locks), posix.locks, none, none},
        {"advice", told(&PosixCounters::advices), posix.advices, none, none},
        {"dup", told(&PosixCounters::dups), posix.dups, none, none},
        {"set_view", told(&MpiioCounters::views), none, none, mpiio.views}};
    const auto cell = [](std::uint64_t n) { return n == 0 ? unknown(Measure::count) : count(n); };
    std::string missing;
    for (const auto& row : rows) {
        if (row.posix + row.stdio + row.mpiio > 0)
            table.rows.push_back({text(row.call), cell(row.posix), cell(row.stdio), cell(row.mpiio)});
        if (!row.told) add_to_list(missing, row.call, "; ");
    }
    if (const Source& source = source_of(log); !source.own && !missing.empty())
        table.remark = fmt::format("Not recorded by {}: {}.", source.name, missing);
    return table;
}

Entries mappings_and_locks(const Log& log, const PosixCounters& posix)
{
    Entries entries;
    if (posix.maps > 0 && !tells(log, &PosixCounters::mapped_bytes))
        entries.entries = {{"maps", "mappings of files", count(posix.maps),
                            "what was read and written through them is not recorded"}};
    else if (posix.maps > 0)
        entries.entries = {
            {"maps", "mappings of files", count(posix.maps), "mmap; time in it is metadata time"},
            {"mapped_bytes", "mapped", bytes(posix.mapped_bytes), ""},
            {"map_bytes_read", "read via mmap (estimate)", bytes(posix.map_bytes_read),
             "by whole pages; in no rate and no access mode"},
            {"map_bytes_written", "written or read via mmap (estimate)", bytes(posix.map_bytes_written),
             "likewise: by shared mappings that allow both"}};
    if (posix.locks > 0)
        entries.entries.push_back(
            {"lock_time", "time in locks", nanoseconds(posix.lock_time), "summed over all processes"});
    return entries;
}

DataTable asynchronous_table(const Log& log, const CounterSums& sums)
{
    DataTable table{.id = "asynchronous", .title = "Asynchronous reads and writes"};
    table.columns = {{"layer", "layer", Measure::text},
                     {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},
                     {"mean_time", "mean time of one", Measure::seconds}};
    const auto add = [&](std::string_view layer, std::uint64_t reads, std::uint64_t writes,
                         std::uint64_t time, std::uint64_t unseen, bool is_timed) {
        if (reads + writes == 0) return;
        const auto timed = static_cast<double>(reads + writes - unseen);
        table.rows.push_back({text(layer), count(reads), count(writes),
                              timed > 0 && is_timed ? seconds(static_cast<double>(time) / timed / 1e9)
                                                    : unknown(Measure::seconds)});
    };
    add("POSIX AIO, libaio, io_uring", sums.posix.async_reads, sums.posix.async_writes, sums.posix.async_time,
        sums.posix.async_unseen, tells(log, &PosixCounters::async_time));
    add("MPI-IO, nonblocking", sums.mpiio.nonblocking_reads, sums.mpiio.nonblocking_writes,
        sums.mpiio.nonblocking_time, 0, tells(log, &MpiioCounters::nonblocking_time));
    if (!tells(log, &MpiioCounters::nonblocking_time)) {
        table.remark = "How long they took is not recorded.";
        return table;
    }
    table.remark =
        "From the beginning of one to when the program learned of its end; several may be under way at "
        "once.";
    return table;
}

}  // namespace

Blocks further_calls(const Job& job, const SectionChoice&)
{
    const CounterSums sums = sums_of(job);
    Blocks blocks;
    if (DataTable metadata = metadata_table(job.log, sums); !metadata.rows.empty())
        blocks.push_back(std::move(metadata));
    if (Entries entries = mappings_and_locks(job.log, sums.posix); !entries.entries.empty())
        blocks.push_back(std::move(entries));
    if (DataTable table = asynchronous_table(job.log, sums); !table.rows.empty())
        blocks.push_back(std::move(table));
    if (sums.posix.async_unseen > 0)
        blocks.push_back(
            Note{Weight::warning,
                 fmt::format("{} of the reads and writes went through rings of io_uring without a call that "
                             "could be seen. How many there were is exact; kinds, sizes and files are taken "
                             "from the last ones in the ring; their time is not known.",
                             format_count(sums.posix.async_unseen))});
    return blocks;
}

}  // namespace fathom
