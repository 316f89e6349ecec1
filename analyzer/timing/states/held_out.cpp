// Many simulated runs, against what was measured and against each other.
#include "analyzer/timing/states/held_out.h"

#include <algorithm>

#include "analyzer/methods/simulate_markov.h"

namespace fathom {
namespace {

// Enough for a 95 % quantile; fewer of very many samples.
constexpr std::size_t most_runs = 200, least_runs = 40, values_of_all_runs = 4'000'000;
constexpr double usual_share = 0.95;

double middle_of(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return quantile_of_sorted(values, share);
}

}  // namespace

HeldOut compare_held_out(const Fit& fit, double end, std::span<const double> times,
                         std::span<const double> latencies, std::span<const std::size_t> stretches,
                         std::uint64_t seed)
{
    HeldOut result;
    const auto seen = Observations::of(times, latencies, stretches);
    if (!seen) return result;
    const std::size_t n = fit.model.states();
    // The states at the first sample, by those at the end of the model's own.
    const SquareMatrix step = transitions(fit.model.rates, times[0] - end);
    std::vector<double> start(n);
    for (std::size_t to = 0; to < n; ++to)
        for (std::size_t from = 0; from < n; ++from) start[to] += fit.smoothed.at_end[from] * step(from, to);

    result.latencies.assign(latencies.begin(), latencies.end());
    result.runs = std::clamp(values_of_all_runs / latencies.size(), least_runs, most_runs);
    std::vector<double> from_measured, from_each_other, before;
    for (std::size_t run = 0; run < result.runs; ++run) {
        std::vector<double> values = simulate(fit.model, *seen, start, seed + run).values;
        from_measured.push_back(distance_between(values, latencies));
        if (run == 0) result.simulated = values;
        if (run > 0) from_each_other.push_back(distance_between(values, before));
        before = std::move(values);
    }
    result.distance = middle_of(from_measured, 0.5);
    result.usual = middle_of(from_each_other, usual_share);
    result.quantiles = quantile_pairs(result.simulated, latencies);

    HiddenMarkovModel model = fit.model;
    model.initial = start;
    result.per_sample = log_likelihood(model, *seen) / static_cast<double>(latencies.size());
    result.per_trained = fit.smoothed.log_likelihood /
                         (static_cast<double>(fit.smoothed.share.size()) / static_cast<double>(n));
    result.shares.assign(n, 0);
    for (const std::size_t state : likeliest_path(model, *seen))
        result.shares[state] += 1 / static_cast<double>(latencies.size());
    return result;
}

}  // namespace fathom
