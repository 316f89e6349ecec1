// Mean durations over sizes.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/timing/measure/summary.h"

namespace fathom::measure {
namespace {

using namespace report;

PlotSeries series_of(const std::map<std::uint64_t, Durations>& by_size, State state, Layout memory, Mark mark)
{
    PlotSeries series{.name = fmt::format("{}, memory {}", name_of(state), name_of(memory)),
                      .mark = mark,
                      .colour = static_cast<std::size_t>(state)};
    for (const auto& [size, durations] : by_size) {
        series.x.push_back(static_cast<double>(size));
        series.y.push_back(durations.throughput(size).mean_purged);
    }
    return series;
}

}  // namespace

Plot Summary::plot_of(Operation operation) const
{
    Plot plot{.id = fmt::format("durations_{}", name_of(operation)),
              .title = fmt::format("Mean duration of {}s, without outliers", name_of(operation)),
              .x = {"size", Measure::bytes, Scale::logarithmic},
              .y = {"duration", Measure::seconds, Scale::logarithmic}};
    for (std::size_t at = 0; at < state_names.size(); ++at) {
        const auto state = static_cast<State>(at);
        // Groups ascend: the first that fits has the fewest threads, and of its rows the first the least
        // layouts.
        const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& one) {
            return std::get<0>(one.first) == state && std::get<1>(one.first) == operation;
        });
        if (group == groups_.end()) continue;
        const auto first = group->second.begin(),
                   random = group->second.lower_bound({Layout::rnd, Layout::off0});
        const Layout least = std::get<0>(first->first);
        plot.series.push_back(series_of(first->second, state, least, Mark::line));
        if (least == Layout::rnd || random == group->second.end() ||
            std::get<0>(random->first) != Layout::rnd)
            continue;
        plot.series.push_back(series_of(random->second, state, Layout::rnd, Mark::points));
        plot.remark = fmt::format("Lines: memory {}; points: anywhere in the buffer (rnd).", name_of(least));
    }
    return plot;
}

Section Summary::durations_section() const
{
    Section section{"durations", "Durations by size", {}};
    for (const Operation operation : {Operation::read, Operation::write})
        if (Plot plot = plot_of(operation); !plot.series.empty()) section.blocks.push_back(std::move(plot));
    return section;
}

}  // namespace fathom::measure
