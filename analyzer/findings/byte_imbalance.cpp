// One rank that moves much more than the others.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/report/document_units.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_more = 1.5;

}  // namespace

MaybeFinding byte_imbalance(const Scene& scene)
{
    const std::vector<RankWork> work = movers_of(scene.job);
    if (work.size() < 2) return {};
    const RankWork& most = *std::max_element(
        work.begin(), work.end(), [](const RankWork& a, const RankWork& b) { return a.bytes < b.bytes; });
    double sum = 0;
    for (const RankWork& one : work) sum += one.bytes;
    const double mean = sum / static_cast<double>(work.size());
    if (most.bytes < clearly_more * mean) return {};
    // What it would be spared with the mean of the bytes; no more than by which the others are quicker.
    const double median_time = median_of(work, &RankWork::time);
    const double spared = std::min(most.time * (1 - mean / most.bytes), most.time - median_time);
    const auto run = static_cast<double>(scene.job.ranks[most.rank].run_time());
    const std::string name = scene.job.rank_name(most.rank);
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    finding.title = fmt::format("{} moves {:.1f} times as many bytes as the mean", name, most.bytes / mean);
    finding.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.title[0])));
    finding.cost = seconds(std::clamp(spared, 0.0, run) / 1e9);
    finding.cost_basis = "what it would be spared in I/O if it moved as much as the mean of them";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"most_bytes", name, bytes(whole(most.bytes)),
                         fmt::format("in {} in I/O", format_seconds(most.time / 1e9))},
                        {"mean_bytes", "the mean", bytes(whole(mean)),
                         fmt::format("of {} ranks that moved data; the median took {}", work.size(),
                                     format_seconds(median_time / 1e9))}};
    finding.why = "The others wait until the one with most is done.";
    finding.doubt = "A rank with a task of its own, for which nobody waits.";
    finding.advice = {
        {"Give every rank an equal part of the data, or write through MPI-IO's collective calls, which "
         "share it out:",
         {"MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}}};
    return finding;
}

}  // namespace fathom
