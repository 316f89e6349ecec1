// Sorts intervals by their start and adds up what each reaches beyond those before it.
#include "analyzer/methods/intervals.h"

#include <algorithm>

namespace fathom {

std::uint64_t union_length(std::vector<Interval> intervals)
{
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    std::uint64_t length = 0, reached = 0;
    for (const Interval& interval : intervals) {
        const std::uint64_t from = std::max(interval.start, reached);
        if (interval.end <= from) continue;
        length += interval.end - from;
        reached = interval.end;
    }
    return length;
}

}  // namespace fathom
