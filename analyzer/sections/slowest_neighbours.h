// Bars for many: where there are more than a chart has room for, the slowest of each group of neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "analyzer/document/units.h"

namespace fathom {

// Numbers below `all`, ascending, at most `most` of them; `slowness(number)` compares.
template <class Slowness>
std::vector<std::size_t> slowest_neighbours(std::size_t all, std::size_t most, Slowness slowness)
{
    std::vector<std::size_t> shown;
    const std::size_t bars = std::min(all, most);
    for (std::size_t bar = 0; bar < bars; ++bar) {
        std::size_t slowest = bar * all / bars;
        for (std::size_t at = slowest + 1; at < (bar + 1) * all / bars; ++at)
            if (slowness(at) > slowness(slowest)) slowest = at;
        shown.push_back(slowest);
    }
    return shown;
}

// Empty where all are shown.
inline std::string neighbours_remark(std::size_t shown, std::size_t all)
{
    return shown == all ? std::string{}
                        : fmt::format("{} of {}: the slowest of every {} or so neighbours.",
                                      report::format_count(shown), report::format_count(all),
                                      report::format_count(all / shown));
}

}  // namespace fathom
