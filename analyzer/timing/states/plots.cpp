// Latencies over time and by their density, coloured by state, and quantiles beside quantiles.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "analyzer/methods/scatter.h"
#include "analyzer/timing/states/blocks.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t colours = 4;
constexpr std::size_t points_of_curve = 121;
constexpr double deviations_of_curve = 4;
constexpr double decade = std::numbers::ln10;

// What is drawn of many points.
PlotSeries thinned(std::string name, const std::vector<double>& x, const std::vector<double>& y,
                   std::size_t colour)
{
    std::vector<double> logs;
    for (const double one : y) logs.push_back(std::log(one));
    PlotSeries series{.name = std::move(name), .mark = Mark::points, .x = {}, .y = {}, .colour = colour};
    for (const std::size_t at : spread_out(x, logs)) {
        series.x.push_back(x[at]);
        series.y.push_back(y[at]);
    }
    return series;
}

// Where both quantiles are equal.
PlotSeries diagonal(double from, double to)
{
    return {.name = "equal", .mark = Mark::line, .x = {from, to}, .y = {from, to}, .colour = 5};
}

PlotSeries points_of(std::string name, const std::vector<QuantilePair>& pairs, std::size_t colour)
{
    PlotSeries series{.name = std::move(name), .mark = Mark::points, .x = {}, .y = {}, .colour = colour};
    for (const QuantilePair& pair : pairs) {
        series.x.push_back(pair.of_first);
        series.y.push_back(pair.of_second);
    }
    return series;
}

}  // namespace

Plot timeline_plot(const StatesResult& result)
{
    Plot plot{.id = "timeline",
              .title = "Latency over time, by state",
              .x = {"since the first sample", Measure::seconds},
              .y = {"latency", Measure::seconds, Scale::logarithmic},
              .series = {},
              .marks = {},
              .remark = "The colour is the state on the likeliest path."};
    const std::size_t states = result.fit.model.states();
    for (std::size_t state = 0; state < states; ++state) {
        std::vector<double> x, y;
        for (std::size_t at = 0; at < result.path.size(); ++at) {
            if (result.path[at] != state) continue;
            x.push_back(result.times[at] - result.times[0]);
            y.push_back(result.latencies[at]);
        }
        if (!x.empty()) plot.series.push_back(thinned(name_of_state(state, states), x, y, state % colours));
    }
    return plot;
}

Plot density_plot(const StatesResult& result)
{
    Plot plot{.id = "density",
              .title = "Density of the latencies",
              .x = {"latency", Measure::seconds, Scale::logarithmic},
              .y = {"share per factor of ten", Measure::number},
              .series = {},
              .marks = {},
              .remark = ""};
    const Density& density = *result.cuts.density;
    PlotSeries measured{.name = "measured", .mark = Mark::area, .x = {}, .y = {}, .colour = 3};
    for (std::size_t at = 0; at < density.at.size(); ++at) {
        measured.x.push_back(std::exp(density.at[at]));
        measured.y.push_back(density.is[at] * decade);
    }
    plot.series.push_back(std::move(measured));

    const HiddenMarkovModel& model = result.fit.model;
    const std::size_t states = model.states();
    for (std::size_t state = 0; state < states; ++state) {
        const auto samples = std::count(result.path.begin(), result.path.end(), state);
        const double part = static_cast<double>(samples) / static_cast<double>(result.path.size());
        PlotSeries curve{.name = name_of_state(state, states),
                         .mark = Mark::line,
                         .x = {},
                         .y = {},
                         .colour = state % colours};
        for (std::size_t point = 0; point < points_of_curve; ++point) {
            const double place = 2 * static_cast<double>(point) / (points_of_curve - 1) - 1;
            const double at = model.mu[state] + place * deviations_of_curve * model.sigma[state];
            curve.x.push_back(std::exp(at));
            curve.y.push_back(part * std::exp(model.log_density(state, at)) * decade);
        }
        plot.series.push_back(std::move(curve));
    }
    for (const double split : result.cuts.splits) plot.marks.push_back({"start", std::exp(split)});
    plot.remark = result.cuts.basis == SplitBasis::minima
                      ? "Lines across: the minima of the density that the search for the model started from. "
                        "The area is "
                        "smoothed, so that narrow states look wider in it than their curves."
                      : "Lines across: the cuts that the search for the model started from; the density has "
                        "too few minima, "
                        "so that they are those that leave the least sum of squares.";
    return plot;
}

std::vector<Plot> waiting_plots(const StatesResult& result)
{
    std::vector<Plot> plots;
    const std::size_t states = result.fit.model.states();
    for (std::size_t state = 0; state < states; ++state) {
        const StateStays& one = result.stays[state];
        if (one.fits.empty()) continue;
        const std::string name = name_of_state(state, states);
        Plot plot{.id = fmt::format("waiting_{}", state + 1),
                  .title = fmt::format("Quantiles of how long it was {}", name),
                  .x = {"by the distribution", Measure::seconds},
                  .y = {"measured", Measure::seconds},
                  .series = {},
                  .marks = {},
                  .remark = ""};
        double longest = 0;
        for (std::size_t at = 0; at < one.fits.size(); ++at) {
            const Distribution& found = one.fits[at].distribution;
            const auto pairs = quantile_pairs([&](double p) { return found.quantile(p); }, one.stays.whole);
            for (const QuantilePair& pair : pairs)
                longest = std::max({longest, pair.of_first, pair.of_second});
            plot.series.push_back(points_of(std::string(name_of(found.family)), pairs, at));
        }
        // Below the points, which it would hide.
        plot.series.insert(plot.series.begin(), diagonal(0, longest));
        plot.remark = "Points on the line: the stays are as the distribution says.";
        plots.push_back(std::move(plot));
    }
    return plots;
}

Plot held_out_plot(const HeldOut& held_out)
{
    Plot plot{.id = "held_out_quantiles",
              .title = "Quantiles of latencies, simulated and measured later",
              .x = {"simulated", Measure::seconds, Scale::logarithmic},
              .y = {"measured", Measure::seconds, Scale::logarithmic},
              .series = {points_of("latencies", held_out.quantiles, 0)},
              .marks = {},
              .remark = "Points on the line: the model says how often each latency comes."};
    if (held_out.quantiles.empty()) return plot;
    const QuantilePair &first = held_out.quantiles.front(), &last = held_out.quantiles.back();
    plot.series.push_back(
        diagonal(std::min(first.of_first, first.of_second), std::max(last.of_first, last.of_second)));
    return plot;
}

}  // namespace fathom
