// The few numbers that most readers came for.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/report/document_units.h"
#include "analyzer/studies/endings.h"
#include "analyzer/studies/figures.h"
#include "analyzer/studies/layer_sums.h"
#include "analyzer/studies/study.h"

namespace fathom {
namespace {

using namespace report;

Entry direction_entry(const Job& job, Direction direction)
{
    const bool reads = direction == Direction::read;
    const ModeStudy study = modes_at(job, Level::application, direction);
    std::uint64_t moved = 0, files = 0;
    for (const Member& member : job.ranks) moved += member.application_bytes(direction);
    for (const FilesAndBytes& one : study.by_mode) files += one.files;
    std::string remark;
    if (files > 0)
        remark =
            fmt::format("{} {}, by {} of {} {}, mode {}", format_count(files), files == 1 ? "file" : "files",
                        format_count(study.movers), format_count(study.ranks),
                        job.mpi ? "ranks" : "processes", mode_names[static_cast<std::size_t>(study.mode)]);
    return {reads ? "bytes_read" : "bytes_written", reads ? "read" : "written", bytes(moved), remark};
}

// What is in no rate and no mode, where there is any.
void add_mapped(const Job& job, Entries& entries)
{
    const PosixCounters& posix = layer_sums_of(job)[static_cast<std::size_t>(Layer::posix)].counters;
    if (posix.map_bytes_read + posix.map_bytes_written == 0) return;
    entries.entries.push_back(
        {"mapped", "through mappings as well", bytes(posix.map_bytes_read + posix.map_bytes_written),
         fmt::format("an estimate: {} read, {} written or read; in none of the rates",
                     format_bytes(posix.map_bytes_read), format_bytes(posix.map_bytes_written))});
}

}  // namespace

Blocks summary(const Job& job, const StudyChoice&)
{
    const JobRates rates = rates_of(job);
    const TimeUse use = time_use_of(job);
    const auto rate_cell = [](const Rate& rate, double value) {
        return rate.defined ? report::rate(value) : unknown(Measure::rate);
    };
    Entries entries;
    entries.entries = {
        direction_entry(job, Direction::read),
        direction_entry(job, Direction::write),
        {"rate_window", "rate while I/O was under way", rate_cell(rates.window, rates.window.total),
         "what the user waits for"},
        {"rate_per_node", "rate per compute node", rate_cell(rates.job, rates.job.per_node),
         "by the slowest one's time in I/O (MiB/s/CN)"},
        {"io_share", "run time spent in I/O", share_of(use.in_io, use.run),
         use.in_io > 0 ? format(share_of(use.in_metadata, use.in_io)) + " of that in metadata calls" : ""},
        {"slowest", "longest in I/O", nanoseconds(use.all.largest),
         use.all.largest > 0 && job.ranks.size() > 1
             ? fmt::format("{}; the mean is {}", job.rank_name(use.all.where),
                           format_seconds(use.all.mean / 1e9))
             : ""},
    };
    add_mapped(job, entries);
    Blocks blocks = {entries};
    for (report::Block& note : notes_on_endings(job)) blocks.push_back(std::move(note));
    if (const std::uint64_t missed = job.calls_missed(); missed > 0)
        blocks.push_back(Note{Weight::warning,
                              fmt::format("{} {} seen, but could not be counted: what they moved is in none "
                                          "of the numbers.",
                                          format_count(missed), missed == 1 ? "call was" : "calls were")});
    const std::size_t problems = job.log.problems.size();
    if (problems > 0)
        blocks.push_back(
            Note{Weight::warning, fmt::format("The log is damaged or incomplete ({} {}); see \"The job\". "
                                              "Every number here covers what could be read.",
                                              problems, problems == 1 ? "problem" : "problems")});
    return blocks;
}

}  // namespace fathom
