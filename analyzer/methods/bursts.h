// The bursts of a series of amounts, slice by slice: stretches in which it is well above what it is between
// them. Of a job's bytes over time they are its I/O phases.
//
// Source: METHODS section 8; Yang et al., "End-to-end I/O Monitoring on a Leading Supercomputer" (NSDI 2019),
// section 4.2 and appendix B.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace fathom {

struct Stretch {
    std::size_t from = 0, to = 0;  // slices; to: the first behind it

    std::size_t length() const { return to - from; }
    bool operator==(const Stretch&) const = default;
};

// In ascending order. The series is freed of noise (wavelet.h); stretches above a threshold count where they
// are less than two slices apart as one, and end with the first and last slice that is above it as it was.
//
// The threshold lies 5 % of the way from the idle rate (a tenth of the slices have less) to the typical rate
// (half of the amount was moved in slices with less). Where the idle rate is more than half of the typical
// one there is no contrast: then what is above 5 % of the typical rate counts, mostly one stretch. None where
// no amount is above 0. What is negative or not finite counts as 0. Takes time n log n.
std::vector<Stretch> bursts_of(std::span<const double> amounts);

// How regularly bursts that resemble each other come.
struct Period {
    std::size_t bursts = 0;                // those that resemble each other
    double median = 0, low = 0, high = 0;  // of the distances of their starts: median and quartiles
};

// Bursts of at least half and at most twice the median amount resemble each other. Nothing of fewer than
// three of them, where they are not the most, or where the quartiles lie further apart than half of the
// median: then there is no period. `starts` ascend, an amount each.
std::optional<Period> period_of(std::span<const double> starts, std::span<const double> amounts);

}  // namespace fathom
