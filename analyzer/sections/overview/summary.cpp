// The few numbers that most readers came for: the first page shows them, and programs get them from here.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

Entry direction_entry(const Job& job, Direction direction)
{
    const bool reads = direction == Direction::read;
    const ModeStudy study = modes_at(job, Level::application, direction);
    const std::uint64_t moved = job.application_bytes(direction);
    const FileCount files = count_files(job, direction);
    std::string remark;
    if (files.files > 0)
        remark = fmt::format(
            "{} {}, by {}{} of {} {}, mode {}", files.words(), files.files == 1 ? "file" : "files",
            job.application_movers_at_most[static_cast<std::size_t>(direction)] ? "at most " : "",
            format_count(study.movers), format_count(study.ranks),
            fmt::format("{}{}", missing_ranks_of(job).any() ? "recorded " : "",
                        job.mpi ? "ranks" : "processes"),
            mode_names[static_cast<std::size_t>(study.mode)]);
    return {reads ? "bytes_read" : "bytes_written", reads ? "read" : "written", bytes(moved), remark};
}

// What is in no rate and no mode, where there is any.
void add_mapped(const Job& job, Entries& entries)
{
    const PosixCounters& posix = layer_sums_of(job).posix;
    if (posix.map_bytes_read + posix.map_bytes_written == 0) return;
    entries.entries.push_back(
        {"mapped", "via mmap as well (estimate)", bytes(posix.map_bytes_read + posix.map_bytes_written),
         fmt::format("an estimate: {} read, {} written or read; in none of the rates",
                     format_bytes(posix.map_bytes_read), format_bytes(posix.map_bytes_written))});
}

// How fast the data moved, by what the log has.
void add_rates(const JobRates& rates, Entries& entries)
{
    const auto add = [&](std::string id, std::string label, bool known, double value, std::string remark) {
        entries.entries.push_back({std::move(id), std::move(label),
                                   known ? report::rate(value) : unknown(Measure::rate), std::move(remark)});
    };
    add("rate", "rate while data was transferred", rates.transfer.has_total, rates.transfer.total, "");
    add("rate_window", "rate while I/O was under way", rates.window.has_total, rates.window.total,
        rates.window.has_total && rates.window.bytes < rates.job.bytes
            ? fmt::format("of the {} that were traced", format_bytes(rates.window.bytes))
        : rates.window.has_total || !rates.slowest ? "what the user waits for"
                                                   : "the log has no start and end of operations");
    if (!rates.slowest || rates.job.nodes > 0) {
        add("rate_per_node", "rate per compute node", rates.job.defined, rates.job.per_node,
            "by the slowest one's time in I/O (MiB/s/CN)");
        return;
    }
    const bool exact = rates.slowest->exact();
    add("rate_by_slowest", exact ? "rate by the slowest's time" : "rate by slowest, at least",
        rates.job.has_total, rates.job.total,
        exact || !rates.job.has_total ? "" : "at most " + format_rate(rates.fastest.total));
}

// The time in I/O of the one that took longest, or between which bounds it lies.
Entry slowest_entry(const Job& job, const TimeUse& use)
{
    if (!use.slowest)
        return {"slowest", "longest in I/O", nanoseconds(use.all.largest),
                use.all.largest > 0 && job.ranks.size() > 1
                    ? fmt::format("{}; the mean is {}", job.rank_name(use.all.where),
                                  format_seconds(use.all.mean / 1e9))
                    : ""};
    return {"slowest_least", "longest in I/O, at least", nanoseconds(use.slowest->least),
            fmt::format("{}at most {}; the mean is {}",
                        use.slowest->least_rank < 0 ? "" : job.process_name(use.slowest->least_rank) + "; ",
                        format_seconds(static_cast<double>(use.slowest->most()) / 1e9),
                        format_seconds(use.all.mean / 1e9))};
}

}  // namespace

Blocks summary(const Job& job, const SectionChoice&)
{
    const JobRates rates = rates_of(job);
    const TimeUse use = time_use_of(job);
    Entries entries;
    entries.for_programs = true;
    entries.entries = {direction_entry(job, Direction::read), direction_entry(job, Direction::write)};
    add_rates(rates, entries);
    entries.entries.push_back(
        {"io_share", "run time spent in I/O", share_of(use.in_io, use.run),
         use.in_io > 0 ? format(share_of(use.in_metadata, use.in_io)) + " of that in metadata calls" : ""});
    entries.entries.push_back(slowest_entry(job, use));
    add_mapped(job, entries);
    return {std::move(entries)};
}

}  // namespace fathom
