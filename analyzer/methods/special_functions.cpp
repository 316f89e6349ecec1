// Asymptotic series, where need be after a recurrence; a series and a continued fraction; Newton's steps.
#include "analyzer/methods/special_functions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <math.h>  // NOLINT: lgamma_r, which unlike std::lgamma writes no global
#include <numbers>

namespace fathom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double enough = 1e-16;  // terms below this share of their sum change nothing
// The asymptotic series have errors below 1e-13 from here on.
constexpr double asymptotic_from = 10;

// Both expansions of 6.5 take about sqrt(shape) terms: a shape of 1e12 is let go after this.
constexpr int most_terms = 100'000;

// x^shape e^-x / gamma(shape), without overflow.
double front(double shape, double x)
{
    return std::exp(shape * std::log(x) - x - log_gamma(shape));
}

double lower_by_series(double shape, double x)
{
    double term = 1 / shape, sum = term;
    for (int n = 1; n < most_terms && term > sum * enough; ++n) {
        term *= x / (shape + n);
        sum += term;
    }
    return sum * front(shape, x);
}

// Lentz's way of working out a continued fraction from its front.
double upper_by_fraction(double shape, double x)
{
    constexpr double tiny = std::numeric_limits<double>::min() / enough;
    double b = x + 1 - shape;
    double c = 1 / tiny, d = 1 / (std::fabs(b) < tiny ? tiny : b);
    double value = d;
    for (int n = 1; n < most_terms; ++n) {
        const double a = -n * (n - shape);
        b += 2;
        d = a * d + b;
        if (std::fabs(d) < tiny) d = tiny;
        d = 1 / d;
        c = b + a / c;
        if (std::fabs(c) < tiny) c = tiny;
        const double step = c * d;
        value *= step;
        if (std::fabs(step - 1) < enough) break;
    }
    return value * front(shape, x);
}

}  // namespace

double log_gamma(double x)
{
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

double digamma(double x)
{
    if (!(x > 0)) return nan;
    double value = 0;
    for (; x < asymptotic_from; ++x) value -= 1 / x;
    const double y = 1 / (x * x);
    return value + std::log(x) - 0.5 / x -
           y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132)))));
}

double trigamma(double x)
{
    if (!(x > 0)) return nan;
    double value = 0;
    for (; x < asymptotic_from; ++x) value += 1 / (x * x);
    const double y = 1 / (x * x);
    return value + 1 / x + y / 2 +
           y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * (5.0 / 66)))));
}

double gamma_share(double shape, double x)
{
    if (!(shape > 0) || std::isnan(x)) return nan;
    if (x <= 0) return 0;
    if (std::isinf(x)) return 1;
    return x < shape + 1 ? lower_by_series(shape, x) : 1 - upper_by_fraction(shape, x);
}

double normal_share(double x)
{
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p)
{
    if (!(p >= 0 && p <= 1)) return nan;
    if (p == 0) return -infinity;
    if (p == 1) return infinity;
    if (p > 0.5) return -normal_quantile(1 - p);
    // The logarithm of the share is concave: from below, where its tail's bound e^(-x^2 / 2) / 2 puts the
    // start, Newton's steps go straight up to the root. Further out than `last` the share is no number any
    // more.
    constexpr double last = -38;
    const double wanted = std::log(p);
    double x = std::max(-std::sqrt(-2 * std::log(2 * p)), last);
    for (int step = 0; step < 100; ++step) {
        const double share = normal_share(x);
        const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        const double change = (std::log(share) - wanted) * share / density;
        x -= change;
        if (std::fabs(change) <= 1e-14 * (1 + std::fabs(x))) break;
    }
    return x;
}

}  // namespace fathom
