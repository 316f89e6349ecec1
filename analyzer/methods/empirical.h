// Samples as a distribution of their own: how far it is from another, and points of a Q-Q plot.
//
// Source: METHODS section 7; Wan et al. (2017), sections III.B.2 and V.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fathom {

// Kolmogorov and Smirnov's distance: the greatest difference of the share of samples at most x, and of what
// `share` says, a distribution without steps. From 0 to 1; not a number where there are no samples, or where
// one of them is not a number. Takes time n log n.
double distance_from(std::span<const double> samples, const std::function<double(double)>& share);

// The same of two sets of samples.
double distance_between(std::span<const double> some, std::span<const double> others);

struct QuantilePair {
    double of_first = 0, of_second = 0;
};

// The quantiles of samples (second) beside those of a distribution (first): at the shares (i + 1/2) / n of
// each sample, or of at most `most` that are evenly spread. None of no samples, nor where one is not a
// number.
std::vector<QuantilePair> quantile_pairs(const std::function<double(double)>& quantile,
                                         std::span<const double> samples, std::size_t most = 512);

// The same of two sets of samples: at the shares of the smaller one, between samples of the larger what lies
// between (Hyndman and Fan's type 5).
std::vector<QuantilePair> quantile_pairs(std::span<const double> first, std::span<const double> second,
                                         std::size_t most = 512);

// The p-quantile of ascending samples, of which there is at least one (type 5: the i-th of n is that of
// (i + 1/2) / n; what lies between two of them is interpolated).
double quantile_of_sorted(std::span<const double> sorted, double p);

}  // namespace fathom
