// The time that a set of intervals covers.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

struct Interval {
    std::uint64_t start = 0, end = 0;  // nanoseconds
};

// What they cover, in order of time, each apart from the next. Takes time n log n.
std::vector<Interval> united(std::vector<Interval> intervals);

// Length of the union, in nanoseconds: time in which at least one of them lasted. Takes time n log n.
std::uint64_t union_length(std::vector<Interval> intervals);

}  // namespace fathom
