// Boost's functions, where they are defined.
#include "analyzer/methods/special_functions.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "analyzer/methods/not_finite.h"

namespace fathom {
namespace {

namespace policies = boost::math::policies;

// What has no value is not a number rather than an exception.
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>>;
const boost::math::normal_distribution<double, Quiet> standard_normal;

}  // namespace

double log_gamma(double x)
{
    return x > 0 ? boost::math::lgamma(x, Quiet()) : nan;
}

double digamma(double x)
{
    return x > 0 ? boost::math::digamma(x, Quiet()) : nan;
}

double trigamma(double x)
{
    return x > 0 ? boost::math::trigamma(x, Quiet()) : nan;
}

double gamma_share(double shape, double x)
{
    if (!(shape > 0) || std::isnan(x)) return nan;
    if (x <= 0) return 0;
    return std::isinf(x) ? 1 : boost::math::gamma_p(shape, x, Quiet());
}

double normal_share(double x)
{
    return boost::math::cdf(standard_normal, x);
}

double normal_quantile(double p)
{
    if (!(p >= 0 && p <= 1)) return nan;
    if (p == 0) return -infinity;
    return p == 1 ? infinity : boost::math::quantile(standard_normal, p);
}

double student_quantile(double degrees, double p)
{
    if (!(p >= 0 && p <= 1 && degrees > 0)) return nan;
    if (p == 0) return -infinity;
    if (p == 1) return infinity;
    return boost::math::quantile(boost::math::students_t_distribution<double, Quiet>(degrees), p);
}

}  // namespace fathom
