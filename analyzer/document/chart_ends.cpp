// Cuts categories and values alike.
#include "analyzer/document/chart_ends.h"

#include <algorithm>

namespace fathom::report {

Chart without_empty_ends(const Chart& chart)
{
    Chart cut = chart;
    const auto empty = [&](std::size_t at) {
        return std::all_of(chart.series.begin(), chart.series.end(),
                           [&](const Series& one) { return !(one.values[at] > 0); });
    };
    std::size_t from = 0, to = chart.categories.size();
    while (from < to && empty(from)) ++from;
    while (to > from && empty(to - 1)) --to;
    if (from == to || chart.shape == Shape::stacked) return cut;
    const auto keep = [&](auto& values) {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(to), values.end());
        values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(from));
    };
    keep(cut.categories);
    for (Series& one : cut.series) keep(one.values);
    return cut;
}

}  // namespace fathom::report
