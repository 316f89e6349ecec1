// How far an amount is concentrated in few of the slices that it is spread over.
#pragma once

#include <cstddef>
#include <span>

namespace fathom {

struct Concentration {
    double sum = 0;
    std::size_t largest = 0;  // index of the slice with most; the first of several
    std::size_t half = 0;     // fewest slices that hold half of the sum; 0 where the sum is
};

// Amounts are 0 or more. Takes time n log n.
Concentration concentration_of(std::span<const double> amounts);

}  // namespace fathom
