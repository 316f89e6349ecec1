// The Gini coefficient: how unevenly an amount is spread over the ranks of a job.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

// 0 where all have as much, (n - 1) / n where one of n has all. 0 too where there is nothing to spread.
// Definition: sum over all pairs of |a - b|, divided by 2 n times the sum (Gini 1912), which for ascending
// amounts a_1 ... a_n is  sum (2 i - n - 1) a_i / (n sum a_i). Takes time n log n.
double gini_of(std::vector<std::uint64_t> amounts);

}  // namespace fathom
