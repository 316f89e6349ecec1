// What a report on devices and servers may be asked for.
#pragma once

#include <optional>

#include "logformat/series/table.h"

namespace fathom::series {

struct Choice {
    // Of the load over time; without: a minute, as Carns et al. have it, or a part of one where the series
    // are shorter than an hour.
    std::optional<Nanoseconds> bin;
    double low = 0.33;   // of the peak: Carns et al., section 4, figure 7
    double idle = 0.05;  // of the peak: Carns et al., table III
    // Yang et al. (NSDI 2019), section 4.2: a server whose highest rate stays below that share of its peak
    // for at least so long.
    double lag_below = 0.3;
    Nanoseconds lag_for = 3600 * one_second;
    std::optional<double> server_peak;  // bytes/s that a server is known to reach; else the highest rate seen
};

}  // namespace fathom::series
