// Slices of time in bounded memory and time: where there would be too many, or adding to them would take too
// long, their length doubles.
#pragma once

#include <cstdint>
#include <vector>

#include "logformat/timing_rows.h"

namespace fathom {

// Which sums of a slice an operation counts in.
enum class SliceSums : std::uint8_t { reads, writes, metadata };
SliceSums sums_of(Kind kind);

class SliceTable {
  public:
    // At most about twice `most` rows are kept at any time, at most `most` are in the end.
    explicit SliceTable(std::size_t most) : most_(most) {}

    // Whose slices, and which of their sums.
    struct Target {
        std::int64_t process = 0;
        std::uint64_t layer = 0, streams = 0;
        SliceSums sums = SliceSums::reads;
    };
    // An operation: counts where it began, its bytes and time are shared out. end >= start.
    void add_operation(const Target& target, std::uint64_t start, std::uint64_t end, std::uint64_t bytes);
    // Bytes that went at an even pace.
    void add_bytes(const Target& target, std::uint64_t start, std::uint64_t end, std::uint64_t bytes);
    // Slices will be no shorter than this.
    void at_least(std::uint64_t length);

    // Sorted, of one length, no two alike.
    std::vector<Slice> take_rows();

  private:
    void spread(const Target& target, std::uint64_t start, std::uint64_t end, std::uint64_t bytes,
                bool operation);
    void coarsen_rows();
    bool is_of(const Slice& row, const Target& target) const;
    Slice& row_of(const Target& target, std::uint64_t start);

    std::size_t most_;
    std::uint64_t length_ = shortest_slice_ns;
    std::vector<Slice> rows_;
    std::uint64_t additions_ = 0, steps_ = 0;
};

}  // namespace fathom
