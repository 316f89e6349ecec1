// The table of rules, and what of their findings is worth telling.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

// Less than this part of the run, or less than so many seconds, is not worth anybody's time.
constexpr double least_share = 0.02, least_seconds = 0.05;

constexpr FindingRule rules[] = {
    {"small_requests", "many reads or writes of less than 100 KiB", small_requests},
    {"misaligned", "requests that cross block boundaries out of step", misaligned},
    {"random_access", "reads or writes here and there", random_access},
    {"redundant_reads", "the same data read several times", redundant_reads},
    {"metadata_bound", "most of the I/O time in opens, stats and the like", metadata_bound},
    {"many_files", "many files that hold little each", many_files},
    {"open_close_churn", "the same files opened again and again", open_close_churn},
    {"stragglers", "one rank much slower than the others", stragglers},
    {"byte_imbalance", "one rank that moves much more than the others", byte_imbalance},
    {"single_process", "one rank that does the I/O of all", single_process},
    {"no_collectives", "small independent MPI-IO on shared files", no_collectives},
    {"aggregators", "collective MPI-IO that too few ranks do, or that is not put together", aggregators},
    {"stdio_bulk", "much data in small pieces through stdio", stdio_bulk},
    {"frequent_syncs", "fsync, fdatasync or fflush after every few bytes", frequent_syncs},
    {"lock_waits", "time spent waiting for locks on files", lock_waits},
    {"uneven_stripes", "files on fewer servers than would help, or servers with unequal shares",
     uneven_stripes},
    {"read_modify_write", "data read only in order to write it again", read_modify_write},
    {"bursts", "all ranks waiting for their writes at the same moments", bursts},
};

// Rules whose cost is the time of writes, beyond what it should have been.
bool rests_on_writes(const report::Finding& finding)
{
    constexpr std::string_view those[] = {"small_requests", "misaligned", "random_access",  "no_collectives",
                                          "aggregators",    "stdio_bulk", "uneven_stripes", "bursts"};
    return std::find(std::begin(those), std::end(those), finding.id) != std::end(those);
}

// Rules that reckon by single ranks have no use for it.
bool rests_on_slowest(const report::Finding& finding)
{
    constexpr std::string_view others[] = {"stragglers", "byte_imbalance", "single_process", "bursts"};
    return std::find(std::begin(others), std::end(others), finding.id) == std::end(others);
}

bool far_apart(const SlowestTime& slowest)
{
    return static_cast<double>(slowest.most()) > 1.1 * static_cast<double>(slowest.least);
}

// What is wrong with the log, and what it cannot tell, makes every finding from it less sure.
void add_doubts(const Scene& scene, report::Finding& finding)
{
    const Job& job = scene.job;
    std::string reasons;
    if (!job.log.problems.empty())
        reasons += " The log is damaged: what is missing from it may tell otherwise.";
    if (job.calls_missed() > 0) reasons += " Some calls could not be counted: they may tell otherwise.";
    if (scene.use.overlapping)
        reasons +=
            source_of(job.log).times_may_be_wrong
                ? " The time in I/O is longer than the run: threads did I/O side by side, or the times "
                  "in the log are wrong."
                : " Threads did I/O at the same time: what they did side by side is added up here.";
    if (scene.use.slowest && far_apart(*scene.use.slowest) && rests_on_slowest(finding))
        reasons += fmt::format(
            " The log does not tell each rank's time: the slowest is taken to have spent {} in I/O, which it "
            "did at least; it may be up to {}.",
            report::format_seconds(static_cast<double>(scene.use.slowest->least) / 1e9),
            report::format_seconds(static_cast<double>(scene.use.slowest->most()) / 1e9));
    if (scene.syncs_in_writes && rests_on_writes(finding))
        reasons += " The time in writes includes that of syncs, which the log does not tell apart.";
    if (reasons.empty()) return;
    if (finding.confidence != report::Confidence::low)
        finding.confidence = static_cast<report::Confidence>(static_cast<int>(finding.confidence) - 1);
    finding.doubt += reasons;
}

// Writes that are slow for a reason that another finding tells are no matter of when they happen.
void drop_explained_bursts(std::vector<report::Finding>& found)
{
    const auto cost = [](const report::Finding& one) { return std::get<double>(one.cost.value); };
    std::erase_if(found, [&](const report::Finding& one) {
        return one.id == "bursts" &&
               std::any_of(found.begin(), found.end(), [&](const report::Finding& other) {
                   return other.id != one.id && cost(other) > cost(one) / 2;
               });
    });
}

}  // namespace

std::span<const FindingRule> finding_rules()
{
    return rules;
}

std::vector<report::Finding> findings_of(const Job& job)
{
    const Scene scene(job);
    std::vector<report::Finding> found;
    const double least = std::max(least_seconds, least_share * scene.run);
    for (const FindingRule& rule : rules) {
        auto finding = rule.look(scene);
        if (!finding) continue;
        const auto* const cost = std::get_if<double>(&finding->cost.value);
        if (cost == nullptr || *cost < least) continue;
        finding->id = rule.id;
        finding->share = report::share_of(*cost, scene.run);
        add_doubts(scene, *finding);
        found.push_back(std::move(*finding));
    }
    drop_explained_bursts(found);
    std::stable_sort(found.begin(), found.end(), [](const report::Finding& a, const report::Finding& b) {
        return std::get<double>(a.cost.value) > std::get<double>(b.cost.value);
    });
    return found;
}

}  // namespace fathom
