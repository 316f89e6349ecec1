// Whole parts and billionths apart: together they would not go into 64 bits.
#include "analyzer/methods/exact_mean.h"

#include <cmath>

namespace fathom {
namespace {

constexpr double largest_value = 1e12, per_whole = 1e9;

}  // namespace

void ExactMean::add(double value)
{
    if (!(std::fabs(value) <= largest_value)) return;
    const double whole = std::floor(value);
    whole_ += static_cast<std::int64_t>(whole);
    billionths_ += std::llround((value - whole) * per_whole);
    ++values_;
}

std::optional<double> ExactMean::mean() const
{
    if (values_ == 0) return {};
    return (static_cast<double>(whole_) + static_cast<double>(billionths_) / per_whole) /
           static_cast<double>(values_);
}

}  // namespace fathom
