// Whether a model says what was measured after it was made.
//
// Source: METHODS section 7; Wan et al. (2017), section V and figures 7 and 8: as many values as were
// measured are simulated, and both distributions compared. How far simulated runs are from each other is the
// yardstick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/methods/empirical.h"
#include "analyzer/methods/search_hidden_markov.h"

namespace fathom {

struct HeldOut {
    std::vector<double> latencies;        // measured, in the part that the model is not of
    std::vector<double> simulated;        // one run, as long
    std::vector<QuantilePair> quantiles;  // simulated, measured
    std::size_t runs = 0;
    double distance = 0;                     // Kolmogorov and Smirnov's from simulated runs: the median
    double usual = 0;                        // between two simulated runs: 95 % of pairs have no more
    double per_sample = 0, per_trained = 0;  // log-likelihood of a sample, held out and of the model's own
    std::vector<double> shares;              // of the states, by the likeliest path
};

// `times` begin after the model's last sample, at `end`; `stretches` as Observations takes them.
HeldOut compare_held_out(const Fit& fit, double end, std::span<const double> times,
                         std::span<const double> latencies, std::span<const std::size_t> stretches,
                         std::uint64_t seed);

}  // namespace fathom
