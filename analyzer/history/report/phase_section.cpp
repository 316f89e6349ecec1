// A plot and a table of clusters; odd phases with who ran beside them.
#include "analyzer/history/report/phase_section.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/history/report/sections.h"

namespace fathom::history {
namespace {

using namespace report;

Cell bytes_of(double amount)
{
    return bytes(static_cast<std::uint64_t>(std::llround(std::max(amount, 0.0))));
}

double into_run(const RunPhase& phase, const KindRun& today)
{
    return static_cast<double>(phase.start - today.start) / 1e9;
}

Plot phase_plot(const PhaseStudy& study)
{
    Plot plot{.id = "phases",
              .title = "Phases by duration and volume",
              .x = {"duration", Measure::seconds},
              .y = {"volume", Measure::bytes},
              .remark = ""};
    constexpr std::size_t most_drawn = 2000;
    PlotSeries inside{"in a cluster", Mark::points, {}, {}, 0}, outside{"in none", Mark::points, {}, {}, 1},
        today{"this run", Mark::points, {}, {}, 2};
    std::size_t at = 0;
    const std::size_t stride = study.found.labels.size() / most_drawn + 1;
    for (const auto& phases : study.past)
        for (const RunPhase& phase : phases) {
            PlotSeries& series = study.found.labels[at] > 0 ? inside : outside;
            if (at++ % stride != 0) continue;
            series.x.push_back(phase.seconds);
            series.y.push_back(phase.bytes);
        }
    for (const RunPhase& phase : study.today) {
        today.x.push_back(phase.seconds);
        today.y.push_back(phase.bytes);
    }
    for (PlotSeries* const series : {&inside, &outside, &today})
        if (!series->x.empty()) plot.series.push_back(std::move(*series));
    return plot;
}

void add_odd(jobs::Database& database, const PhaseStudy& study, const KindRun& today, Blocks& blocks)
{
    DataTable table{.id = "odd_phases", .title = "Phases of this run in no cluster"};
    table.columns = {{"start", "s into the run", Measure::number},
                     {"duration", "duration", Measure::seconds},
                     {"volume", "volume", Measure::bytes},
                     {"distance", "distance", Measure::number}};
    for (const OddPhase& odd : study.odd)
        table.rows.push_back({with_decimals(number(into_run(odd.phase, today)), 1),
                              seconds(odd.phase.seconds), bytes_of(odd.phase.bytes),
                              with_decimals(number(odd.distance), 2)});
    table.remark = "distance: to the nearest cluster, in the medians of duration and volume.";
    blocks.push_back(std::move(table));
    DataTable beside{.id = "beside", .title = "Jobs beside these phases that may have disturbed them"};
    beside.columns = {
        {"phase", "s into the run", Measure::number},    {"job", "job", Measure::text},
        {"program", "program", Measure::text},           {"user", "user", Measure::text},
        {"metadata", "metadata/s", Measure::number},     {"rate", "rate", Measure::rate},
        {"operations", "operations/s", Measure::number}, {"why", "what is high", Measure::text}};
    constexpr std::size_t most_phases_looked_at = 4, most_jobs = 5;
    std::vector<OddPhase> furthest = study.odd;
    std::sort(furthest.begin(), furthest.end(),
              [](const OddPhase& a, const OddPhase& b) { return a.distance > b.distance; });
    furthest.resize(std::min(furthest.size(), most_phases_looked_at));
    for (const OddPhase& odd : furthest) {
        std::size_t jobs = 0;
        for (const Neighbour& one : neighbours_of(database, today, odd.phase)) {
            if (jobs++ == most_jobs) break;
            beside.rows.push_back({with_decimals(number(into_run(odd.phase, today)), 1),
                                   text(fmt::format("{}", one.id)), text(one.program), text(one.user),
                                   with_decimals(number(one.metadata_rate), 0), rate(one.rate),
                                   with_decimals(number(one.operations), 0), text(one.why)});
        }
    }
    const NeighbourLimits limits;
    if (beside.rows.empty())
        blocks.push_back(Paragraph{
            fmt::format("No job of the database ran beside these phases with more than {:.0f} metadata calls "
                        "a second, {} or "
                        "{} reads and writes a second, or on one file that all its processes share.",
                        limits.metadata_rate, format_rate(limits.rate),
                        format_count(static_cast<std::uint64_t>(limits.operations)))});
    else {
        beside.remark = "Means over the run of each; whether it used the same servers is not looked at here.";
        blocks.push_back(std::move(beside));
    }
}

}  // namespace

std::string anomaly_sentence(const PhaseStudy& study, const KindRun& today)
{
    const auto odd =
        std::max_element(study.odd.begin(), study.odd.end(),
                         [](const OddPhase& a, const OddPhase& b) { return a.distance < b.distance; });
    return fmt::format(
        "Job {} has a phase, {} into the run, that is like none of {}: {} and {} (chance {} "
        "without a cause).",
        today.id, format_seconds(into_run(odd->phase, today)),
        counted(study.past.size(), "other run", "other runs"), format_seconds(odd->phase.seconds),
        format(bytes_of(odd->phase.bytes)), chance_words(study.chance()));
}

Blocks phase_section(jobs::Database& database, const PhaseStudy& study, const KindRun& today)
{
    Blocks blocks;
    if (study.today.empty() || study.past.empty()) {
        blocks.push_back(
            Paragraph{study.today.empty()
                          ? "The database has no phases of this run: its log has no time bins (as one of "
                            "Darshan without HEATMAP or DXT), or it moved no data."
                          : "The database has phases of no other run of this kind: their logs have no "
                            "time bins."});
        return blocks;
    }
    blocks.push_back(phase_plot(study));
    DataTable table{.id = "clusters", .title = "Clusters of the phases of other runs"};
    table.columns = {{"phases", "phases", Measure::count},
                     {"runs", "in runs", Measure::count},
                     {"duration", "duration (median)", Measure::seconds},
                     {"volume", "volume (median)", Measure::bytes}};
    for (const PhaseCluster& cluster : study.clusters)
        table.rows.push_back(
            {count(cluster.phases), count(cluster.runs), seconds(cluster.seconds), bytes_of(cluster.bytes)});
    const auto outside = static_cast<std::size_t>(
        std::count(study.found.labels.begin(), study.found.labels.end(), std::size_t{0}));
    table.remark = fmt::format(
        "DBSCAN of {} of {}, each axis in its median ({}, {}); neighbours are within {:g}, and a cluster "
        "needs {}. {} in none.",
        counted(study.found.labels.size(), "phase", "phases"), counted(study.past.size(), "run", "runs"),
        format_seconds(study.seconds_scale), format(bytes_of(study.bytes_scale)), study.choice.reach,
        study.choice.min_points, counted(outside, "phase is", "phases are"));
    if (table.rows.empty())
        blocks.push_back(Paragraph{"Phases of other runs form no clusters: " + table.remark});
    else
        blocks.push_back(std::move(table));
    if (study.past.size() < fewest_to_judge) {
        blocks.push_back(
            Note{Weight::information,
                 fmt::format("Whether a phase of this run is odd cannot be told: {} with phases, "
                             "and it takes {}.",
                             counted(study.past.size(), "other run", "other runs"), fewest_to_judge)});
    } else if (study.clusters.empty()) {
        blocks.push_back(Paragraph{"Without clusters no phase can be outside of them."});
    } else if (study.odd.empty()) {
        blocks.push_back(Paragraph{"Every phase of this run is in one of them."});
    } else {
        blocks.push_back(Paragraph{fmt::format(
            "{} of this run {} in none; {} of {} have a phase as far from the clusters of the others.",
            counted(study.odd.size(), "phase", "phases"), study.odd.size() == 1 ? "is" : "are",
            format_count(study.as_odd), counted(study.past.size(), "other run", "other runs"))});
        add_odd(database, study, today, blocks);
    }
    blocks.push_back(
        Paragraph{"Source: Yang et al. 2019 (Beacon), section 4.2 and appendix B; Ester et al. 1996."});
    return blocks;
}

}  // namespace fathom::history
