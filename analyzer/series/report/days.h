// What a pool moved on each day, UTC.
#pragma once

#include <vector>

#include "analyzer/series/report/load.h"

namespace fathom::series {

struct Day {
    Nanoseconds begin = 0;
    double bytes_read = 0, bytes_written = 0;
    double known = 0;  // share of the day whose bins are known
};

struct Days {
    std::vector<Day> days;  // one after the other, from the first sample to the last
    double undated = 0;     // bytes of gaps that lie in several days
};

// A gap that lies in one day counts there.
Days days_of(const Pools& pools, const Pool& pool, const Load& load);

}  // namespace fathom::series
