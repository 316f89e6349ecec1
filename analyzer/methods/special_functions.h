// Functions of mathematics that distributions need and the standard library lacks: those of Boost, without
// its exceptions and its headers' weight.
#pragma once

namespace fathom {

// The derivative of the logarithm of the gamma function, and the derivative of that; not a number unless
// x > 0.
double digamma(double x);
double trigamma(double x);

// Share of a gamma distribution of this shape (above 0) and scale 1 that is at most x: the regularized lower
// incomplete gamma function. 0 for x <= 0; not a number where one argument is not or where the shape is not
// above 0.
double gamma_share(double shape, double x);

// The logarithm of the gamma function, for x > 0.
double log_gamma(double x);

// Share of the normal distribution of mean 0 and deviation 1 that is at most x.
double normal_share(double x);

// The x of which that share is p: infinite for p = 0 and p = 1, not a number outside of them.
double normal_quantile(double p);

// The x of which the share p of Student's t distribution is at most that; `degrees` above 0, else not a
// number.
double student_quantile(double degrees, double p);

}  // namespace fathom
