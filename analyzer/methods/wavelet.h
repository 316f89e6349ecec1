// Removes noise from a series by its wavelet transform, and leaves steps as steep as they were.
//
// Source: METHODS section 8; Yang et al., "End-to-end I/O Monitoring on a Leading Supercomputer" (NSDI 2019),
// appendix B, which finds I/O phases by discrete wavelet transform. The threshold is the universal one of
// Donoho and Johnstone, "Ideal spatial adaptation by wavelet shrinkage" (1994). The wavelet is Haar's, since
// the rate of a job's I/O goes up and down in steps.
#pragma once

#include <span>
#include <vector>

namespace fathom {

// One forward or inverse transform of as many values as a power of two, in place: the mean (times the root
// of the number) first, then details from the coarsest to the finest.
void haar_transform(std::span<double> values);
void haar_inverse(std::span<double> values);

// Standard deviation of the noise: median of |detail| / 0.6745 over the finest details, |a - b| / sqrt(2) of
// all neighbours, so that it does not depend on where the series begins. Neighbours of which one is exactly 0
// are left out: to begin or to end is no noise. 0 where no neighbours are left, and where half of them are
// equal.
double noise_of(std::span<const double> series);

// The series less its noise: every detail is drawn towards 0 by noise * sqrt(2 ln n). Any length; it is
// continued by its own reflection to a power of two. A value that is not finite counts as 0.
std::vector<double> without_noise(std::span<const double> series);

}  // namespace fathom
