// What the classes of access sizes tell of bytes, where only the number of accesses in each is known.
#pragma once

#include <algorithm>
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

// Of so many bytes in all, those in requests over 1 MiB: what the smaller ones leave, within what is
// possible.
inline double bytes_of_large(const SizeHistogram& sizes, std::uint64_t bytes)
{
    double small = 0, least = 0;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        const auto count = static_cast<double>(sizes.count[at]);
        if (at < first_large_class)
            small += count * size_of_class(at);
        else
            least += count * static_cast<double>(SizeHistogram::upper_bounds[at - 1]);
    }
    return least > 0 ? std::max(static_cast<double>(bytes) - small, least) : 0;
}

}  // namespace fathom
