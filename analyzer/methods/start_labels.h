// Where to cut the values of a sample so that each part may be a state: where their density is lowest.
//
// Source: METHODS section 7; Wan et al. (2017), section III.B.1 and figure 3, where two minima of the density
// of latencies separate three states. For other numbers of states, and samples whose density has not that
// many minima, the rules are ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/methods/density.h"

namespace fathom {

// How the cuts were found: at minima of the density, or, where it has too few of them, between the parts that
// leave the least sum of squares within them.
enum class SplitBasis : std::uint8_t { minima, least_squares };

struct StartSplits {
    std::vector<double> splits;  // states - 1, ascending
    SplitBasis basis = SplitBasis::minima;
    std::optional<Density> density;  // the one whose minima they are, or the smoothest that was looked at

    // The number of the part that a value is in; a split belongs to the one below it.
    std::size_t of(double value) const;
};

// The density of density.h, and as long as it has too few minima, with a bandwidth of 0.7 of the one before,
// down to a tenth of the first. Minima that are shallow go first where there are too many: those that differ
// least from the lower of the hills beside them. Nothing where there are fewer than `states` different
// samples, no states, or a sample that is not finite. Takes time n log n.
std::optional<StartSplits> start_splits(std::span<const double> samples, std::size_t states);

}  // namespace fathom
