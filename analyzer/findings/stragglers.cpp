// One rank that takes much longer for its I/O than the others, and they wait for it.
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/report/document_units.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_slower = 1.5, as_much = 1.5;
// A single call that hangs for less than this, in ns, is what a busy machine does now and then.
constexpr double now_and_then = 1e9;

// The longest reads and writes of a process, one a direction and record, the three longest of them.
double longest_calls(const Job& job, std::int64_t process)
{
    std::array<std::uint64_t, 3> longest{};
    for (const RecordView& record : job.records) {
        if (record.process != process && record.process != reduced) continue;
        for (const SlowestCall& call : {record.transfers->slowest_read, record.transfers->slowest_write}) {
            auto& shortest = *std::min_element(longest.begin(), longest.end());
            shortest = std::max(shortest, call.time);
        }
    }
    return static_cast<double>(std::accumulate(longest.begin(), longest.end(), std::uint64_t{0}));
}

}  // namespace

MaybeFinding stragglers(const Scene& scene)
{
    const std::vector<RankWork> work = movers_of(scene.job);
    if (work.size() < 2) return {};
    const RankWork& slow = *std::max_element(
        work.begin(), work.end(), [](const RankWork& a, const RankWork& b) { return a.time < b.time; });
    const double median_time = median_of(work, &RankWork::time),
                 median_bytes = median_of(work, &RankWork::bytes),
                 median_calls = median_of(work, &RankWork::calls);
    if (slow.time < clearly_slower * median_time) return {};
    if (median_bytes > 0 && slow.bytes > as_much * median_bytes)
        return {};  // then it is the bytes that are uneven
    // A rank that MPI-IO has write what the others sent it is meant to be at it for longer.
    if (slow.for_others > as_much * median_of(work, &RankWork::for_others)) return {};
    const Process& process = scene.job.ranks[slow.rank].process;
    const std::string name = scene.job.rank_name(slow.rank);
    const double run = static_cast<double>(scene.job.ranks[slow.rank].run_time());
    const bool more_calls = slow.calls > as_much * median_calls;
    const double excess = slow.time - median_time;
    if (!more_calls && excess < now_and_then && longest_calls(scene.job, process.process) > excess / 2)
        return {};
    Finding finding;
    finding.title = fmt::format("{} spends {:.1f} times as long in I/O as the median", name,
                                median_time > 0 ? slow.time / median_time : 0.0);
    finding.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.title[0])));
    finding.cost = seconds((std::min(slow.time, run) - std::min(median_time, run)) / 1e9);
    finding.cost_basis =
        "its time in I/O beyond that of the median, which the others wait for at the next barrier";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"slow_time", name, seconds(slow.time / 1e9), fmt::format("in I/O, on {}", process.host)},
        {"median_time", "the median", seconds(median_time / 1e9), fmt::format("of {} ranks", work.size())},
        {"slow_bytes", "bytes it moved", bytes(static_cast<std::uint64_t>(slow.bytes)),
         fmt::format("the median is {}", format_bytes(static_cast<std::uint64_t>(median_bytes)))},
        {"slow_calls", "I/O calls it made", count(static_cast<std::uint64_t>(slow.calls)),
         fmt::format("the median is {}", format_count(static_cast<std::uint64_t>(median_calls)))}};
    finding.why = "Ranks that work in step are as slow as the slowest of them.";
    finding.doubt = "A rank with a task of its own, such as logging, for which nobody waits.";
    if (more_calls) {
        finding.advice = {{fmt::format(
            "It does as much with more calls: look at the files of {} in the report, and have it "
            "use as large requests, and as few syncs, as the others.",
            name)}};
        return finding;
    }
    finding.advice = {{fmt::format(
        "It makes as many calls for as many bytes, so that each takes longer: look at the node {} "
        "and at the servers that hold its files.",
        process.host)}};
    if (scene.job.hosts.size() > 1)
        finding.advice.push_back({"Under Slurm, run the job again without that node:",
                                  {fmt::format("srun --exclude={} …", process.host)}});
    return finding;
}

}  // namespace fathom
