// Expectation and maximization in turn.
#include "analyzer/methods/fit_hidden_markov.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom {
namespace {

// Samples' worth of probability below which a state counts as left by all of them.
constexpr double left_by_all = 1e-6;
// So many changes of each kind are expected at least: a rate of 0 would stay 0.
constexpr double least_changes = 1e-9;
// What labels are counted with, so that a change that they do not show has a rate to start with.
constexpr double imagined_changes = 0.5;

// The weighted mean and deviation of the logarithms, a state each.
void fit_values(HiddenMarkovModel& model, const std::vector<double>& share, const Observations& seen,
                double least_sigma)
{
    const std::size_t n = model.states();
    const std::vector<double>& values = seen.log_values();
    std::vector<double> weight(n), sum(n), squares(n);
    for (std::size_t at = 0; at < values.size(); ++at)
        for (std::size_t state = 0; state < n; ++state) {
            weight[state] += share[at * n + state];
            sum[state] += share[at * n + state] * values[at];
        }
    for (std::size_t state = 0; state < n; ++state)
        if (weight[state] > left_by_all) model.mu[state] = sum[state] / weight[state];
    for (std::size_t at = 0; at < values.size(); ++at)
        for (std::size_t state = 0; state < n; ++state) {
            const double away = values[at] - model.mu[state];
            squares[state] += share[at * n + state] * away * away;
        }
    for (std::size_t state = 0; state < n; ++state)
        if (weight[state] > left_by_all)
            model.sigma[state] = std::max(std::sqrt(squares[state] / weight[state]), least_sigma);
}

// Expected changes over expected time in the state that they leave.
void fit_rates(HiddenMarkovModel& model, const Smoothed& smoothed, const Observations& seen)
{
    const std::size_t n = model.states();
    SquareMatrix between(n);
    for (std::size_t step = 0; step < seen.lengths().size(); ++step) {
        const SquareMatrix one = time_between(model.rates, smoothed.pairs[step], seen.lengths()[step]);
        for (std::size_t at = 0; at < between.values.size(); ++at) between.values[at] += one.values[at];
    }
    const double all = std::accumulate(seen.lengths().begin(), seen.lengths().end(), 0.0);
    for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to) {
            if (to == from || !(between(from, from) > left_by_all * all)) continue;
            const double changes = std::max(model.rates(from, to) * between(from, to), least_changes);
            model.rates(from, to) = changes / between(from, from);
        }
    set_diagonal(model.rates);
}

void fit_initial(HiddenMarkovModel& model, const Smoothed& smoothed, const Observations& seen)
{
    const std::size_t n = model.states();
    std::vector<double> sum(n);
    double stretches = 0;
    for (std::size_t at = 0; at < seen.size(); ++at) {
        if (seen.step()[at] != Observations::begins) continue;
        ++stretches;
        for (std::size_t state = 0; state < n; ++state) sum[state] += smoothed.share[at * n + state];
    }
    for (std::size_t state = 0; state < n; ++state) model.initial[state] = sum[state] / stretches;
}

}  // namespace

HiddenMarkovModel model_of_labels(const std::vector<std::size_t>& labels, std::size_t states,
                                  const Observations& seen, const FitChoice& choice)
{
    HiddenMarkovModel model{.rates = SquareMatrix(states),
                            .mu = std::vector<double>(states),
                            .sigma = std::vector<double>(states, choice.least_sigma),
                            .initial = std::vector<double>(states, 1 / static_cast<double>(states))};
    std::vector<double> everywhere(seen.size() * states, 1), share(seen.size() * states);
    for (std::size_t at = 0; at < labels.size(); ++at) share[at * states + labels[at]] = 1;
    fit_values(model, everywhere, seen, choice.least_sigma);
    fit_values(model, share, seen, choice.least_sigma);

    std::vector<double> time(states);
    SquareMatrix changes(states, imagined_changes);
    for (std::size_t at = 1; at < labels.size(); ++at) {
        if (seen.step()[at] == Observations::begins) continue;
        time[labels[at - 1]] += seen.lengths()[seen.step()[at]];
        if (labels[at] != labels[at - 1]) ++changes(labels[at - 1], labels[at]);
    }
    const double mean = std::accumulate(time.begin(), time.end(), 0.0) / static_cast<double>(states);
    for (std::size_t from = 0; from < states; ++from)
        for (std::size_t to = 0; to < states; ++to)
            if (from != to)
                model.rates(from, to) = changes(from, to) / (time[from] > 0 ? time[from]
                                                             : mean > 0     ? mean
                                                                            : 1);
    set_diagonal(model.rates);
    if (choice.first_state) {
        std::fill(model.initial.begin(), model.initial.end(), 0);
        model.initial.at(*choice.first_state) = 1;
    }
    return model;
}

Fit fit_from(HiddenMarkovModel start, const Observations& seen, const FitChoice& choice)
{
    Fit fit{.model = std::move(start), .smoothed = {}};
    fit.smoothed = smooth(fit.model, seen);
    while (fit.steps < choice.most_steps && !fit.settled) {
        HiddenMarkovModel next = fit.model;
        fit_values(next, fit.smoothed.share, seen, choice.least_sigma);
        fit_rates(next, fit.smoothed, seen);
        if (!choice.first_state) fit_initial(next, fit.smoothed, seen);
        Smoothed smoothed = smooth(next, seen);
        ++fit.steps;
        fit.settled = !(smoothed.log_likelihood - fit.smoothed.log_likelihood > choice.least_gain);
        // Where a floor holds it back a step may lose: then what was before it is the result.
        if (!(smoothed.log_likelihood >= fit.smoothed.log_likelihood)) break;
        fit.model = std::move(next);
        fit.smoothed = std::move(smoothed);
    }
    return fit;
}

}  // namespace fathom
