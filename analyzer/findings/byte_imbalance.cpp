// One rank that moves much more than the others.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/certain_work.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_uneven = 1.5;

constexpr const char *why_uneven = "The others wait until the one with most is done.",
                     *doubt_of_uneven = "A rank with a task of its own, for which nobody waits.";

std::vector<Advice> advice()
{
    return {
        {"Give every rank an equal part of the data, or write through MPI-IO's collective calls, which "
         "share it out:",
         {"MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}}};
}

std::string title_of(const std::string& name, double ratio)
{
    std::string title = fmt::format("{} moves {:.1f} times as many bytes as the mean", name, ratio);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

std::uint64_t whole(double n)
{
    return static_cast<std::uint64_t>(n);
}

// By the extremes of shared files, or by slices where they have all bytes.
MaybeFinding imbalance_for_certain(const Scene& scene)
{
    const std::vector<CertainWork>& work = scene.certain_work;
    if (work.empty()) return {};
    const CertainWork& most =
        *std::max_element(work.begin(), work.end(),
                          [](const CertainWork& a, const CertainWork& b) { return a.bytes < b.bytes; });
    const auto ranks = static_cast<double>(scene.job.ranks.size());
    const double mean = (most.bytes + most.bytes_of_others * (ranks - 1)) / ranks;
    if (mean <= 0 || most.bytes < clearly_uneven * mean) return {};
    const double spared = std::min({most.time * (1 - mean / most.bytes), most.time - most.time_of_others,
                                    most.time_of_more_bytes}) /
                          1e9;
    const std::string name = scene.job.rank_name(most.rank);
    Finding finding;
    finding.title = title_of(name, most.bytes / mean);
    finding.cost = seconds(std::clamp(spared, 0.0, scene.run));
    finding.cost_basis =
        "what it would be spared in I/O if it moved as much as the mean of all: at least, since of shared "
        "files "
        "the log has only the slowest and the fastest rank";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"most_bytes", name, bytes(whole(most.bytes)),
         fmt::format("for certain, in at least {} in I/O", format_seconds(most.time / 1e9))},
        {"mean_bytes", "the mean", bytes(whole(mean)),
         fmt::format("of {} ranks; the others took {} at most on average",
                     format_count(scene.job.ranks.size()), format_seconds(most.time_of_others / 1e9))}};
    finding.why = why_uneven;
    finding.doubt = doubt_of_uneven;
    finding.advice = advice();
    return about_rank(std::move(finding), most.rank);
}

}  // namespace

MaybeFinding byte_imbalance(const Scene& scene)
{
    if (!scene.job.told_apart()) return imbalance_for_certain(scene);
    const std::vector<RankWork> work = movers_of(scene.job);
    if (work.size() < 2) return {};
    const RankWork& most = *std::max_element(
        work.begin(), work.end(), [](const RankWork& a, const RankWork& b) { return a.bytes < b.bytes; });
    double sum = 0;
    for (const RankWork& one : work) sum += one.bytes;
    const double mean = sum / static_cast<double>(work.size());
    if (most.bytes < clearly_uneven * mean) return {};
    // What it would be spared with the mean of the bytes; no more than by which the others are quicker.
    const double median_time = median_of(work, &RankWork::time);
    const double spared = std::min(most.time * (1 - mean / most.bytes), most.time - median_time);
    const auto run = static_cast<double>(scene.job.ranks[most.rank].run_time());
    const std::string name = scene.job.rank_name(most.rank);
    Finding finding;
    finding.title = title_of(name, most.bytes / mean);
    finding.cost = seconds(std::clamp(spared, 0.0, run) / 1e9);
    finding.cost_basis = "what it would be spared in I/O if it moved as much as the mean of them";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"most_bytes", name, bytes(whole(most.bytes)),
                         fmt::format("in {} in I/O", format_seconds(most.time / 1e9))},
                        {"mean_bytes", "the mean", bytes(whole(mean)),
                         fmt::format("of {} ranks that moved data; the median took {}", work.size(),
                                     format_seconds(median_time / 1e9))}};
    finding.why = why_uneven;
    finding.doubt = doubt_of_uneven;
    finding.advice = advice();
    return about_rank(std::move(finding), most.rank);
}

}  // namespace fathom
