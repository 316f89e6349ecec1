// Sorts, and looks between two neighbours.
#include "analyzer/methods/quartiles.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

double between(const std::vector<double>& sorted, double part)
{
    const double place = static_cast<double>(sorted.size() - 1) * part;
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 >= sorted.size()) return sorted.back();
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace

std::optional<FiveNumbers> five_numbers_of(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    return FiveNumbers{values.size(),        values.front(),        between(values, 0.25),
                       between(values, 0.5), between(values, 0.75), values.back()};
}

}  // namespace fathom
