// One rank that moves much more than the others.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/certain_work.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/overwritten.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/slices.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_uneven = 1.5;

constexpr const char *why_uneven = "The others wait until the one with most is done.",
                     *doubt_of_uneven = "A rank with a task of its own, for which nobody waits.";

std::vector<Advice> advice(const Job& job)
{
    if (job.application_bytes(Direction::read) > job.application_bytes(Direction::write))
        return {
            {"Give every rank an equal part of the data: deal files out by their lengths, the longest "
             "first, or have each rank take the next one when it is done."}};
    if (!job.used(Layer::mpiio))
        return {
            {"Give every rank an equal part of the data: deal files out by their lengths, the longest first, "
             "or have each rank write its part of a shared file."}};
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
        "files the log has only the slowest and the fastest rank";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"most_bytes", name, bytes(whole(most.bytes)),
         fmt::format("for certain, in at least {} in I/O", format_seconds(most.time / 1e9))},
        {"mean_bytes", "the mean", bytes(whole(mean)),
         fmt::format("of {} ranks; the others took {} at most on average",
                     format_count(scene.job.ranks.size()), format_seconds(most.time_of_others / 1e9))}};
    finding.why = why_uneven;
    finding.doubt = doubt_of_uneven;
    finding.advice = advice(scene.job);
    return about_rank(std::move(finding), most.rank);
}

// Bytes of a rank in a phase, by rank. Slices may reach over several phases, which then share their bytes by
// time.
std::vector<std::unordered_map<std::size_t, double>> bytes_in_phases(const Scene& scene)
{
    const std::vector<Turns::Phase>& phases = scene.turns.phases;
    std::vector<std::unordered_map<std::size_t, double>> bytes(phases.size());
    each_rank_slice(scene.job, [&](const Slice& slice, std::size_t rank) {
        const std::uint64_t end = slice.start + slice.length;
        const auto first = static_cast<std::size_t>(
            std::partition_point(phases.begin(), phases.end(),
                                 [&](const Turns::Phase& phase) { return phase.end < slice.start; }) -
            phases.begin());
        const auto within = [&](std::size_t at) {
            return static_cast<double>(std::min(end, phases[at].end) -
                                       std::max(slice.start, phases[at].start) + 1);
        };
        double all = 0;
        for (std::size_t at = first; at < phases.size() && phases[at].start < end; ++at) all += within(at);
        for (std::size_t at = first; at < phases.size() && phases[at].start < end; ++at)
            bytes[at][rank] += static_cast<double>(slice.bytes_read + slice.bytes_written) * within(at) / all;
    });
    return bytes;
}

// Even in the sum, and uneven in each phase: the others wait for another rank each time.
MaybeFinding imbalance_by_turns(const Scene& scene)
{
    constexpr double most_of_it = 0.6;
    // Aggregators of MPI-IO are meant to have the bytes of all.
    if (scene.turns.phases.empty() || scene.job.used(Layer::mpiio)) return {};
    const auto bytes_of = bytes_in_phases(scene);
    std::unordered_map<std::size_t, double> spared_of;
    double spared = 0, all = 0, of_uneven = 0, ratio = 0;
    std::size_t uneven = 0;
    for (std::size_t at = 0; at < bytes_of.size(); ++at) {
        const std::vector<Turns::Part>& parts = scene.turns.phases[at].parts;
        const Turns::Part& slow =
            *std::max_element(parts.begin(), parts.end(),
                              [](const Turns::Part& a, const Turns::Part& b) { return a.time < b.time; });
        double sum = 0, times = 0;
        for (const auto& [rank, of_rank] : bytes_of[at]) sum += of_rank;
        for (const Turns::Part& part : parts) times += part.time;
        all += slow.time;
        if (parts.size() < 2 || sum <= 0) continue;
        const auto found = bytes_of[at].find(slow.rank);
        const double mean = sum / static_cast<double>(parts.size()),
                     most = found == bytes_of[at].end() ? 0 : found->second;
        if (most < clearly_uneven * mean) continue;
        const double here = std::min(slow.time * (1 - mean / most),
                                     slow.time - (times - slow.time) / static_cast<double>(parts.size() - 1));
        ++uneven;
        of_uneven += slow.time;
        ratio += most / mean;
        spared += std::max(here, 0.0);
        spared_of[slow.rank] += std::max(here, 0.0);
    }
    if (uneven == 0 || of_uneven < all / 2) return {};
    for (const auto& [rank, of_rank] : spared_of)
        if (of_rank > most_of_it * spared) return {};
    Finding finding;
    finding.title = fmt::format("In {} of {} phases one rank moves {:.1f} times as many bytes as the mean",
                                uneven, bytes_of.size(), ratio / static_cast<double>(uneven));
    finding.cost = seconds(std::min(scene.turns.scale * spared / 1e9, scene.run));
    finding.cost_basis =
        "what the slowest rank of each phase would be spared in I/O if it moved as much there as the mean";
    if (scene.turns.scale > 1.01)
        finding.cost_basis += ", of the first phases, and as large a part of all other I/O";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"uneven_phases", "phases in which one rank has 1.5 times the mean", count(uneven),
                         fmt::format("of {}, in each of which nearly all ranks have I/O", bytes_of.size())},
                        {"slow_ranks", "ranks that are that one", count(spared_of.size()),
                         "by turns, so that their sums are even"}};
    finding.why = "The others wait in each phase until the one with most is done.";
    finding.doubt = "Ranks that do not wait for each other between these phases.";
    finding.advice = advice(scene.job);
    return Found(std::move(finding));
}

// ns that a task runs longer than the mean of all, as far as its bytes are more.
double longer_than_mean(const Job& job, const std::vector<RankWork>& work, const RankWork& most, double mean)
{
    const auto run_of = [&](const RankWork& one) {
        return static_cast<double>(job.ranks[one.rank].run_time());
    };
    double sum = 0;
    for (const RankWork& one : work) sum += run_of(one);
    const double run = run_of(most);
    return std::min(run - sum / static_cast<double>(work.size()), run * (1 - mean / most.bytes));
}

// ns that the rank with most bytes works longer on what is in its files than the mean of all would: as far as
// it computed while it had them open, in proportion to its bytes.
double longer_at_work(const Scene& scene, const std::vector<RankWork>& work, const RankWork& most,
                      double mean)
{
    LostTime of_most(scene.job);
    of_most.add(scene.job.ranks[most.rank], 1);
    const bool interpreted = is_interpreted(executable_of(scene.job, of_most));
    std::vector<double> of_rank(scene.job.ranks.size());
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (const std::int64_t rank = scene.job.rank_index(record.process);
                rank >= 0 && !file.use->by_mpiio && record[&Transfers::bytes_read] > 0)
                of_rank[static_cast<std::size_t>(rank)] += scene.work_on_whole(file, record, interpreted);
    const double own = std::min(of_rank[most.rank], scene.most_computed(most.rank));
    double others = 0;
    for (const RankWork& one : work) others += one.rank == most.rank ? 0 : of_rank[one.rank];
    return std::min(own * (1 - mean / most.bytes), own - others / static_cast<double>(work.size() - 1));
}

// Not what one rank wrote of a file, that all ranks then wrote over: that is a finding of its own.
void leave_out_filled(const Scene& scene, std::vector<RankWork>& work)
{
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (const Filled filled = filled_before(record); filled.bytes > 0)
                for (RankWork& one : work)
                    if (static_cast<std::int64_t>(one.rank) == scene.job.rank_index(filled.process))
                        one.bytes -= std::min(one.bytes, filled.bytes);
}

// On each of several nodes one rank moves as much, for its neighbours as well.
bool is_one_of_each_node(const Job& job, const std::vector<RankWork>& work, const RankWork& most)
{
    constexpr double as_much = 0.8;
    std::unordered_set<std::string_view> nodes;
    std::size_t ranks = 0;
    for (const RankWork& one : work)
        if (one.bytes >= as_much * most.bytes) {
            ++ranks;
            nodes.insert(job.ranks[one.rank].process.host);
        }
    return ranks > 1 && ranks == nodes.size() && nodes.size() == job.nodes();
}

}  // namespace

MaybeFinding byte_imbalance(const Scene& scene)
{
    if (!scene.job.told_apart()) return imbalance_for_certain(scene);
    std::vector<RankWork> work = movers_of(scene.job);
    if (work.size() < 2) return {};
    leave_out_filled(scene, work);
    const RankWork& most = *std::max_element(
        work.begin(), work.end(), [](const RankWork& a, const RankWork& b) { return a.bytes < b.bytes; });
    double sum = 0;
    for (const RankWork& one : work) sum += one.bytes;
    const double mean = sum / static_cast<double>(work.size());
    // A few bytes take as long as no bytes do.
    constexpr double few_bytes = 1 << 20;
    if (most.bytes < few_bytes) return {};
    if (most.bytes < clearly_uneven * mean) return imbalance_by_turns(scene);
    if (is_one_of_each_node(scene.job, work, most)) return {};
    // What it would be spared with the mean of the bytes; no more than by which the others are quicker.
    const double median_time = median_of(work, &RankWork::time);
    const double spared = std::min(most.time * (1 - mean / most.bytes), most.time - median_time);
    const auto run = static_cast<double>(scene.job.ranks[most.rank].run_time());
    const std::string name = scene.job.rank_name(most.rank);
    Finding finding;
    finding.title = title_of(name, most.bytes / mean);
    finding.cost = seconds(std::clamp(spared, 0.0, run) / 1e9);
    finding.cost_basis = "what it would be spared in I/O if it moved as much as the mean of them";
    // What tasks do with their data takes as much longer.
    if (const double longer = scene.job.mpi ? 0 : longer_than_mean(scene.job, work, most, mean);
        longer > spared) {
        finding.cost_least = std::max(spared, 0.0) / 1e9;
        finding.cost = seconds(longer / 1e9);
        finding.cost_basis +=
            "; at most what it runs longer than the mean, as where it works on all that it reads";
    }
    if (const double longer = scene.job.mpi ? longer_at_work(scene, work, most, mean) : 0;
        longer > spared / 4) {
        finding.cost_least = cost_of(finding);
        finding.cost = seconds(std::clamp(spared + longer, 0.0, run) / 1e9);
        finding.cost_basis += "; at most also in the work on what it reads, while it has these files open";
    }
    // What others read through mappings no call shows.
    finding.confidence = scene.sums.posix.maps > 0 ? Confidence::low : Confidence::medium;
    finding.evidence = {{"most_bytes", name, bytes(whole(most.bytes)),
                         fmt::format("in {} in I/O", format_seconds(most.time / 1e9))},
                        {"mean_bytes", "the mean", bytes(whole(mean)),
                         fmt::format("of {} {} that moved data; the median took {}", work.size(),
                                     scene.members(), format_seconds(median_time / 1e9))}};
    finding.why = why_uneven;
    finding.doubt = doubt_of_uneven;
    finding.advice =
        scene.job.mpi
            ? advice(scene.job)
            : std::vector<Advice>{{"Give every task an equal part of the data: deal files out by their "
                                   "lengths, the longest first, or have each task take the next one "
                                   "when it is done."}};
    return about_rank(std::move(finding), most.rank);
}

}  // namespace fathom
