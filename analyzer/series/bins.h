// Series on a grid of wall-clock time bins: what was moved in each, and of how much of it anything is known.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logformat/series/table.h"

namespace fathom::series {

// Bins of one length, the first from `begin`; of jobs and monitors they begin at multiples of their length.
struct Grid {
    Nanoseconds begin = 0, length = one_second;
    std::size_t count = 0;

    Nanoseconds end() const { return begin + static_cast<Nanoseconds>(count) * length; }
    Nanoseconds begin_of(std::size_t bin) const { return begin + static_cast<Nanoseconds>(bin) * length; }
};

// The smallest grid that covers a window, with bins that begin at multiples of their length.
Grid grid_over(const Window& window, Nanoseconds length);

// Of one bin. Nothing is known of it where `covered` is 0.
struct Bin {
    double amount = 0;   // in the quantity's unit
    double covered = 0;  // seconds of the bin that samples cover
    double rate() const { return covered > 0 ? amount / covered : 0; }
};

// A sample this much longer than usual is a gap: its amount is known, when within it is not.
inline constexpr double gap_factor = 1.5;
// One no longer than `tolerated` is none.
bool is_gap(const Series& series, const Sample& sample, Nanoseconds tolerated = 0);

// Adds an amount's samples to the bins; one that lies in several is shared out by time. Gaps are left out.
void add_to_bins(const Series& series, const Grid& grid, std::span<Bin> bins, Nanoseconds tolerated = 0);

// Series of one amount added up. A bin is covered for as long as the
// least covered of them is: the sum of servers of which one is missing is no sum. One counts from its first
// sample to its last.
std::vector<Bin> sum_in_bins(std::span<const Series* const> all, const Grid& grid, Nanoseconds tolerated = 0);

// Of a level: its mean in each bin over the time that samples cover; an instant stands for the time up to it
// since the one before. `covered` as above, `amount` the mean times that.
void add_level_to_bins(const Series& series, const Grid& grid, std::span<Bin> bins);

}  // namespace fathom::series
