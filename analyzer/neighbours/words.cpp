#include "analyzer/neighbours/words.h"

#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::neighbours {
namespace {

constexpr double mebibyte = 0x1p20;

}  // namespace

report::Cell rate_cell(double bytes_a_second)
{
    return std::isfinite(bytes_a_second) ? report::rate(bytes_a_second / mebibyte)
                                         : report::unknown(report::Measure::rate);
}

report::Cell seconds_cell(double seconds)
{
    return std::isfinite(seconds) ? report::seconds(seconds) : report::unknown(report::Measure::seconds);
}

report::Cell bytes_cell(double bytes)
{
    return bytes >= 0 && bytes < 9e18 ? report::bytes(static_cast<std::uint64_t>(std::llround(bytes)))
                                      : report::unknown(report::Measure::bytes);
}

report::Cell share_cell(double share)
{
    return std::isfinite(share) ? report::with_decimals(report::share(share), 1)
                                : report::unknown(report::Measure::share);
}

report::Cell count_cell(double count)
{
    return count >= 1 && count < 9e18 ? report::count(static_cast<std::uint64_t>(count))
                                      : report::unknown(report::Measure::count);
}

report::Cell name_cell(const std::string& name)
{
    return name.empty() ? report::unknown() : report::text(report::printable(name));
}

report::Cell ratio_cell(double first, double second)
{
    if (!(first > 0 && second > 0 && std::isfinite(first) && std::isfinite(second))) return report::unknown();
    const auto words = [](double ratio) {
        constexpr double no_decimals = 100;
        return ratio < no_decimals ? fmt::format("{:.1f}", ratio)
               : ratio < 9e18      ? report::format_count(static_cast<std::uint64_t>(std::llround(ratio)))
                                   : "many";
    };
    return report::text(first <= second ? "1 : " + words(second / first) : words(first / second) + " : 1");
}

std::string words_of(const UsualRate& usual)
{
    switch (usual.from) {
        case UsualRate::From::own_bins:
            return fmt::format("of its own {} in I/O without neighbours",
                               report::format_seconds(usual.seconds));
        case UsualRate::From::runs_alike:
            return usual.runs == 1
                       ? "of another run of its kind, without neighbours"
                       : fmt::format("median of {} other runs of its kind, without neighbours", usual.runs);
        case UsualRate::From::nothing:
            break;
    }
    return "neither it nor another run of its kind was without neighbours for long enough";
}

}  // namespace fathom::neighbours
