// One rank that takes much longer for its I/O than the others, and they wait for it.
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/certain_work.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_slower = 1.5, as_much = 1.5;
// Of many small requests some wait for those of other ranks, by chance: it is their number that costs.
constexpr double many_small = 200, small_call = 100e3;
// A single call that hangs for less than this, in ns, is what a busy machine does now and then.
constexpr double now_and_then = 1e9;

// The longest reads and writes of a process, one a direction and record, the three longest of them.
double longest_calls(const Job& job, std::int64_t process)
{
    std::array<std::uint64_t, 3> longest{};
    for (const RecordView& record : job.records) {
        if (record.process != process && record.process != reduced) continue;
        for (const SlowestCall& call :
             {record[&Transfers::slowest_read], record[&Transfers::slowest_write]}) {
            auto& shortest = *std::min_element(longest.begin(), longest.end());
            shortest = std::max(shortest, call.time);
        }
    }
    return static_cast<double>(std::accumulate(longest.begin(), longest.end(), std::uint64_t{0}));
}

// How much longer than the median its main thread waited for a core, in ns: its calls took as much longer,
// and that is not the file system's fault.
double waits_for_core(const Job& job, const Process& process)
{
    std::vector<std::uint64_t> waits;
    for (const Member& member : job.ranks) waits.push_back(member.process.core_wait);
    const auto middle = waits.begin() + static_cast<std::ptrdiff_t>(waits.size() / 2);
    std::nth_element(waits.begin(), middle, waits.end());
    return static_cast<double>(process.core_wait) - static_cast<double>(*middle);
}

// Calls of a rank on names and folders, which its calls on files are compared without.
double looks_of(const Job& job, std::size_t rank)
{
    double sum = 0;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::posix && job.rank_index(record.process) == static_cast<std::int64_t>(rank))
            for (const auto counter :
                 {&PosixRecord::stats, &PosixRecord::directory_reads, &PosixRecord::directory_changes,
                  &PosixRecord::unlinks, &PosixRecord::renames, &PosixRecord::attributes})
                sum += static_cast<double>(record[counter]);
    return sum;
}

// It looks at far more names than the others, and that is what it is longer at.
bool looks_for_others(const Job& job, const std::vector<RankWork>& work, const RankWork& slow, double excess)
{
    constexpr double far_more = 4;
    std::vector<double> looks, times;
    for (const RankWork& one : work) {
        looks.push_back(looks_of(job, one.rank));
        times.push_back(static_cast<double>(job.ranks[one.rank].time().metadata));
    }
    const auto median = [](std::vector<double> values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    return looks_of(job, slow.rank) > far_more * std::max(median(looks), 1.0) &&
           static_cast<double>(job.ranks[slow.rank].time().metadata) - median(times) > excess / 2;
}

std::string capital(std::string words)
{
    if (!words.empty()) words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    return words;
}

constexpr std::string_view why_slow = "Ranks that work in step are as slow as the slowest of them.";

// By the slowest rank of each shared file and what ranks did on files of their own.
MaybeFinding straggler_for_certain(const Scene& scene)
{
    const std::vector<CertainWork>& work = scene.certain_work;
    if (work.empty()) return {};
    const CertainWork& slow = *std::max_element(
        work.begin(), work.end(), [](const CertainWork& a, const CertainWork& b) { return a.time < b.time; });
    const double excess = slow.time - slow.time_of_others;
    if (slow.time < clearly_slower * slow.time_of_others) return {};
    if (slow.bytes > as_much * slow.bytes_of_others && slow.time_of_more_bytes > excess / 2)
        return {};  // then it is the bytes that are uneven
    const std::int64_t process = scene.job.ranks[slow.rank].process.process;
    if (excess < now_and_then && longest_calls(scene.job, process) > excess / 2) return {};
    const std::string name = scene.job.rank_name(slow.rank);
    const double run = scene.run * 1e9;
    Finding finding;
    finding.title =
        capital(fmt::format("{} spends {:.1f} times as long in I/O as the mean of the others", name,
                            slow.time_of_others > 0 ? slow.time / slow.time_of_others : 0.0));
    finding.cost = seconds((std::min(slow.time, run) - std::min(slow.time_of_others, run)) / 1e9);
    finding.cost_basis =
        "its time in I/O beyond the mean of the others, who wait for it at the next barrier: at least, since "
        "of shared files the log has only the slowest and the fastest rank";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"slow_time", name, seconds(slow.time / 1e9), "in I/O, at least"},
                        {"mean_time", "the mean of the others", seconds(slow.time_of_others / 1e9),
                         fmt::format("of {} ranks, at most", scene.job.ranks.size() - 1)},
                        {"slow_bytes", "bytes it moved", bytes(static_cast<std::uint64_t>(slow.bytes)),
                         fmt::format("for certain; the mean of the others is {}",
                                     format_bytes(static_cast<std::uint64_t>(slow.bytes_of_others)))}};
    finding.why = why_slow;
    finding.doubt =
        "A rank with a task of its own, such as logging, for which nobody waits, or that moves the data of "
        "others.";
    finding.advice = {
        {fmt::format("Look at the files that {} used alone, or was the slowest of (\"How evenly the I/O was "
                     "shared\"), at the servers that hold them, and at the node that it ran on.",
                     name)}};
    return about_rank(std::move(finding), slow.rank);
}

}  // namespace

MaybeFinding stragglers(const Scene& scene)
{
    if (!scene.job.told_apart()) return straggler_for_certain(scene);
    if (!scene.job.mpi) return {};  // tasks wait for nobody
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
    if (!more_calls && slow.calls >= many_small && slow.bytes < small_call * slow.calls) return {};
    if (const Totals& beneath = scene.job.ranks[slow.rank].in(Layer::posix, Scope::beneath_mpiio);
        !more_calls && static_cast<double>(beneath.reads + beneath.writes) >= many_small &&
        static_cast<double>(beneath.bytes_read + beneath.bytes_written) <
            small_call * static_cast<double>(beneath.reads + beneath.writes))
        return {};
    const double excess = slow.time - median_time;
    if (waits_for_core(scene.job, process) > excess / 2) return {};
    if (looks_for_others(scene.job, work, slow, excess)) return {};
    // As long as others in all, but perhaps in its calls, where they wait for it elsewhere.
    if (static_cast<double>(process.core_wait) >= excess) return {};
    if (!more_calls && excess < now_and_then && longest_calls(scene.job, process.process) > excess / 2)
        return {};
    Finding finding;
    finding.title = fmt::format("{} spends {:.1f} times as long in I/O as the median", name,
                                median_time > 0 ? slow.time / median_time : 0.0);
    finding.title = capital(finding.title);
    finding.cost = seconds((std::min(slow.time, run) - std::min(median_time, run)) / 1e9);
    finding.cost_basis =
        "its time in I/O beyond that of the median, which the others wait for at the next barrier";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"slow_time", name, seconds(slow.time / 1e9),
         process.host.empty() ? "in I/O" : fmt::format("in I/O, on {}", process.host)},
        {"median_time", "the median", seconds(median_time / 1e9),
         fmt::format("of {} {}", work.size(), scene.members())},
        {"slow_bytes", "bytes it moved", bytes(static_cast<std::uint64_t>(slow.bytes)),
         fmt::format("the median is {}", format_bytes(static_cast<std::uint64_t>(median_bytes)))},
        {"slow_calls", "I/O calls it made", count(static_cast<std::uint64_t>(slow.calls)),
         fmt::format("the median is {}", format_count(static_cast<std::uint64_t>(median_calls)))}};
    finding.why = why_slow;
    finding.doubt = "A rank with a task of its own, such as logging, for which nobody waits.";
    if (more_calls) {
        finding.advice = {{fmt::format(
            "It does as much with more calls: look at the files of {} in the report, and have it "
            "use as large requests, and as few syncs, as the others.",
            name)}};
        return about_rank(std::move(finding), slow.rank);
    }
    finding.advice = {{fmt::format(
        "It makes as many calls for as many bytes, so that each takes longer: look at the node {}"
        "and at the servers that hold its files.",
        process.host.empty() ? "that it ran on " : fmt::format("{} ", process.host))}};
    if (scene.job.nodes() > 1)
        finding.advice.push_back({"Under Slurm, run the job again without that node:",
                                  {fmt::format("srun --exclude={} …", process.host)}});
    return about_rank(std::move(finding), slow.rank);
}

}  // namespace fathom
