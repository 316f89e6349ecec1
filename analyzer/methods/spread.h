// Largest, smallest and mean of a value over the ranks of a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

struct Spread {
    std::uint64_t largest = 0, smallest = 0;
    std::size_t where = 0;  // index of the largest
    double mean = 0;
};

// All zero for no values.
Spread spread_of(std::span<const std::uint64_t> values);

}  // namespace fathom
