// Three ways to start, the likeliest of which goes on.
#include "analyzer/methods/search_hidden_markov.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "analyzer/methods/start_labels.h"

namespace fathom {
namespace {

using Labels = std::vector<std::size_t>;

// Starts are compared after so many steps, and on no more samples than this: pieces of what there is.
// By then, or once a step gains less, it shows which is the likeliest.
constexpr double gain_of_trial = 0.1;
constexpr std::size_t steps_of_trial = 15, pieces_of_trial = 40, samples_of_piece = 1000;
// A part of fewer samples is no state to start with: it would be of chance.
constexpr std::size_t least_part = 5;

// Numbers the states by mu.
HiddenMarkovModel in_order(const HiddenMarkovModel& before)
{
    const std::size_t n = before.states();
    std::vector<std::size_t> place(n);
    std::iota(place.begin(), place.end(), std::size_t{0});
    std::stable_sort(place.begin(), place.end(),
                     [&](std::size_t a, std::size_t b) { return before.mu[a] < before.mu[b]; });
    HiddenMarkovModel model = before;
    for (std::size_t row = 0; row < n; ++row) {
        model.mu[row] = before.mu[place[row]];
        model.sigma[row] = before.sigma[place[row]];
        model.initial[row] = before.initial[place[row]];
        for (std::size_t column = 0; column < n; ++column)
            model.rates(row, column) = before.rates(place[row], place[column]);
    }
    return model;
}

Labels labels_by(const std::vector<double>& splits, const Observations& seen)
{
    Labels labels;
    for (const double value : seen.log_values())
        labels.push_back(
            static_cast<std::size_t>(std::lower_bound(splits.begin(), splits.end(), value) - splits.begin()));
    return labels;
}

// Where equal parts of the values end.
std::vector<double> equal_parts(std::vector<double> values, std::size_t parts)
{
    std::sort(values.begin(), values.end());
    std::vector<double> splits;
    for (std::size_t part = 1; part < parts; ++part) {
        const std::size_t end = part * values.size() / parts;
        splits.push_back(values[end > 0 ? end - 1 : 0]);
    }
    return splits;
}

// The most probable state of each sample by itself.
Labels labels_of(const Fit& fit, const Observations& seen)
{
    const auto n = static_cast<std::ptrdiff_t>(fit.model.states());
    Labels labels;
    for (std::size_t at = 0; at < seen.size(); ++at) {
        const auto shares = fit.smoothed.share.begin() + static_cast<std::ptrdiff_t>(at) * n;
        labels.push_back(static_cast<std::size_t>(std::max_element(shares, shares + n) - shares));
    }
    return labels;
}

// The labels with one state's samples cut in two, the upper part a state of its own; empty where it cannot
// be.
Labels cut_in_two(Labels labels, std::size_t state, std::size_t added, const Observations& seen)
{
    std::vector<double> values;
    for (std::size_t at = 0; at < labels.size(); ++at)
        if (labels[at] == state) values.push_back(seen.log_values()[at]);
    const auto cut = start_splits(values, 2);
    if (!cut) return {};
    std::size_t upper = 0;
    for (std::size_t at = 0; at < labels.size(); ++at) {
        if (labels[at] != state || cut->of(seen.log_values()[at]) == 0) continue;
        labels[at] = added;
        ++upper;
    }
    return std::min(upper, values.size() - upper) < least_part ? Labels() : labels;
}

// From one state to as many as asked for.
std::optional<Fit> grown(std::size_t states, const Observations& seen, const FitChoice& trial)
{
    Fit fit = fit_from(model_of_labels(Labels(seen.size()), 1, seen, {}), seen, trial);
    for (std::size_t now = 1; now < states; ++now) {
        const Labels labels = labels_of(fit, seen);
        std::optional<Fit> best;
        for (std::size_t state = 0; state < now; ++state) {
            const Labels cut = cut_in_two(labels, state, now, seen);
            if (cut.empty()) continue;
            Fit one = fit_from(model_of_labels(cut, now + 1, seen, {}), seen, trial);
            if (!best || one.smoothed.log_likelihood > best->smoothed.log_likelihood) best = std::move(one);
        }
        if (!best) return std::nullopt;
        fit = std::move(*best);
    }
    return fit;
}

}  // namespace

std::optional<Fit> fit_hidden_markov(const Observations& seen, std::size_t states, const FitChoice& choice)
{
    if (seen.lengths().empty() || !start_splits(seen.log_values(), states)) return std::nullopt;
    const Observations some = seen.pieces(pieces_of_trial, samples_of_piece);
    FitChoice trial = choice;
    trial.most_steps = steps_of_trial;
    trial.least_gain = std::max(trial.least_gain, gain_of_trial);
    const auto try_cuts = [&](const std::vector<double>& splits) {
        return fit_from(model_of_labels(labels_by(splits, some), states, some, choice), some, trial);
    };
    Fit best = try_cuts(equal_parts(some.log_values(), states));
    const auto take = [&](Fit other) {
        if (other.smoothed.log_likelihood > best.smoothed.log_likelihood) best = std::move(other);
    };
    if (const auto minima = start_splits(some.log_values(), states)) take(try_cuts(minima->splits));
    FitChoice free = trial;  // the states have no order yet
    free.first_state.reset();
    if (const auto other = grown(states, some, free)) {
        HiddenMarkovModel model = in_order(other->model);
        if (choice.first_state) {
            std::fill(model.initial.begin(), model.initial.end(), 0);
            model.initial.at(*choice.first_state) = 1;
        }
        trial.most_steps = 0;
        take(fit_from(std::move(model), some, trial));
    }

    const std::size_t before = best.steps;
    Fit fit = fit_from(std::move(best.model), seen, choice);
    fit.steps += before;
    HiddenMarkovModel ordered = in_order(fit.model);
    if (ordered.mu != fit.model.mu) {
        fit.model = std::move(ordered);
        fit.smoothed = smooth(fit.model, seen);
    }
    return fit;
}

}  // namespace fathom
