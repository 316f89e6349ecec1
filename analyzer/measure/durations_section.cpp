// Mean durations over sizes.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "analyzer/measure/summary.h"

namespace fathom::measure {
namespace {

using namespace report;

constexpr std::array layouts_in_memory = {Layout::off0, Layout::rnd};

PlotSeries series_of(const std::map<std::uint64_t, Durations>& by_size, State state, Layout memory)
{
    PlotSeries series{.name = fmt::format("{}, memory {}", name_of(state), name_of(memory)),
                      .mark = memory == Layout::off0 ? Mark::line : Mark::points,
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
    for (std::size_t state = 0; state < state_names.size(); ++state) {
        // Groups ascend: the first that fits has the fewest threads, and of its rows the first the least
        // layout.
        const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& one) {
            return std::get<0>(one.first) == static_cast<State>(state) && std::get<1>(one.first) == operation;
        });
        if (group == groups_.end()) continue;
        for (const Layout memory : layouts_in_memory) {
            const auto row = group->second.lower_bound({memory, Layout::off0});
            if (row == group->second.end() || std::get<0>(row->first) != memory) continue;
            plot.series.push_back(series_of(row->second, static_cast<State>(state), memory));
        }
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
