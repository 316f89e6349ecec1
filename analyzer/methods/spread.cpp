// One pass over the values.
#include "analyzer/methods/spread.h"

namespace fathom {

Spread spread_of(std::span<const std::uint64_t> values)
{
    Spread spread;
    if (values.empty()) return spread;
    spread.largest = spread.smallest = values[0];
    double sum = 0;
    for (std::size_t at = 0; at < values.size(); ++at) {
        sum += static_cast<double>(values[at]);
        if (values[at] < spread.smallest) spread.smallest = values[at];
        if (values[at] <= spread.largest) continue;
        spread.largest = values[at];
        spread.where = at;
    }
    spread.mean = sum / static_cast<double>(values.size());
    return spread;
}

}  // namespace fathom
