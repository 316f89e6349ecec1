// Units and digits as the papers print them.
#include "analyzer/jobs/study/cells.h"

#include <fmt/format.h>

namespace fathom::jobs {

double hours_of(Number milliseconds)
{
    return static_cast<double>(milliseconds) / static_cast<double>(milliseconds_an_hour);
}

report::Cell number_cell(std::optional<double> value, int decimals)
{
    if (!value) return report::unknown(report::Measure::number);
    return report::with_decimals(report::number(*value), decimals);
}

report::Cell share_cell(std::optional<double> value, int decimals)
{
    if (!value) return report::unknown(report::Measure::share);
    return report::with_decimals(report::share(*value), decimals);
}

report::Cell share_cell(std::uint64_t part, std::uint64_t whole)
{
    return report::share_of(static_cast<double>(part), static_cast<double>(whole));
}

HourWords::HourWords(double largest) : scale_(largest >= 1e5 ? 1e6 : largest >= 1e3 ? 1e3 : 1) {}

std::string HourWords::number(double hours) const
{
    return fmt::format("{:.1f}", hours / scale_);
}

std::string_view HourWords::unit() const
{
    return scale_ == 1e6 ? " M" : scale_ == 1e3 ? " K" : "";
}

}  // namespace fathom::jobs
