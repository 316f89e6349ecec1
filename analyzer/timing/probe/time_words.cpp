// A number and a unit from a table.
#include "analyzer/timing/probe/time_words.h"

#include <charconv>
#include <cmath>

namespace fathom {
namespace {

struct TimeUnit {
    std::string_view name;
    double nanoseconds;
};
constexpr TimeUnit units[] = {{"", 1e9},     {"us", 1e3}, {"µs", 1e3},   {"ms", 1e6},   {"s", 1e9},
                              {"min", 60e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
constexpr double most = 100 * 365.25 * 86400e9;

}  // namespace

std::optional<std::uint64_t> parse_time(std::string_view words)
{
    double number = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
    std::string_view name = words.substr(static_cast<std::size_t>(end - words.data()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    for (const TimeUnit& unit : units) {
        if (unit.name != name) continue;
        const double time = number * unit.nanoseconds;
        if (time < 1 || time > most) return std::nullopt;
        return static_cast<std::uint64_t>(std::llround(time));
    }
    return std::nullopt;
}

}  // namespace fathom
