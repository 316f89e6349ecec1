// Fewer and longer slices that say the same in sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "logformat/timing_rows.h"

namespace fathom {

// A log has at most so many slices, or so many of each process where there are very many of those.
inline constexpr std::size_t most_slice_rows = std::size_t{1} << 20, least_slice_rows = 32;
constexpr std::size_t slice_rows_of_each(std::size_t processes)
{
    const std::size_t share = most_slice_rows / (processes == 0 ? 1 : processes);
    return share < least_slice_rows ? least_slice_rows : share;
}

// Brings slices to the length of the longest of them, and doubles it while there are more than `most` and it
// is no more than 68 years; slices of one process, layer and streams that then coincide become one. In place:
// returns how many are left, sorted by process, layer, streams and start.
std::size_t coarsen(std::span<Slice> slices, std::size_t most);

}  // namespace fathom
