// The calls that are neither plain reads nor plain writes: metadata by kind, mappings, asynchronous I/O.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

// Of the ranks' files and directories; streams have no metadata worth a row.
struct Sums {
    PosixCounters posix;
    StdioCounters stdio;
    MpiioCounters mpiio;
};

Sums sums_of(const Job& job)
{
    Sums sums;
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const NameKind kind = job.files[file].kind;
        if (kind == NameKind::stream || kind == NameKind::device) continue;
        const Transfers& counters = *record.transfers;
        switch (record.layer) {
            case Layer::posix:
                merge(sums.posix,
                      static_cast<const PosixCounters&>(static_cast<const PosixRecord&>(counters)));
                break;
            case Layer::stdio:
                merge(sums.stdio,
                      static_cast<const StdioCounters&>(static_cast<const StdioRecord&>(counters)));
                break;
            case Layer::mpiio:
                merge(sums.mpiio,
                      static_cast<const MpiioCounters&>(static_cast<const MpiioRecord&>(counters)));
                break;
        }
    }
    return sums;
}

DataTable metadata_table(const Log& log, const Sums& sums)
{
    const auto& [posix, stdio, mpiio] = sums;
    DataTable table{
        .id = "metadata_calls",
        .title = tells(log, Layer::posix, "failed") ? "Metadata calls that succeeded" : "Metadata calls"};
    table.columns = {{"call", "call", Measure::text},
                     {"posix", "POSIX", Measure::count},
                     {"stdio", "stdio", Measure::count},
                     {"mpiio", "MPI-IO", Measure::count}};
    constexpr std::uint64_t none = 0;
    const struct {
        std::string_view call, counter;
        std::uint64_t posix, stdio, mpiio;
    } rows[] = {{"open", "opens", posix.opens, stdio.opens, mpiio.opens},
                {"close", "closes", posix.closes, stdio.closes, mpiio.closes},
                {"seek", "seeks", posix.seeks, stdio.seeks, mpiio.seeks},
                {"stat, access", "stats", posix.stats, none, none},
                {"truncate, fallocate", "truncates", posix.truncates, none, mpiio.truncates},
                {"unlink", "unlinks", posix.unlinks, none, mpiio.unlinks},
                {"rename", "renames", posix.renames, none, none},
                {"link, symlink, readlink", "links", posix.links, none, none},
                {"mode, owner, times, xattr", "attributes", posix.attributes, none, none},
                {"mkdir, rmdir", "directory_changes", posix.directory_changes, none, none},
                {"readdir, scandir", "directory_reads", posix.directory_reads, none, none},
                {"locks", "locks", posix.locks, none, none},
                {"advice", "advices", posix.advices, none, none},
                {"dup", "dups", posix.dups, none, none},
                {"set_view", "views", none, none, mpiio.views}};
    const auto cell = [](std::uint64_t n) { return n == 0 ? unknown(Measure::count) : count(n); };
    std::string missing;
    for (const auto& row : rows) {
        if (row.posix + row.stdio + row.mpiio > 0)
            table.rows.push_back({text(row.call), cell(row.posix), cell(row.stdio), cell(row.mpiio)});
        if (!tells(log, Layer::posix, row.counter))
            missing += fmt::format("{}{}", missing.empty() ? "" : "; ", row.call);
    }
    if (const Source& source = source_of(log); !source.own && !missing.empty())
        table.remark = fmt::format("Not recorded by {}: {}.", source.name, missing);
    return table;
}

Entries mappings_and_locks(const Log& log, const PosixCounters& posix)
{
    Entries entries;
    if (posix.maps > 0 && !tells(log, Layer::posix, "mapped_bytes"))
        entries.entries = {{"maps", "mappings of files", count(posix.maps),
                            "what was read and written through them is not recorded"}};
    else if (posix.maps > 0)
        entries.entries = {
            {"maps", "mappings of files", count(posix.maps), "mmap; time in it is metadata time"},
            {"mapped_bytes", "mapped", bytes(posix.mapped_bytes), ""},
            {"map_bytes_read", "read through mappings", bytes(posix.map_bytes_read),
             "an estimate, by whole pages; in no rate and no mode"},
            {"map_bytes_written", "written or read through mappings", bytes(posix.map_bytes_written),
             "likewise: by shared mappings that allow both"}};
    if (posix.locks > 0)
        entries.entries.push_back(
            {"lock_time", "time in locks", nanoseconds(posix.lock_time), "summed over all processes"});
    return entries;
}

DataTable asynchronous_table(const Log& log, const Sums& sums)
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
        sums.posix.async_unseen, tells(log, Layer::posix, "async_time"));
    add("MPI-IO, nonblocking", sums.mpiio.nonblocking_reads, sums.mpiio.nonblocking_writes,
        sums.mpiio.nonblocking_time, 0, tells(log, Layer::mpiio, "nonblocking_time"));
    if (!tells(log, Layer::mpiio, "nonblocking_time")) {
        table.remark = "How long they took is not recorded.";
        return table;
    }
    table.remark =
        "From the beginning of one to when the program was told of its end; several may be under way at "
        "once.";
    return table;
}

}  // namespace

Blocks further_calls(const Job& job, const SectionChoice&)
{
    const Sums sums = sums_of(job);
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
