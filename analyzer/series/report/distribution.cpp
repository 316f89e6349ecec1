// Figure 7: how often which rate is reached.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_points = 400;

std::vector<double> ascending_rates(const Load& load)
{
    std::vector<double> rates;
    for (const double rate : load.both)
        if (std::isfinite(rate)) rates.push_back(rate);
    std::ranges::sort(rates);
    return rates;
}

PlotSeries steps_of(const std::vector<double>& rates, double peak)
{
    PlotSeries series{.mark = Mark::steps};
    if (!rates.empty() && rates.front() > 0) {
        series.x.push_back(0);
        series.y.push_back(0);
    }
    const auto count = static_cast<double>(rates.size());
    const std::size_t step = std::max<std::size_t>(rates.size() / most_points, 1);
    for (std::size_t at = 0, up_to = 0; up_to < rates.size(); at = std::max(at + step, up_to)) {
        at = std::min(at, rates.size() - 1);
        // All that are equal count.
        up_to = static_cast<std::size_t>(std::ranges::upper_bound(rates, rates[at]) - rates.begin());
        series.x.push_back(rates[at] / peak);
        series.y.push_back(static_cast<double>(up_to) / count);
    }
    return series;
}

}  // namespace

Blocks distribution_blocks(const Facts& facts)
{
    Plot plot{.id = "distribution_plot",
              .title = "Share of time at a rate or below, by share of the peak",
              .x = {"rate, of the peak", Measure::share},
              .y = {"share of time", Measure::share},
              .marks = {{"low up to", facts.choice.low}}};
    DataTable table{.id = "distribution", .title = "Read and written together"};
    table.columns = {
        {"name", "of", Measure::text},   {"bins", "bins", Measure::count},
        {"mean", "mean", Measure::rate}, {"p50", "median", Measure::rate},
        {"p90", "90 %", Measure::rate},  {"p99", "99 %", Measure::rate},
        {"peak", "peak", Measure::rate}, {"low", "below " + percent_words(facts.choice.low), Measure::share}};
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        const std::vector<double> rates = ascending_rates(part.load);
        if (!(part.load.peak > 0)) continue;
        PlotSeries series = steps_of(rates, part.load.peak);
        series.name = name_of(*part.pool);
        series.colour = at;
        plot.series.push_back(std::move(series));
        table.rows.push_back({text(name_of(*part.pool)), count(rates.size()), rate_cell(part.load.mean),
                              rate_cell(quantile_of(rates, 0.5)), rate_cell(quantile_of(rates, 0.9)),
                              rate_cell(quantile_of(rates, 0.99)), rate_cell(part.load.peak),
                              share(part.of_known(part.low))});
    }
    Blocks blocks;
    if (table.rows.empty()) return blocks;
    table.remark = "90 %: the rate that the bins do not exceed for 90 % of the time.";
    blocks.push_back(std::move(plot));
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::series
