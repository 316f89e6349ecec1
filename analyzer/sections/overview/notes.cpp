// The most serious first.
#include "analyzer/sections/overview/notes.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/node_clocks.h"

namespace fathom {

using namespace report;

std::vector<Note> notes_on_recording(const Job& job)
{
    std::vector<Note> notes;
    if (const MissingRanks ranks = missing_ranks_of(job); ranks.any())
        notes.push_back(Note{
            Weight::warning,
            fmt::format("{} were recorded; missing: {}{}. Bytes, rates, modes and times are those of the "
                        "recorded ones. To record all, on every node: mpirun fathom record -- COMMAND, or "
                        "srun fathom record -- COMMAND.",
                        ranks.in_words(), ranks.names(), ranks.remark())});
    if (const NodeClocks clocks = node_clocks_of(job); clocks.mix_up_slices(job))
        notes.push_back(Note{
            Weight::warning,
            fmt::format(
                "The clocks of the nodes are {} apart, give or take {}; {} is ahead of {}. The run's start "
                "and end, time bins, phases and rates by the clock take moments that "
                "far apart for one; bytes, counts and times of operations are not affected.",
                format_seconds(static_cast<double>(clocks.apart) / 1e9),
                format_seconds(static_cast<double>(clocks.error) / 1e9), clocks.first, clocks.last)});
    for (Note& note : notes_on_endings(job)) notes.push_back(std::move(note));
    if (const std::uint64_t missed = job.calls_missed(); missed > 0)
        notes.push_back(Note{Weight::warning,
                             fmt::format("{} {} seen, but could not be counted: what they moved is in none "
                                         "of the numbers.",
                                         format_count(missed), missed == 1 ? "call was" : "calls were")});
    if (const std::uint64_t unseen = layer_sums_of(job).posix.async_unseen; unseen > 0)
        notes.push_back(
            Note{Weight::warning,
                 fmt::format("{} went through rings of io_uring without a call that showed their time: times "
                             "in I/O, their shares and costs lack it.",
                             counted(unseen, "read or write", "reads and writes"))});
    if (const auto modules = job.log.fact("not_decoded"))
        notes.push_back(Note{Weight::warning,
                             fmt::format("The log has records that are not decoded: {}. Their I/O is in none "
                                         "of the numbers.",
                                         *modules)});
    const std::size_t problems = job.log.problems.size();
    if (problems > 0)
        notes.push_back(Note{Weight::warning,
                             fmt::format("The log is damaged or incomplete ({} {}); see \"Job metadata\". "
                                         "Every number here covers what could be read.",
                                         problems, problems == 1 ? "problem" : "problems")});
    return notes;
}

}  // namespace fathom
