// Five distributions that waiting times may have: fitted by maximum likelihood, their shares and quantiles.
//
// Source: METHODS section 7; Wan et al. (2017), section III.B.2 and figure 4, which asks of them whether the
// time between changes of state is exponential, that is without memory. The estimates are those of R's
// MASS::fitdistr.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fathom {

enum class Family : std::uint8_t { exponential, gamma, weibull, lognormal, normal };
inline constexpr std::array families{Family::exponential, Family::gamma, Family::weibull, Family::lognormal,
                                     Family::normal};
std::string_view name_of(Family family);

// The names of a family's parameters; the second is empty where it has one alone.
struct ParameterNames {
    std::string_view first, second;
};
ParameterNames parameters_of(Family family);

// Exponential: rate. Gamma: shape, rate. Weibull: shape, scale. Log-normal: mean and standard deviation of
// the natural logarithm. Normal: mean, standard deviation.
struct Distribution {
    Family family = Family::exponential;
    double first = 1, second = 0;

    // The share that is at most x, from 0 to 1.
    double share(double x) const;
    // The x of which that share is p: the least and the greatest value (which may be infinite) for 0 and 1,
    // not a number outside of them.
    double quantile(double p) const;
    // The logarithm of the density; minus infinity where there is none.
    double log_density(double x) const;
};

struct FittedDistribution {
    Distribution distribution;
    double log_likelihood = 0;
    double distance = 0;  // Kolmogorov and Smirnov's, of the samples from it
    // Akaike's information criterion: of several fits to the same samples the least is the best.
    double akaike() const;
};

// Nothing of fewer than two samples, where one is not finite, where they are all equal (whose likelihood has
// no bound), and, except for the normal, where one is not above 0. Times n log n.
std::optional<FittedDistribution> fitted(Family family, std::span<const double> samples);

}  // namespace fathom
