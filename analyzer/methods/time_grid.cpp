// Doubling keeps the alignment: every second boundary is one of the doubled length.
#include "analyzer/methods/time_grid.h"

#include <algorithm>

namespace fathom {

std::size_t TimeGrid::slice_of(std::uint64_t instant) const
{
    if (instant < start) return 0;
    return std::min(static_cast<std::size_t>((instant - start) / length), slices - 1);
}

TimeGrid grid_over(std::uint64_t start, std::uint64_t end, std::uint64_t length, std::size_t most_slices)
{
    length = std::clamp<std::uint64_t>(length, 1, std::uint64_t{1} << 62);
    end = std::max(start, end);
    // An end on a boundary has nothing in the slice that begins there.
    const auto last_slice = [&] { return (end > start ? end - 1 : end) / length; };
    while (last_slice() - start / length >= most_slices && length < std::uint64_t{1} << 62) length *= 2;
    return {start / length * length, length, static_cast<std::size_t>(last_slice() - start / length + 1)};
}

}  // namespace fathom
