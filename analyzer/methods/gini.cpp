// Sorts the amounts and weighs each by its place.
#include "analyzer/methods/gini.h"

#include <algorithm>

namespace fathom {

double gini_of(std::vector<std::uint64_t> amounts)
{
    std::sort(amounts.begin(), amounts.end());
    const auto n = static_cast<double>(amounts.size());
    double sum = 0, weighed = 0;
    for (std::size_t at = 0; at < amounts.size(); ++at) {
        const auto amount = static_cast<double>(amounts[at]);
        sum += amount;
        weighed += (2 * static_cast<double>(at + 1) - n - 1) * amount;
    }
    return sum > 0 ? weighed / (n * sum) : 0;
}

}  // namespace fathom
