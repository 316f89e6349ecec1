// The recursions forward, backward and Viterbi's.
#include "analyzer/methods/hidden_markov.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace fathom {
namespace {

constexpr double same_length = 1.0 / 256;  // lengths of time that differ by less are one
// With these the share of a state is never below 1e-107, and its inverse, which the way back meets, no
// overflow.
constexpr double rarest_log_density = -200, rarest_change = 1e-20;

// The densities of all states at a sample.
class Densities {
  public:
    explicit Densities(const HiddenMarkovModel& model) : model_(model)
    {
        for (std::size_t state = 0; state < model.states(); ++state) {
            at_middle_.push_back(model.log_density(state, model.mu[state]));
            factor_.push_back(1 / model.sigma[state]);
        }
    }

    // Relative to the largest of them, whose logarithm is the result.
    double at(double log_value, std::span<double> densities) const
    {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t state = 0; state < densities.size(); ++state) {
            const double away = (log_value - model_.mu[state]) * factor_[state];
            densities[state] = at_middle_[state] - away * away / 2;
            largest = std::max(largest, densities[state]);
        }
        for (double& one : densities)
            one = one == largest ? 1 : std::exp(std::max(one - largest, rarest_log_density));
        return largest;
    }

  private:
    const HiddenMarkovModel& model_;
    std::vector<double> at_middle_, factor_;
};

// The forward recursion: shares of the states given the samples so far, and what is added to the likelihood.
struct Forward {
    std::vector<double> shares, densities;  // size * states
    std::vector<double> scale;              // a sample each
    double log_likelihood = 0;
};

Forward forward(const HiddenMarkovModel& model, const Observations& seen,
                const std::vector<SquareMatrix>& steps)
{
    const std::size_t n = model.states();
    const Densities densities_of(model);
    Forward result;
    double product = 1;  // of scales whose logarithm has not been taken yet
    result.shares.resize(seen.size() * n);
    result.densities.resize(seen.size() * n);
    result.scale.resize(seen.size());
    for (std::size_t at = 0; at < seen.size(); ++at) {
        const std::span<double> densities = std::span(result.densities).subspan(at * n, n);
        const std::span<double> shares = std::span(result.shares).subspan(at * n, n);
        result.log_likelihood += densities_of.at(seen.log_values()[at], densities);
        if (seen.step()[at] == Observations::begins) {
            for (std::size_t to = 0; to < n; ++to)
                shares[to] = std::max(model.initial[to], rarest_change) * densities[to];
        } else {
            const SquareMatrix& step = steps[seen.step()[at]];
            const double* const before = &result.shares[(at - 1) * n];
            for (std::size_t to = 0; to < n; ++to) {
                double sum = 0;
                for (std::size_t from = 0; from < n; ++from) sum += before[from] * step(from, to);
                shares[to] = sum * densities[to];
            }
        }
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        for (double& share : shares) share /= sum;
        result.scale[at] = sum;
        result.log_likelihood -= seen.log_values()[at];
        product *= sum;
        if (product < 1e-150 || at + 1 == seen.size()) {
            result.log_likelihood += std::log(product);
            product = 1;
        }
    }
    return result;
}

}  // namespace

double HiddenMarkovModel::log_density(std::size_t state, double log_value) const
{
    const double away = (log_value - mu[state]) / sigma[state];
    return -away * away / 2 - std::log(sigma[state]) - std::log(2 * std::numbers::pi) / 2;
}

std::optional<Observations> Observations::of(std::span<const double> times, std::span<const double> values,
                                             std::span<const std::size_t> stretches)
{
    if (times.empty() || times.size() != values.size()) return std::nullopt;
    Observations seen;
    for (std::size_t at = 0; at < times.size(); ++at) {
        if (!std::isfinite(times[at]) || !std::isfinite(values[at]) || values[at] <= 0) return std::nullopt;
        if (at > 0 && !(times[at] > times[at - 1])) return std::nullopt;
        seen.log_values_.push_back(std::log(values[at]));
    }
    std::vector<bool> first(times.size());
    first[0] = true;
    for (const std::size_t at : stretches) {
        if (at >= times.size()) return std::nullopt;
        first[at] = true;
    }

    const auto length = [&](std::size_t at) { return times[at] - times[at - 1]; };
    std::vector<std::size_t> by_length;
    for (std::size_t at = 1; at < times.size(); ++at)
        if (!first[at]) by_length.push_back(at);
    std::sort(by_length.begin(), by_length.end(),
              [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
    seen.step_.assign(times.size(), begins);
    for (std::size_t from = 0; from < by_length.size();) {
        const double shortest = length(by_length[from]);
        double sum = 0;
        std::size_t to = from;
        for (; to < by_length.size() && length(by_length[to]) <= shortest * (1 + same_length); ++to) {
            sum += length(by_length[to]) - shortest;  // exact where all are equal
            seen.step_[by_length[to]] = seen.lengths_.size();
        }
        seen.lengths_.push_back(shortest + sum / static_cast<double>(to - from));
        from = to;
    }
    return seen;
}

Observations Observations::pieces(std::size_t count, std::size_t length) const
{
    if (size() <= count * length) return *this;
    Observations some;
    some.lengths_ = lengths_;
    for (std::size_t piece = 0; piece < count; ++piece) {
        const std::size_t from = piece * (size() - length) / std::max<std::size_t>(count - 1, 1);
        for (std::size_t at = from; at < from + length; ++at) {
            some.log_values_.push_back(log_values_[at]);
            some.step_.push_back(at == from ? begins : step_[at]);
        }
    }
    return some;
}

std::vector<SquareMatrix> transitions_of(const HiddenMarkovModel& model, const Observations& seen)
{
    std::vector<SquareMatrix> steps;
    for (const double length : seen.lengths()) {
        steps.push_back(transitions(model.rates, length));
        for (double& share : steps.back().values) share = std::max(share, rarest_change);
    }
    return steps;
}

Smoothed smooth(const HiddenMarkovModel& model, const Observations& seen)
{
    const std::size_t n = model.states(), size = seen.size();
    const std::vector<SquareMatrix> steps = transitions_of(model, seen);
    Forward ahead = forward(model, seen, steps);
    Smoothed result{.log_likelihood = ahead.log_likelihood,
                    .share = {},
                    .pairs = std::vector<SquareMatrix>(steps.size(), SquareMatrix(n)),
                    .at_end = {}};
    // Behind a sample: the density of all later ones, by state, relative to the scales.
    std::vector<double> behind(n, 1), weighted(n);
    for (std::size_t at = size; at-- > 0;) {
        double* const shares = &ahead.shares[at * n];
        if (at + 1 < size && seen.step()[at + 1] != Observations::begins) {
            const std::size_t number = seen.step()[at + 1];
            const SquareMatrix& step = steps[number];
            SquareMatrix& pairs = result.pairs[number];
            for (std::size_t to = 0; to < n; ++to)
                weighted[to] = ahead.densities[(at + 1) * n + to] * behind[to] / ahead.scale[at + 1];
            for (std::size_t from = 0; from < n; ++from) {
                double sum = 0;
                for (std::size_t to = 0; to < n; ++to) {
                    sum += step(from, to) * weighted[to];
                    pairs(from, to) += shares[from] * weighted[to];
                }
                behind[from] = sum;
            }
        } else {
            std::fill(behind.begin(), behind.end(), 1);
        }
        if (at + 1 == size) result.at_end.assign(shares, shares + n);
        for (std::size_t state = 0; state < n; ++state) shares[state] *= behind[state];
    }
    result.share = std::move(ahead.shares);
    return result;
}

double log_likelihood(const HiddenMarkovModel& model, const Observations& seen)
{
    return forward(model, seen, transitions_of(model, seen)).log_likelihood;
}

std::vector<std::size_t> likeliest_path(const HiddenMarkovModel& model, const Observations& seen)
{
    const std::size_t n = model.states(), size = seen.size();
    std::vector<SquareMatrix> logs = transitions_of(model, seen);
    for (SquareMatrix& step : logs)
        for (double& share : step.values) share = std::log(share);

    std::vector<std::size_t> from_of(size * n), path(size);
    std::vector<double> best(n), before(n);
    for (std::size_t at = 0; at < size; ++at) {
        const bool begins = seen.step()[at] == Observations::begins;
        const double past = at == 0 ? 0 : *std::max_element(best.begin(), best.end());
        const std::size_t likeliest =
            static_cast<std::size_t>(std::max_element(best.begin(), best.end()) - best.begin());
        before = best;
        for (std::size_t to = 0; to < n; ++to) {
            std::size_t from = likeliest;
            double most = past + std::log(std::max(model.initial[to], rarest_change));
            if (!begins) {
                const SquareMatrix& step = logs[seen.step()[at]];
                most = -std::numeric_limits<double>::infinity();
                for (std::size_t one = 0; one < n; ++one)
                    if (const double sum = before[one] + step(one, to); sum > most) {
                        most = sum;
                        from = one;
                    }
            }
            best[to] = most + model.log_density(to, seen.log_values()[at]);
            from_of[at * n + to] = from;
        }
    }
    std::size_t state = static_cast<std::size_t>(std::max_element(best.begin(), best.end()) - best.begin());
    for (std::size_t at = size; at-- > 0;) {
        path[at] = state;
        state = from_of[at * n + state];
    }
    return path;
}

}  // namespace fathom
