// The five numbers of a box plot.
//
// Definition: the p-quantile of n values x(1) <= ... <= x(n) lies at h = (n - 1) p + 1, between its
// neighbours in proportion: x(floor h) + (h - floor h) (x(floor h + 1) - x(floor h)). It is type 7 of Hyndman
// and Fan, "Sample Quantiles in Statistical Packages" (1996), and what R's quantile() gives.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace fathom {

struct FiveNumbers {
    std::size_t values = 0;
    double least = 0, q1 = 0, median = 0, q3 = 0, most = 0;

    double spread() const { return q3 - q1; }  // interquartile range
};

// What is not finite is passed over; nothing where nothing is left.
std::optional<FiveNumbers> five_numbers_of(std::vector<double> values);

}  // namespace fathom
