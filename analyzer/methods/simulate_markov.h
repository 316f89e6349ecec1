// Makes up measured values as a hidden Markov model says that they come about.
//
// Source: METHODS section 7; Wan et al. (2017), section V: Monte Carlo simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/methods/hidden_markov.h"

namespace fathom {

struct Simulated {
    std::vector<std::size_t> path;  // the state at each instant
    std::vector<double> values;     // what is measured there
};

// At the instants of `like`. `start` has the shares of the states at the first; where later stretches begin,
// the stationary ones hold. Equal seeds give equal values on all machines.
Simulated simulate(const HiddenMarkovModel& model, const Observations& like, std::span<const double> start,
                   std::uint64_t seed);

}  // namespace fathom
