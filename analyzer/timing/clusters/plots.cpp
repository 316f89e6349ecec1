// Areas below the density, and points over time, coloured alike.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/methods/scatter.h"
#include "analyzer/timing/clusters/class_section.h"

namespace fathom {
namespace {

using namespace report;

// Colours of clusters repeat; that of outliers is theirs alone.
constexpr std::size_t cluster_colours = 5, outlier_colour = 5;
constexpr std::size_t plot_columns = 160, plot_rows = 40;

std::size_t colour_of(std::size_t cluster, std::size_t clusters)
{
    return cluster == clusters ? outlier_colour : cluster % cluster_colours;
}

std::string name_of(std::size_t cluster, const Clusters& found)
{
    if (cluster == found.peaks.size()) return "outliers";
    return fmt::format("cluster {}, about {}", cluster + 1,
                       format_seconds(std::pow(10, found.peaks[cluster])));
}

// A series for each cluster and one for the outliers.
std::vector<PlotSeries> series_of(const Clusters& found, Mark mark)
{
    const std::size_t clusters = found.peaks.size();
    std::vector<PlotSeries> all;
    for (std::size_t one = 0; one <= clusters; ++one)
        all.push_back({.name = name_of(one, found),
                       .mark = mark,
                       .x = {},
                       .y = {},
                       .colour = colour_of(one, clusters)});
    return all;
}

void drop_empty(std::vector<PlotSeries>& series)
{
    std::erase_if(series, [](const PlotSeries& one) { return one.x.empty(); });
}

}  // namespace

Plot density_plot(const AnalysedClass& of, std::size_t number)
{
    const Clusters& found = of.clusters.groups.found;
    const Density& density = found.density;
    Plot plot{.id = fmt::format("density_{}", number), .title = "How many took how long"};
    plot.x = {"duration", Measure::seconds, Scale::logarithmic};
    plot.y = {"share of the operations per power of ten", Measure::number, Scale::linear};
    plot.series = series_of(found, Mark::area);
    std::size_t before = 0;
    for (std::size_t at = 0; at < density.at.size(); ++at) {
        const std::size_t cluster = found.of(density.at[at]);
        const double x = std::pow(10, density.at[at]), y = density.is[at];
        // Areas meet at the split.
        if (at > 0 && cluster != before) {
            plot.series[before].x.push_back(x);
            plot.series[before].y.push_back(y);
        }
        plot.series[cluster].x.push_back(x);
        plot.series[cluster].y.push_back(y);
        before = cluster;
    }
    if (of.clusters.groups.outliers.operations == 0) plot.series.back().name = {};
    drop_empty(plot.series);
    for (const double split : found.splits) plot.marks.push_back({"split", std::pow(10, split)});
    if (std::isfinite(found.cutoff)) plot.marks.push_back({"cutoff", std::pow(10, found.cutoff)});
    plot.remark = fmt::format(
        "Each operation counts as a bell curve {:.3g} powers of ten wide (standard "
        "deviation); what lies beyond the cutoff are outliers.",
        density.bandwidth);
    return plot;
}

Plot timeline_plot(const AnalysedClass& of, const TimedOperations& source, std::size_t number)
{
    const TimedClass& one = *of.operations;
    const Clusters& found = of.clusters.groups.found;
    Plot plot{.id = fmt::format("timeline_{}", number), .title = "When they were"};
    const bool of_log = source.source != TimedSource::csv;
    plot.x = {of_log ? "time since the job's start" : "time since the first operation", Measure::seconds,
              Scale::linear};
    plot.y = {"duration", Measure::seconds, Scale::logarithmic};
    plot.series = series_of(found, Mark::points);
    std::vector<double> logs;
    logs.reserve(one.durations.size());
    for (const double duration : one.durations) logs.push_back(log_of_duration(duration));
    const std::vector<std::size_t> drawn = spread_out(one.starts, logs, plot_columns, plot_rows);
    for (const std::size_t at : drawn) {
        PlotSeries& series = plot.series[found.of(logs[at])];
        series.x.push_back(one.starts[at]);
        series.y.push_back(std::pow(10, logs[at]));
    }
    drop_empty(plot.series);
    if (drawn.size() < one.operations)
        plot.remark =
            fmt::format("{} of {} operations are drawn: where several lie at one place, one of them.",
                        format_count(drawn.size()), format_count(one.operations));
    return plot;
}

}  // namespace fathom
