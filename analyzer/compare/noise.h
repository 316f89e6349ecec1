// What is a change, and what only noise: numbers differ from run to run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace fathom {

// What the noise was taken from.
enum class NoiseBasis {
    standard_share,  // one run shows no noise of its own
    named_share,     // by the user
    spread,          // of several runs
    chance,          // of the operations within the runs
    least,           // what is noise whatever the number
};

// What earlier runs say of a number: a later value further than `noise` from `mean` is a change.
struct Baseline {
    double mean = 0, noise = 0;
    double worth = 0;  // differences below this are not worth naming
    std::size_t runs = 0;
    NoiseBasis basis = NoiseBasis::standard_share;
};

struct NoiseChoice {
    std::optional<double> share = {};  // that the user named: of the mean
    double least = 0;                  // smaller differences are noise, whatever the mean
    double chance = 0;                 // where one run alone is there and nothing is named, so are these
};

// As a share of the number, where there is one earlier run and nothing was named.
inline constexpr double noise_of_one_run = 0.05;

// Smaller differences, as a share, are not worth naming.
inline constexpr double share_worth_naming = 0.1;

// One run: the share of its value, or the chance. Several: half the width of the 95 % prediction interval for
// one more run,
//     t(0.975, n - 1) * s * sqrt(1 + 1/n),    s: standard deviation with n - 1 in the divisor
// (Hahn, "Factors for calculating two-sided prediction intervals", 1969: normal runs, independent). A share
// that was named is the least in both cases.
Baseline baseline_of(std::span<const double> runs, const NoiseChoice& choice);

// Inconclusive: no more than noise, where noise would hide a difference that is worth naming.
enum class Change { same, more, less, inconclusive };
Change change_of(const Baseline& before, double after);
inline bool is_beyond_noise(Change change)
{
    return change == Change::more || change == Change::less;
}

// How many runs before, and as many after, it would take for their means to differ beyond noise where they
// differ by so much: t(0.975, 2 n - 2) * s * sqrt(2 / n), of several earlier runs; of one run, the chance of
// its operations over sqrt(n). Nothing where the noise is of another kind.
std::optional<std::size_t> runs_to_see(const Baseline& before, double difference);

// The 0.975 quantile of Student's t for 1, 2, ... degrees of freedom; beyond 30 the normal one.
double student_t(std::size_t degrees);

// (after - before) / before; nothing where there was nothing before.
std::optional<double> relative_change(double before, double after);

}  // namespace fathom
