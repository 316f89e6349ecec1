// How long operations of one kind and size take at most, those aside that take far longer than all others.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), sections
// 4.1 and 6: the cutoff of the density of the logarithms of durations; see density.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fathom {

struct OutlierLimit {
    double seconds = 0;  // what takes longer is an outlier
    double median = 0;   // of all, outliers included
    std::uint64_t operations = 0, outliers = 0;
};

// Durations are seconds, in any order, and `shortest` is the clock's resolution: one of 0 or more below it
// counts as that. Durations that are all the same have their own as limit: a density has no width there.
// Nothing where there are none, or one is not a number of 0 or more. Takes time n log n.
std::optional<OutlierLimit> outlier_limit(std::span<const float> seconds, double shortest = 1e-9);

}  // namespace fathom
