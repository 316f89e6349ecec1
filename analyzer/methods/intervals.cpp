// Sorts intervals by their start and joins each to the one before it where they touch.
#include "analyzer/methods/intervals.h"

#include <algorithm>

namespace fathom {

std::vector<Interval> united(std::vector<Interval> intervals)
{
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    std::vector<Interval> apart;
    for (const Interval& interval : intervals) {
        if (interval.end <= interval.start) continue;
        if (apart.empty() || interval.start > apart.back().end)
            apart.push_back(interval);
        else
            apart.back().end = std::max(apart.back().end, interval.end);
    }
    return apart;
}

std::uint64_t union_length(std::vector<Interval> intervals)
{
    std::uint64_t length = 0;
    for (const Interval& one : united(std::move(intervals))) length += one.end - one.start;
    return length;
}

}  // namespace fathom
