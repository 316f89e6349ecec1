// Student's t is a table: its values are the same everywhere.
#include "analyzer/compare/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom {

double student_t(std::size_t degrees)
{
    constexpr std::array values = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                   2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    constexpr double normal = 1.960;
    return degrees == 0 || degrees > values.size() ? normal : values[degrees - 1];
}

Baseline baseline_of(std::span<const double> runs, const NoiseChoice& choice)
{
    Baseline baseline;
    baseline.runs = runs.size();
    if (runs.empty()) return baseline;
    const auto n = static_cast<double>(runs.size());
    for (const double value : runs) baseline.mean += value / n;
    const double size = std::fabs(baseline.mean);
    const auto at_least = [&](double noise, NoiseBasis basis) {
        if (noise <= baseline.noise) return;
        baseline.noise = noise;
        baseline.basis = basis;
    };
    if (choice.share) at_least(size * *choice.share, NoiseBasis::named_share);
    if (runs.size() == 1 && !choice.share) {
        at_least(size * noise_of_one_run, NoiseBasis::standard_share);
        at_least(choice.chance, NoiseBasis::chance);
    }
    if (runs.size() > 1) {
        double squares = 0;
        for (const double value : runs) squares += (value - baseline.mean) * (value - baseline.mean);
        const double deviation = std::sqrt(squares / (n - 1));
        at_least(student_t(runs.size() - 1) * deviation * std::sqrt(1 + 1 / n), NoiseBasis::spread);
    }
    at_least(choice.least, NoiseBasis::least);
    baseline.worth = std::max(size * share_worth_naming, choice.least);
    return baseline;
}

namespace {

bool may_hide_a_difference(const Baseline& before)
{
    return (before.basis == NoiseBasis::spread || before.basis == NoiseBasis::chance) &&
           before.noise > before.worth;
}

}  // namespace

Change change_of(const Baseline& before, double after)
{
    if (std::fabs(after - before.mean) <= before.noise)
        return may_hide_a_difference(before) ? Change::inconclusive : Change::same;
    return after > before.mean ? Change::more : Change::less;
}

std::optional<std::size_t> runs_to_see(const Baseline& before, double difference)
{
    if (!may_hide_a_difference(before) || difference <= 0) return std::nullopt;
    if (before.basis == NoiseBasis::chance) {
        const double ratio = before.noise / difference;
        return static_cast<std::size_t>(std::ceil(std::max(ratio * ratio, 2.0)));
    }
    const auto n = static_cast<double>(before.runs);
    const double deviation = before.noise / student_t(before.runs - 1) / std::sqrt(1 + 1 / n);
    constexpr std::size_t most = 10'000;
    for (std::size_t runs = 2; runs < most; ++runs)
        if (student_t(2 * runs - 2) * deviation * std::sqrt(2 / static_cast<double>(runs)) <= difference)
            return runs;
    return most;
}

std::optional<double> relative_change(double before, double after)
{
    if (before == 0) return std::nullopt;
    return (after - before) / before;
}

}  // namespace fathom
