// Expectation and maximization in turn.
#include "analyzer/methods/fit_hidden_markov.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyzer/methods/start_labels.h"

namespace fathom {
namespace {

// Samples' worth of probability below which a state counts as left by all of them.
constexpr double left_by_all = 1e-6;
// So many changes of each kind are expected at least: a rate of 0 would stay 0.
constexpr double least_changes = 1e-9;
// What labels are counted with, so that a change that they do not show has a rate to start with.
constexpr double imagined_changes = 0.5;
// Two starts are compared after so many steps: fewer of very many samples, which take long.
constexpr std::size_t most_steps_of_trial = 15, least_steps_of_trial = 2, samples_of_trials = 500'000;

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

// Numbers the states by mu.
void order(HiddenMarkovModel& model)
{
    const std::size_t n = model.states();
    std::vector<std::size_t> place(n);
    std::iota(place.begin(), place.end(), std::size_t{0});
    std::stable_sort(place.begin(), place.end(),
                     [&](std::size_t a, std::size_t b) { return model.mu[a] < model.mu[b]; });
    const HiddenMarkovModel before = model;
    for (std::size_t row = 0; row < n; ++row) {
        model.mu[row] = before.mu[place[row]];
        model.sigma[row] = before.sigma[place[row]];
        model.initial[row] = before.initial[place[row]];
        for (std::size_t column = 0; column < n; ++column)
            model.rates(row, column) = before.rates(place[row], place[column]);
    }
}

// Where equal parts of the values end.
std::vector<double> equal_parts(std::vector<double> values, std::size_t parts)
{
    std::sort(values.begin(), values.end());
    std::vector<double> splits;
    for (std::size_t part = 1; part < parts; ++part)
        splits.push_back(values[part * values.size() / parts - (values.size() >= parts ? 1 : 0)]);
    return splits;
}

HiddenMarkovModel start_from(const std::vector<double>& splits, const Observations& seen,
                             const FitChoice& choice)
{
    std::vector<std::size_t> labels;
    for (const double value : seen.log_values())
        labels.push_back(
            static_cast<std::size_t>(std::lower_bound(splits.begin(), splits.end(), value) - splits.begin()));
    return model_of_labels(labels, splits.size() + 1, seen, choice);
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

std::optional<Fit> fit_hidden_markov(const Observations& seen, std::size_t states, const FitChoice& choice)
{
    const auto minima = start_splits(seen.log_values(), states);
    if (!minima || seen.lengths().empty()) return std::nullopt;
    FitChoice trial = choice;
    trial.most_steps = std::clamp(samples_of_trials / seen.size(), least_steps_of_trial, most_steps_of_trial);
    Fit best = fit_from(start_from(minima->splits, seen, choice), seen, trial);
    Fit other = fit_from(start_from(equal_parts(seen.log_values(), states), seen, choice), seen, trial);
    if (other.smoothed.log_likelihood > best.smoothed.log_likelihood) best = std::move(other);
    const std::size_t before = best.steps;
    Fit fit = fit_from(std::move(best.model), seen, choice);
    fit.steps += before;
    HiddenMarkovModel ordered = fit.model;
    order(ordered);
    if (ordered.mu != fit.model.mu) {
        fit.model = std::move(ordered);
        fit.smoothed = smooth(fit.model, seen);
    }
    return fit;
}

}  // namespace fathom
