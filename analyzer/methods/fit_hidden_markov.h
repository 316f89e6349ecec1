// Makes a hidden Markov model better, step by step, at saying what was measured.
//
// Source: METHODS section 7; Wan et al. (2017), section IV.B, algorithm 1 (expectation, maximization), in
// continuous time: a rate is the expected number of changes over the expected time in the state that they
// leave, each given the values; mean and deviation are those of the logarithms, weighted by the probability
// of the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/methods/hidden_markov.h"

namespace fathom {

struct FitChoice {
    // The state that the first sample of each stretch is in, where it is known (0 is the first); else the
    // shares of the states there are estimated too.
    std::optional<std::size_t> first_state = {};
    double least_gain = 1e-6;  // of log-likelihood, by a step: less ends the search
    std::size_t most_steps = 1000;
    // No deviation of the logarithm gets smaller: a part in a thousand of the value, so that equal values
    // have a density too.
    double least_sigma = 1e-3;
};

struct Fit {
    HiddenMarkovModel model;
    Smoothed smoothed;  // what the model says of the values
    std::size_t steps = 0;
    bool settled = false;  // the gain became small before the steps were used up
};

// From a model to start with, whose states keep their order. A state that (almost) no sample is in any more
// keeps its mean and deviation. Takes time steps * (n * states^2 + number of lengths * states^3).
Fit fit_from(HiddenMarkovModel start, const Observations& seen, const FitChoice& choice = {});

// A model that has each sample in the state that a label says; states that no label names are like all
// samples together.
HiddenMarkovModel model_of_labels(const std::vector<std::size_t>& labels, std::size_t states,
                                  const Observations& seen, const FitChoice& choice = {});

}  // namespace fathom
