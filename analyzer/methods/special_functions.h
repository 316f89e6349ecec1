// Functions of mathematics that distributions need and the standard library lacks.
//
// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), by the numbers told below.
#pragma once

namespace fathom {

// The derivative of the logarithm of the gamma function, and the derivative of that; for x > 0, right to
// 1e-12 of the value. Not a number for all else. By recurrence to x >= 10, then 6.3.18 and 6.4.12.
double digamma(double x);
double trigamma(double x);

// Share of a gamma distribution of this shape (above 0) and scale 1 that is at most x: the regularized lower
// incomplete gamma function, right to 1e-12. 0 for x <= 0; not a number where one argument is not or where
// the shape is not above 0. By the series 6.5.29 for small x, else by the continued fraction 6.5.31.
double gamma_share(double shape, double x);

// The logarithm of the gamma function, for x > 0.
double log_gamma(double x);

// Share of the normal distribution of mean 0 and deviation 1 that is at most x; 26.2.29.
double normal_share(double x);

// The x of which that share is p: infinite for p = 0 and p = 1, not a number outside of them.
double normal_quantile(double p);

}  // namespace fathom
