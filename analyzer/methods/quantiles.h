// Quantiles of durations of which a histogram and the longest are known.
//
// Definition: the p-quantile of n durations is the ceil(p n)-th shortest, at least the first (the inverse of
// the empirical distribution: type 1 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
// The middle of its bin stands for it, and where it is the n-th, the longest itself; none is above the
// longest.
//
// Error: half the width of the bin, at most 1.6 % of the duration for the bins of a log. A process counts
// ticks of its clock, and the counts of a bin of ticks go into the bin of nanoseconds that holds its middle:
// at most 3.2 % in all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fathom {

// Durations d with at_least <= d < below, in nanoseconds, and how many there are.
struct HistogramBin {
    std::uint64_t at_least = 0, below = 0, operations = 0;
};

// The duration that stands for all of a bin.
std::uint64_t middle_of(const HistogramBin& bin);

// In nanoseconds. `bins` ascend; p is `per_mille` / 1000, from 0 to 1. Nothing where the bins are empty.
std::optional<std::uint64_t> quantile(std::span<const HistogramBin> bins, std::uint64_t longest,
                                      unsigned per_mille);

}  // namespace fathom
