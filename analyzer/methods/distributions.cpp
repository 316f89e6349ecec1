// Closed forms, and Newton's steps for the shapes of gamma and Weibull.
#include "analyzer/methods/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "analyzer/methods/empirical.h"
#include "analyzer/methods/not_finite.h"
#include "analyzer/methods/special_functions.h"

namespace fathom {
namespace {

constexpr int most_steps = 200;

struct Row {
    std::string_view name;
    ParameterNames parameters;
};
constexpr Row table[] = {
    {"exponential", {"rate", ""}},     {"gamma", {"shape", "rate"}},
    {"Weibull", {"shape", "scale"}},   {"log-normal", {"mean of log", "deviation of log"}},
    {"normal", {"mean", "deviation"}},
};

const Row& row_of(Family family)
{
    return table[static_cast<std::size_t>(family)];
}

struct Moments {
    double mean = 0, deviation = 0;  // of all samples: divided by n
};

template <class Of>
Moments moments_of(std::span<const double> samples, Of of)
{
    const double n = static_cast<double>(samples.size());
    double sum = 0, squares = 0;
    for (const double one : samples) sum += of(one);
    const double mean = sum / n;
    for (const double one : samples) squares += (of(one) - mean) * (of(one) - mean);
    return {mean, std::sqrt(squares / n)};
}

double itself(double x)
{
    return x;
}

double log_of(double x)
{
    return std::log(x);
}

// The shape k solves log k - digamma(k) = log(mean) - mean(log); the left side falls from infinity to 0. In
// log k it is close to a straight line, and the steps begin at its approximation for large k.
Distribution fit_gamma(std::span<const double> samples)
{
    const double mean = moments_of(samples, itself).mean;
    const double wanted = std::log(mean) - moments_of(samples, log_of).mean;
    double shape = (3 - wanted + std::sqrt((wanted - 3) * (wanted - 3) + 24 * wanted)) / (12 * wanted);
    for (int step = 0; step < most_steps; ++step) {
        const double error = std::log(shape) - digamma(shape) - wanted;
        const double change = error / (1 - shape * trigamma(shape));
        shape *= std::exp(-std::clamp(change, -1.0, 1.0));
        if (std::fabs(change) < 1e-13) break;
    }
    return {Family::gamma, shape, shape / mean};
}

// The shape k solves sum(x^k log x) / sum(x^k) - 1 / k = mean(log x), whose left side rises. Values are taken
// relative to the largest, so that no power overflows.
Distribution fit_weibull(std::span<const double> samples)
{
    const double largest = *std::max_element(samples.begin(), samples.end());
    const Moments logs = moments_of(samples, [&](double x) { return std::log(x / largest); });
    const double n = static_cast<double>(samples.size());
    // The logarithm of Weibull's distribution deviates by pi / sqrt(6) / k.
    double shape = std::numbers::pi / std::sqrt(6.0) / logs.deviation;
    double powers = n;
    for (int step = 0; step < most_steps; ++step) {
        double first = 0, second = 0;
        powers = 0;
        for (const double one : samples) {
            const double log = std::log(one / largest), power = std::exp(shape * log);
            powers += power;
            first += power * log;
            second += power * log * log;
        }
        const double mean = first / powers;
        const double error = mean - 1 / shape - logs.mean;
        const double slope = second / powers - mean * mean + 1 / (shape * shape);
        const double change = error / slope / shape;  // of the logarithm of the shape
        shape *= std::exp(-std::clamp(change, -1.0, 1.0));
        if (std::fabs(change) < 1e-13) break;
    }
    double sum = 0;
    for (const double one : samples) sum += std::exp(shape * std::log(one / largest));
    return {Family::weibull, shape, largest * std::pow(sum / n, 1 / shape)};
}

Distribution fit(Family family, std::span<const double> samples)
{
    switch (family) {
        case Family::exponential:
            return {family, 1 / moments_of(samples, itself).mean, 0};
        case Family::gamma:
            return fit_gamma(samples);
        case Family::weibull:
            return fit_weibull(samples);
        case Family::lognormal: {
            const Moments logs = moments_of(samples, log_of);
            return {family, logs.mean, logs.deviation};
        }
        case Family::normal:
            break;
    }
    const Moments plain = moments_of(samples, itself);
    return {Family::normal, plain.mean, plain.deviation};
}

// The standard gamma's quantile: halves an interval that is known to hold it, in logarithms, since a small
// shape has quantiles of any order.
double gamma_quantile(double shape, double p)
{
    double low = std::log(shape) - 1, high = std::log(shape) + 1;
    while (gamma_share(shape, std::exp(low)) > p && low > -700) low -= 2 * (high - low);
    while (gamma_share(shape, std::exp(high)) < p && high < 700) high += high - low;
    for (int step = 0; step < most_steps && high - low > 1e-14 * (1 + std::fabs(low)); ++step) {
        const double middle = low + (high - low) / 2;
        (gamma_share(shape, std::exp(middle)) < p ? low : high) = middle;
    }
    return std::exp(low + (high - low) / 2);
}

}  // namespace

std::string_view name_of(Family family)
{
    return row_of(family).name;
}

ParameterNames parameters_of(Family family)
{
    return row_of(family).parameters;
}

double Distribution::share(double x) const
{
    if (std::isnan(x)) return nan;
    if (family == Family::normal) return normal_share((x - first) / second);
    if (x <= 0) return 0;
    switch (family) {
        case Family::exponential:
            return -std::expm1(-first * x);
        case Family::gamma:
            return gamma_share(first, second * x);
        case Family::weibull:
            return -std::expm1(-std::pow(x / second, first));
        case Family::lognormal:
            return normal_share((std::log(x) - first) / second);
        case Family::normal:
            break;
    }
    return nan;
}

double Distribution::quantile(double p) const
{
    if (!(p >= 0 && p <= 1)) return nan;
    if (family == Family::normal) return first + second * normal_quantile(p);
    if (p == 0) return 0;
    if (p == 1) return infinity;
    switch (family) {
        case Family::exponential:
            return -std::log1p(-p) / first;
        case Family::gamma:
            return gamma_quantile(first, p) / second;
        case Family::weibull:
            return second * std::pow(-std::log1p(-p), 1 / first);
        case Family::lognormal:
            return std::exp(first + second * normal_quantile(p));
        case Family::normal:
            break;
    }
    return nan;
}

double Distribution::log_density(double x) const
{
    const auto bell = [&](double y) {
        const double away = (y - first) / second;
        return -away * away / 2 - std::log(second) - std::log(2 * std::numbers::pi) / 2;
    };
    if (family == Family::normal) return bell(x);
    if (std::isnan(x)) return nan;
    if (!(x > 0)) return -infinity;
    switch (family) {
        case Family::exponential:
            return std::log(first) - first * x;
        case Family::gamma:
            return first * std::log(second) + (first - 1) * std::log(x) - second * x - log_gamma(first);
        case Family::weibull:
            return std::log(first / second) + (first - 1) * std::log(x / second) -
                   std::pow(x / second, first);
        case Family::lognormal:
            return bell(std::log(x)) - std::log(x);
        case Family::normal:
            break;
    }
    return nan;
}

double FittedDistribution::akaike() const
{
    return 2 * (parameters_of(distribution.family).second.empty() ? 1 : 2) - 2 * log_likelihood;
}

std::optional<FittedDistribution> fitted(Family family, std::span<const double> samples)
{
    if (samples.size() < 2) return std::nullopt;
    for (const double one : samples)
        if (!std::isfinite(one) || (family != Family::normal && one <= 0)) return std::nullopt;
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    if (*least == *most) return std::nullopt;

    FittedDistribution result{.distribution = fit(family, samples)};
    const Distribution& found = result.distribution;
    if (!std::isfinite(found.first) || !std::isfinite(found.second)) return std::nullopt;
    for (const double one : samples) result.log_likelihood += found.log_density(one);
    if (!std::isfinite(result.log_likelihood)) return std::nullopt;
    result.distance = distance_from(samples, [&](double x) { return found.share(x); });
    return result;
}

}  // namespace fathom
