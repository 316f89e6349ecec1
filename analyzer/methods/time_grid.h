// Slices of one length that cover a stretch of time and are aligned to the wall clock: slice k covers
// [k length, (k + 1) length) of UNIX time, so that slices of different processes, nodes and jobs coincide.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom {

struct TimeGrid {
    std::uint64_t start = 0;   // ns of UNIX time, a multiple of length
    std::uint64_t length = 1;  // ns
    std::size_t slices = 0;

    // Of an instant before the grid the first, of one behind it the last. The grid has slices.
    std::size_t slice_of(std::uint64_t instant) const;
};

// Covers [start, end] (at least one slice) with slices of `length` nanoseconds, doubled until there are no
// more than `most_slices`, which is at least 2: where the stretch is short and crosses a boundary, one slice
// never covers it.
TimeGrid grid_over(std::uint64_t start, std::uint64_t end, std::uint64_t length, std::size_t most_slices);

}  // namespace fathom
