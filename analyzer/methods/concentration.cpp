// Takes slices from the largest down until half is together.
#include "analyzer/methods/concentration.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace fathom {

Concentration concentration_of(std::span<const double> amounts)
{
    Concentration found;
    found.sum = std::accumulate(amounts.begin(), amounts.end(), 0.0);
    if (!(found.sum > 0)) return found;
    found.largest =
        static_cast<std::size_t>(std::max_element(amounts.begin(), amounts.end()) - amounts.begin());
    std::vector<double> sorted(amounts.begin(), amounts.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    for (double together = 0; together < found.sum / 2 && found.half < sorted.size(); ++found.half)
        together += sorted[found.half];
    return found;
}

}  // namespace fathom
