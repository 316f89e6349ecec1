// A hidden Markov model in continuous time: a process that nobody sees goes from state to state, and what is
// measured at some instants has a log-normal distribution that depends on its state.
//
// Source: METHODS section 7; Wan et al. (2017), section IV, equations 2 and 3: the likelihood, by the forward
// and backward recursions, scaled. Instants need not be regular: P(t) = exp(Q t) for each length of time
// between two of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/methods/rate_matrix.h"

namespace fathom {

struct HiddenMarkovModel {
    SquareMatrix rates;             // changes per unit of time; see rate_matrix.h
    std::vector<double> mu, sigma;  // of the natural logarithm of what is measured, a state each
    std::vector<double> initial;    // shares of the states at the first sample of a stretch

    std::size_t states() const { return mu.size(); }
    // The logarithm of the density of a measured value of this logarithm, in a state.
    double log_density(std::size_t state, double log_value) const;
};

// Measured values over time, made ready for the recursions: lengths of time between samples that differ by
// less than 1/256 count as one, their mean, so that stamps of a real clock cost no more than regular ones.
class Observations {
  public:
    // `times` ascend strictly; `values` are above 0; as many of each, and at least one. `stretches` has the
    // index of each sample whose state is not to depend on those before it, as after a time without any; the
    // first counts as one anyhow. Nothing where that does not hold or a number is not finite.
    static std::optional<Observations> of(std::span<const double> times, std::span<const double> values,
                                          std::span<const std::size_t> stretches = {});

    // So many pieces of so many samples each, evenly spread, each a stretch of its own; all samples where
    // they are no more than that.
    Observations pieces(std::size_t count, std::size_t length) const;

    std::size_t size() const { return log_values_.size(); }
    const std::vector<double>& log_values() const { return log_values_; }

    static constexpr std::size_t begins = static_cast<std::size_t>(-1);
    // Which of the lengths it is since the sample before: `begins` where a stretch begins.
    const std::vector<std::size_t>& step() const { return step_; }
    const std::vector<double>& lengths() const { return lengths_; }

  private:
    std::vector<double> log_values_;
    std::vector<std::size_t> step_;
    std::vector<double> lengths_;
};

// Of each length of time between samples: exp(Q t), in which no change counts as rarer than 1e-20.
std::vector<SquareMatrix> transitions_of(const HiddenMarkovModel& model, const Observations& seen);

// What the samples say of the states. Row by row, a sample each.
struct Smoothed {
    // The logarithm of the density of all samples, as values (not as logarithms): Wan et al., equation 3.
    double log_likelihood = 0;
    std::vector<double> share;  // size * states: the probability of each state, given all samples
    // For each length of time between samples the sums of the probabilities of (state before, state after),
    // each divided by its entry of exp(Q t): what time_between() asks for.
    std::vector<SquareMatrix> pairs;
    std::vector<double> at_end;  // the probability of each state at the last sample
};
// Takes time n * states^2. A density counts as no less than e^-200 of the largest at its sample, and the
// share of an initial state as no less than 1e-20, so that no sample is impossible.
Smoothed smooth(const HiddenMarkovModel& model, const Observations& seen);

// Equation 3 alone.
double log_likelihood(const HiddenMarkovModel& model, const Observations& seen);

// The most probable path: a state a sample (Viterbi). Of equally probable ones that with the lower numbers.
// Takes time n * states^2.
std::vector<std::size_t> likeliest_path(const HiddenMarkovModel& model, const Observations& seen);

}  // namespace fathom
