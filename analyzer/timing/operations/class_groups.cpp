// Chooses between the two.
#include "analyzer/timing/operations/class_groups.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

std::uint64_t nanoseconds_of(double seconds)
{
    return static_cast<std::uint64_t>(std::clamp(std::round(seconds * 1e9), 0.0, 1.8e19));
}

}  // namespace

std::optional<DurationGroups> groups_of(const TimedClass& one, double resolution)
{
    if (one.each) return groups_of(one.durations, resolution);
    return groups_of(one.bins, nanoseconds_of(one.time), nanoseconds_of(one.longest));
}

}  // namespace fathom
