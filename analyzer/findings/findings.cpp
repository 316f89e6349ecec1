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

bool times_syncs(const Job& job)
{
    return tells(job.log, Layer::posix, &Transfers::sync_time);
}
bool times_locks(const Job& job)
{
    return tells(job.log, &PosixCounters::lock_time);
}
bool times_writes_in_slices(const Job& job)
{
    return !job.log.rows<Slice>().empty() && job.log.recorded(&Slice::write_time);
}
bool knows_mpiio(const Job& job)
{
    return tells(job.log, Layer::mpiio, &Transfers::opens);
}
bool knows_nodes(const Job& job)
{
    return job.nodes() > 0;
}
bool knows_servers(const Job& job)
{
    return !job.log.rows<Layout>().empty();
}

constexpr FindingRule rules[] = {
    {.id = "small_requests",
     .looks_for = "many reads or writes of less than 100 KiB",
     .look = small_requests,
     .rests_on_writes = true},
    {.id = "misaligned",
     .looks_for = "requests that cross block boundaries out of step",
     .look = misaligned,
     .rests_on_writes = true},
    {.id = "random_access",
     .looks_for = "reads or writes here and there",
     .look = random_access,
     .rests_on_writes = true},
    {.id = "redundant_reads", .looks_for = "the same data read several times", .look = redundant_reads},
    {.id = "metadata_bound",
     .looks_for = "most of the I/O time in opens, stats and the like",
     .look = metadata_bound},
    {.id = "many_files", .looks_for = "many files that hold little each", .look = many_files},
    {.id = "open_close_churn",
     .looks_for = "the same files opened again and again",
     .look = open_close_churn},
    {.id = "stragglers",
     .looks_for = "one rank much slower than the others",
     .look = stragglers,
     .rests_on_slowest = false},
    {.id = "byte_imbalance",
     .looks_for = "one rank that moves much more than the others",
     .look = byte_imbalance,
     .rests_on_slowest = false},
    {.id = "single_process",
     .looks_for = "one rank that does the I/O of all",
     .look = single_process,
     .rests_on_slowest = false},
    {.id = "no_collectives",
     .looks_for = "small independent MPI-IO on shared files",
     .look = no_collectives,
     .rests_on_writes = true,
     .needs = {"how MPI-IO was used", knows_mpiio}},
    {.id = "stdio_bulk",
     .looks_for = "much data in small pieces through stdio",
     .look = stdio_bulk,
     .rests_on_writes = true},
    {.id = "frequent_syncs",
     .looks_for = "fsync, fdatasync or fflush after every few bytes",
     .look = frequent_syncs,
     .needs = {"frequent syncs", times_syncs}},
    {.id = "lock_waits",
     .looks_for = "time spent waiting for locks on files",
     .look = lock_waits,
     .needs = {"waiting for locks", times_locks}},
    {.id = "bursts",
     .looks_for = "all ranks waiting for their writes at the same moments",
     .look = bursts,
     .rests_on_writes = true,
     .rests_on_slowest = false,
     .needs = {"bursts of writes", times_writes_in_slices}},
    {.id = "aggregators",
     .looks_for = "collective MPI-IO that too few ranks do, or that is not put together",
     .look = aggregators,
     .rests_on_writes = true,
     .needs = {"too few aggregators for the nodes", knows_nodes}},
    {.id = "collective_exchange",
     .looks_for = "collective MPI-IO that spends its time between ranks, not in the file system",
     .look = collective_exchange,
     .needs = {"what passed between ranks in collective MPI-IO", knows_mpiio}},
    {.id = "slow_server",
     .looks_for = "one server of Lustre's much slower than the others",
     .look = slow_server,
     .rests_on_slowest = false,
     .needs = {"slow servers", knows_servers}},
    {.id = "uneven_stripes",
     .looks_for = "files on fewer servers than would help, or servers with unequal shares",
     .look = uneven_stripes,
     .rests_on_writes = true,
     .needs = {"unequal servers", knows_servers}},
    {.id = "read_modify_write",
     .looks_for = "data read only in order to write it again",
     .look = read_modify_write},
};

bool far_apart(const SlowestTime& slowest)
{
    return static_cast<double>(slowest.most()) > 1.1 * static_cast<double>(slowest.least);
}

// What is wrong with the log, and what it cannot tell, makes every finding from it less sure.
void add_doubts(const Scene& scene, const FindingRule& rule, report::Finding& finding)
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
                : " Threads did I/O at the same time: the time in which any of them did is shared out among "
                  "their calls.";
    if (scene.use.slowest && far_apart(*scene.use.slowest) && rule.rests_on_slowest)
        reasons += fmt::format(
            " The log does not tell each rank's time: the slowest is taken to have spent {} in I/O, which it "
            "did at least; it may be up to {}.",
            report::format_seconds(static_cast<double>(scene.use.slowest->least) / 1e9),
            report::format_seconds(static_cast<double>(scene.use.slowest->most()) / 1e9));
    if (scene.syncs_in_writes && rule.rests_on_writes)
        reasons += " The time in writes includes that of syncs, which the log does not tell apart.";
    if (reasons.empty()) return;
    if (finding.confidence != report::Confidence::low)
        finding.confidence = static_cast<report::Confidence>(static_cast<int>(finding.confidence) - 1);
    finding.doubt += reasons;
}

// A finding that says no more than another one which explains half of it.
struct Weaker {
    std::string_view id;
    std::string_view than;  // empty: than any
};
constexpr Weaker weaker_findings[] = {
    {"bursts", ""},                          // writes are slow for a reason of their own
    {"collective_exchange", "aggregators"},  // which says what makes the exchange slow
    {"collective_exchange", "read_modify_write"},
    {"stragglers", "slow_server"},  // whose files lie there
    {"uneven_stripes", "slow_server"},
};

void drop_explained(std::vector<report::Finding>& found)
{
    const auto cost = [](const report::Finding& one) { return std::get<double>(one.cost.value); };
    for (const Weaker& weaker : weaker_findings)
        std::erase_if(found, [&](const report::Finding& one) {
            return one.id == weaker.id &&
                   std::any_of(found.begin(), found.end(), [&](const report::Finding& other) {
                       return other.id != one.id && (weaker.than.empty() || other.id == weaker.than) &&
                              cost(other) > cost(one) / 2;
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
    return findings_of(Scene(job));
}

std::vector<report::Finding> findings_of(const Scene& scene)
{
    std::vector<report::Finding> found;
    const double least = std::max(least_seconds, least_share * scene.run);
    for (const FindingRule& rule : rules) {
        auto finding = rule.look(scene);
        if (!finding) continue;
        const auto* const cost = std::get_if<double>(&finding->cost.value);
        if (cost == nullptr || *cost < least) continue;
        finding->id = rule.id;
        finding->share = report::share_of(*cost, scene.run);
        add_doubts(scene, rule, *finding);
        found.push_back(std::move(*finding));
    }
    drop_explained(found);
    std::stable_sort(found.begin(), found.end(), [](const report::Finding& a, const report::Finding& b) {
        return std::get<double>(a.cost.value) > std::get<double>(b.cost.value);
    });
    return found;
}

}  // namespace fathom
