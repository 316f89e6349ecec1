// Clusters of a sample by Gaussian kernel density: those of the logarithms of durations separate what made
// operations fast or slow.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), sections
// 3, 4.1 and 6. The density is R's density(x, bw = "nrd0", adjust = 2, n = 512), summed exactly rather than
// from binned samples.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace fathom {

// A value, and how many samples have it: above 0, and whole, or about so.
struct Weighted {
    double value = 0, weight = 1;
};

struct Density {
    double samples = 0;          // sum of the weights
    double bandwidth = 0;        // standard deviation of the kernel
    std::vector<double> at, is;  // 512 points, ascending, and the density there
    double highest() const;
};

// Samples in ascending order of value; equal ones may be listed one by one or together. The bandwidth is
// adjust * 0.9 * min(sd, IQR / 1.34) * n^(-1/5) with quartiles of R's type 7, and where that minimum is 0 the
// first of sd, |smallest value| and 1 that is not; never less than `finest`. The points reach 3 bandwidths
// beyond the samples. Nothing where there are no samples, a value is not finite or a weight not above 0.
// Takes time n; error at most 1e-3 of the highest.
std::optional<Density> density_of(std::span<const Weighted> sorted, double finest = 0, double adjust = 2);

struct Clusters {
    Density density;
    std::vector<double> peaks;   // local maxima of at least 5 % of the highest, ascending; at least one
    std::vector<double> splits;  // where the density is lowest between two of them
    // The first point beyond the last peak with less than 5 % of its density: what lies above are outliers.
    double cutoff = std::numeric_limits<double>::infinity();

    // The number of the cluster that a value is in; that of the clusters for an outlier.
    std::size_t of(double value) const;
};

// As density_of.
std::optional<Clusters> clusters_of(std::span<const Weighted> sorted, double finest = 0, double adjust = 2);

// Of samples in any order.
std::optional<Clusters> clusters_of(std::span<const double> samples, double finest = 0);

}  // namespace fathom
