// Where the ranks' time went: reads, writes, metadata calls, and all that is no I/O.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/sections.h"
#include "analyzer/sections/slowest_neighbours.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_bars = 32;

// How often processes waited for a mapped page, where that is recorded.
std::string waiting_faults(const Job& job)
{
    if (!job.log.recorded(&Process::major_faults)) return {};
    std::uint64_t faults = 0;
    for (const Member& member : job.ranks) faults += member.process.major_faults;
    return fmt::format("; {} waited for the disk", counted(faults, "page fault", "page faults"));
}

DataTable split_table(const Job& job, const TimeUse& use)
{
    DataTable table{.id = "time_split", .title = job.mpi ? "Time per rank" : "Time per process"};
    table.columns = {{"kind", "time in", Measure::text},
                     {"mean", "mean", Measure::seconds},
                     {"max", "max", Measure::seconds},
                     {"where", "at", Measure::text},
                     {"share", "of run time", Measure::share}};
    const auto add = [&](std::string_view what, const Spread& spread, double sum) {
        table.rows.push_back(
            {text(what), seconds(spread.mean / 1e9), cell_if(!use.slowest, nanoseconds(spread.largest)),
             spread.largest > 0 ? text(job.rank_name(spread.where)) : unknown(), share_of(sum, use.run)});
    };
    add("reads", use.read, use.in_read);
    add("writes and syncs", use.write, use.in_write);
    add("metadata (all other I/O calls)", use.metadata, use.in_metadata);
    add("all I/O", use.all, use.in_io);
    add("everything else", use.other, use.other.mean * static_cast<double>(job.ranks.size()));
    table.remark = "Share: summed over all of them, of their summed run time.";
    if (layer_sums_of(job).posix.maps > 0)
        table.remark +=
            fmt::format(" Everything else includes reads and writes of mapped files{}.", waiting_faults(job));
    if (use.slowest)
        table.remark += fmt::format(
            " The log has only the sum of what ranks spent on shared files: the one with most I/O spent {} "
            "to {}.",
            format_seconds(static_cast<double>(use.slowest->least) / 1e9),
            format_seconds(static_cast<double>(use.slowest->most()) / 1e9));
    return table;
}

Chart rank_chart(const Job& job)
{
    const std::string one = job.mpi ? "rank" : "process";
    Chart chart{.id = "time_by_rank",
                .title = "I/O time by " + one,
                .shape = Shape::stacked,
                .category_heading = one,
                .measure = Measure::seconds,
                .series = {{"read", {}}, {"write", {}}, {"metadata", {}}}};
    const auto shown = slowest_neighbours(job.ranks.size(), most_bars,
                                          [&](std::size_t at) { return job.ranks[at].time().total(); });
    for (const std::size_t at : shown) {
        const Member& member = job.ranks[at];
        const TimeSplit split = member.time();
        chart.categories.push_back(std::to_string(job.mpi ? member.process.rank : member.process.process));
        chart.series[0].values.push_back(static_cast<double>(split.read) / 1e9);
        chart.series[1].values.push_back(static_cast<double>(split.write) / 1e9);
        chart.series[2].values.push_back(static_cast<double>(split.metadata) / 1e9);
    }
    chart.remark = neighbours_remark(shown.size(), job.ranks.size());
    return chart;
}

}  // namespace

Blocks time_use(const Job& job, const SectionChoice&)
{
    const TimeUse use = time_use_of(job);
    Entries entries;
    const double run = static_cast<double>(use.run);
    entries.entries = {
        {"io_share", "share of run time in I/O", share_of(use.in_io, run), "summed over all of them"},
        {"metadata_share", "share of I/O time in metadata", share_of(use.in_metadata, use.in_io), ""},
    };
    Blocks blocks = {entries};
    if (use.overlapping)
        blocks.push_back(Note{Weight::information, source_of(job.log).times_may_be_wrong
                                                       ? "The time in I/O of some ranks is longer than the "
                                                         "run: threads did I/O at the same time, and "
                                                         "their times add up, or times in the log are wrong."
                                                       : "In some processes the time in I/O is longer than "
                                                         "the run: threads did I/O at the same time, "
                                                         "and their times add up."});
    blocks.push_back(split_table(job, use));
    if (use.all.largest > 0 && job.ranks.size() > 1) blocks.push_back(rank_chart(job));
    return blocks;
}

}  // namespace fathom
