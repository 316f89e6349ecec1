// Marks the cells of a grid as points fall into them.
#include "analyzer/methods/scatter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom {
namespace {

struct Extent {
    double from = std::numeric_limits<double>::infinity(), to = -std::numeric_limits<double>::infinity();

    void take(double value)
    {
        from = std::min(from, value);
        to = std::max(to, value);
    }
    std::size_t cell(double value, std::size_t cells) const
    {
        if (!(to > from)) return 0;
        const double place = (value - from) / (to - from) * static_cast<double>(cells);
        return std::min(static_cast<std::size_t>(std::max(place, 0.0)), cells - 1);
    }
};

}  // namespace

std::vector<std::size_t> spread_out(std::span<const double> x, std::span<const double> y, std::size_t columns,
                                    std::size_t rows)
{
    std::vector<std::size_t> chosen;
    Extent across, up;
    for (std::size_t at = 0; at < x.size(); ++at) {
        if (!std::isfinite(x[at]) || !std::isfinite(y[at])) continue;
        across.take(x[at]);
        up.take(y[at]);
        chosen.push_back(at);
    }
    if (chosen.size() <= columns * rows / 8) return chosen;
    std::vector<bool> taken(columns * rows);
    std::erase_if(chosen, [&](std::size_t at) {
        auto cell = taken[up.cell(y[at], rows) * columns + across.cell(x[at], columns)];
        const bool again = cell;
        cell = true;
        return again;
    });
    return chosen;
}

}  // namespace fathom
