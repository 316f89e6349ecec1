// The past makes clusters; today's phases are looked up in them.
#include "analyzer/history/phases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

#include "analyzer/history/usual.h"
#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/entry/entry.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "analyzer/methods/bursts.h"
#include "logformat/log/words.h"

namespace fathom::history {
namespace {

double median_over(std::vector<double> values)
{
    const auto found = five_numbers_of(std::move(values));
    return found && found->median > 0 ? found->median : 1;
}

std::vector<RunPhase> phases_of_packed(const std::string& packed, std::uint64_t length)
{
    const std::vector<jobs::Bin> bins = jobs::unpack(packed);
    if (bins.empty() || length == 0) return {};
    const std::uint64_t first = bins.front().number;
    if (bins.back().number - first >= 2 * jobs::most_bins) return {};
    std::vector<double> bytes(bins.back().number - first + 1, 0.0);
    for (const jobs::Bin& bin : bins)
        bytes[bin.number - first] +=
            static_cast<double>(bin.bytes_read) + static_cast<double>(bin.bytes_written);
    return phases_in_bins(bytes, first, length);
}

}  // namespace

std::vector<RunPhase> phases_in_bins(std::span<const double> bytes, std::uint64_t first, std::uint64_t length)
{
    std::vector<RunPhase> phases;
    for (const Stretch& stretch : bursts_of(bytes)) {
        RunPhase& phase = phases.emplace_back();
        phase.start = static_cast<Number>((first + stretch.from) * length);
        phase.seconds = static_cast<double>(stretch.length() * length) / 1e9;
        for (std::size_t at = stretch.from; at < stretch.to; ++at) phase.bytes += bytes[at];
    }
    return phases;
}

std::vector<std::vector<RunPhase>> phases_of(jobs::Database& database, std::span<const KindRun* const> runs)
{
    std::unordered_map<Number, std::size_t> place;
    jobs::Values ids, from_bins;
    for (std::size_t at = 0; at < runs.size(); ++at) {
        place[runs[at]->id] = at;
        ids.emplace_back(runs[at]->id);
    }
    std::vector<std::vector<RunPhase>> all(runs.size());
    const std::vector<jobs::ValueType> numbers(5, jobs::ValueType::integer);
    jobs::each_of(database,
                  "select job, start_ns, length_ns, bytes_read, bytes_written from job_phases where job in "
                  "(@keys)",
                  ids, numbers, [&](std::span<const jobs::Value> row) {
                      const jobs::InPhase one = jobs::row_of<jobs::InPhase>(row);
                      const std::size_t run = place.at(one.job);
                      all[run].push_back(
                          {runs[run]->start + one.start, static_cast<double>(one.length) / 1e9,
                           static_cast<double>(one.bytes_read) + static_cast<double>(one.bytes_written)});
                  });
    // A run with that many may have more.
    for (std::size_t at = 0; at < runs.size(); ++at)
        if (all[at].empty() || all[at].size() >= jobs::most_phases) from_bins.emplace_back(runs[at]->id);
    jobs::each_of(database, "select job, bin_ns, bins from job_details where bins <> '' and job in (@keys)",
                  from_bins,
                  std::vector{jobs::ValueType::integer, jobs::ValueType::integer, jobs::ValueType::text},
                  [&](std::span<const jobs::Value> row) {
                      Number job = 0, length = 0;
                      std::string packed;
                      jobs::fetch(row[0], job);
                      jobs::fetch(row[1], length);
                      jobs::fetch(row[2], packed);
                      if (length > 0)
                          all[place.at(job)] = phases_of_packed(packed, static_cast<std::uint64_t>(length));
                  });
    for (std::vector<RunPhase>& phases : all)
        std::sort(phases.begin(), phases.end(),
                  [](const RunPhase& a, const RunPhase& b) { return a.start < b.start; });
    return all;
}

PhaseStudy study_phases(std::vector<std::vector<RunPhase>> past, std::vector<RunPhase> today,
                        const DbscanChoice& choice)
{
    PhaseStudy study;
    std::erase_if(past, [](const std::vector<RunPhase>& phases) { return phases.empty(); });
    study.past = std::move(past);
    study.today = std::move(today);
    study.choice = choice;
    std::vector<double> lengths, volumes;
    for (const auto& phases : study.past)
        for (const RunPhase& phase : phases) {
            lengths.push_back(phase.seconds);
            volumes.push_back(phase.bytes);
        }
    if (lengths.empty()) return study;
    study.seconds_scale = median_over(lengths);
    study.bytes_scale = median_over(volumes);
    const auto point_of = [&](const RunPhase& phase) {
        return PlanePoint{phase.seconds / study.seconds_scale, phase.bytes / study.bytes_scale};
    };
    std::vector<PlanePoint> points, core;
    std::vector<std::size_t> run_of, run_of_core;
    for (std::size_t run = 0; run < study.past.size(); ++run)
        for (const RunPhase& phase : study.past[run]) {
            points.push_back(point_of(phase));
            run_of.push_back(run);
        }
    study.found = dbscan(points, choice);

    std::vector<std::vector<double>> cluster_lengths(study.found.clusters),
        cluster_volumes(study.found.clusters);
    std::vector<std::set<std::size_t>> cluster_runs(study.found.clusters);
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (study.found.core[at]) {
            core.push_back(points[at]);
            run_of_core.push_back(run_of[at]);
        }
        if (study.found.labels[at] == 0) continue;
        const std::size_t cluster = study.found.labels[at] - 1;
        cluster_lengths[cluster].push_back(lengths[at]);
        cluster_volumes[cluster].push_back(volumes[at]);
        cluster_runs[cluster].insert(run_of[at]);
    }
    for (std::size_t cluster = 0; cluster < study.found.clusters; ++cluster)
        study.clusters.push_back({cluster_lengths[cluster].size(), cluster_runs[cluster].size(),
                                  median_over(cluster_lengths[cluster]),
                                  median_over(cluster_volumes[cluster])});
    if (study.past.size() < fewest_to_judge || core.empty()) return study;

    const NearestPoint nearest(core, run_of_core);
    double furthest = 0;
    for (const RunPhase& phase : study.today) {
        const double distance = nearest.distance(point_of(phase));
        if (!(distance > choice.reach)) continue;
        study.odd.push_back({phase, distance});
        furthest = std::max(furthest, distance);
    }
    std::vector<double> oddest(study.past.size(), 0.0);
    for (std::size_t at = 0; at < points.size(); ++at)
        oddest[run_of[at]] = std::max(oddest[run_of[at]], nearest.distance(points[at], run_of[at]));
    constexpr double further = 1.25;
    study.as_odd = static_cast<std::size_t>(
        std::count_if(oddest.begin(), oddest.end(), [&](double one) { return further * one >= furthest; }));
    return study;
}

std::vector<Neighbour> neighbours_of(jobs::Database& database, const KindRun& run, const RunPhase& phase,
                                     const NeighbourLimits& limits)
{
    const Number end = phase.start + static_cast<Number>(phase.seconds * 1e9);
    constexpr std::string_view sql =
        "select id, program, user_name, run_ns, bytes, accesses, reads_mode, writes_mode, "
        "coalesce((select max(e.metadata_calls) from job_environment e where e.job = jobs.id), 0) from jobs "
        "where recorded = 1 and id <> ? and start_ns > ? and start_ns < ? and end_ns > ? and run_ns > 0 "
        "order by bytes desc, id";
    using enum jobs::ValueType;
    // Nothing runs longer than a month: so an index on the start helps.
    constexpr Number longest = Number{31} * 86400 * 1'000'000'000;
    std::vector<Neighbour> found;
    database.each(sql, jobs::Values{run.id, phase.start - longest, end, phase.start},
                  std::vector{integer, text, text, integer, integer, integer, text, text, integer},
                  [&](std::span<const jobs::Value> row) {
                      Neighbour one;
                      Number time = 0, bytes = 0, accesses = 0, metadata = 0;
                      std::string reads, writes;
                      jobs::fetch(row[0], one.id);
                      jobs::fetch(row[1], one.program);
                      jobs::fetch(row[2], one.user);
                      jobs::fetch(row[3], time);
                      jobs::fetch(row[4], bytes);
                      jobs::fetch(row[5], accesses);
                      jobs::fetch(row[6], reads);
                      jobs::fetch(row[7], writes);
                      jobs::fetch(row[8], metadata);
                      const double seconds = static_cast<double>(time) / 1e9;
                      one.metadata_rate = static_cast<double>(metadata) / seconds;
                      one.rate = static_cast<double>(bytes) / seconds / 0x1p20;
                      one.operations = static_cast<double>(accesses) / seconds;
                      one.shared_file = reads == "N-1" || writes == "N-1";
                      if (one.metadata_rate > limits.metadata_rate) add_to_list(one.why, "metadata");
                      if (one.rate > limits.rate) add_to_list(one.why, "bandwidth");
                      if (one.operations > limits.operations) add_to_list(one.why, "operations");
                      if (one.shared_file) add_to_list(one.why, "N-1");
                      if (!one.why.empty()) found.push_back(std::move(one));
                  });
    return found;
}

}  // namespace fathom::history
