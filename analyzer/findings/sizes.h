// What the classes of access sizes say of bytes, where only the number of accesses in each is known.
#pragma once

#include <cmath>

#include "logformat/values.h"

namespace fathom {

inline constexpr std::size_t small_classes = SizeHistogram::class_of(100 << 10) + 1;      // up to 100 KiB
inline constexpr std::size_t first_large_class = SizeHistogram::class_of((1 << 20) + 1);  // over 1 MiB

// The size that stands for a class: the geometric mean of its bounds.
inline double size_of_class(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    const double lower = at == 0 ? 16 : static_cast<double>(bounds[at - 1]),
                 upper = at < bounds.size() ? static_cast<double>(bounds[at]) : 2 * lower;
    return std::sqrt(lower * upper);
}

}  // namespace fathom
