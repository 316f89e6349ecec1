// Reads the clock many times, with nothing in between.
#include "analyzer/timing/measure/clock.h"

#include <algorithm>
#include <vector>

namespace fathom::measure {

ClockCost clock_cost()
{
    constexpr std::size_t readings = 20'000;
    std::vector<std::uint64_t> apart(readings);
    for (std::uint64_t& one : apart) {
        const std::uint64_t before = now();
        one = now() - before;
    }
    std::sort(apart.begin(), apart.end());
    return {apart[readings / 2], apart[readings * 99 / 100]};
}

}  // namespace fathom::measure
