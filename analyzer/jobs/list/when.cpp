// Days are those of UTC.
#include "analyzer/jobs/list/when.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <stdexcept>

namespace fathom::jobs {
namespace {

constexpr std::int64_t second = 1'000'000'000, day = 86400 * second;

struct Span {
    std::string_view name;
    std::int64_t length;
};
constexpr Span spans[] = {{"minute", 60 * second}, {"hour", 3600 * second}, {"day", day}, {"week", 7 * day}};

std::optional<std::int64_t> number_in(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return {};
    return number;
}

// "3 days ago"
std::optional<std::int64_t> ago(std::string_view said, std::int64_t now)
{
    constexpr std::string_view ending = " ago";
    if (!said.ends_with(ending)) return {};
    said.remove_suffix(ending.size());
    const std::size_t space = said.find(' ');
    const auto number = number_in(said.substr(0, space));
    if (!number || space == std::string_view::npos) return {};
    const std::string_view unit = said.substr(space + 1);
    for (const Span& span : spans)
        if (unit == span.name || unit == fmt::format("{}s", span.name))
            if (*number < now / span.length) return now - *number * span.length;
    return {};
}

struct Calendar {
    std::int64_t moment;
    bool whole_day;
};

// "2026-11-01", "2026-11-01T08:30:00"
std::optional<Calendar> calendar(std::string_view said)
{
    const auto part = [&](std::size_t from, std::size_t length) -> std::int64_t {
        return from + length <= said.size() ? number_in(said.substr(from, length)).value_or(-1) : -1;
    };
    if (said.size() < 10 || said[4] != '-' || said[7] != '-') return {};
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(part(8, 2)))};
    if (!date.ok() || part(0, 4) < 1970 || part(0, 4) > 2200) return {};
    std::int64_t moment = std::chrono::sys_days(date).time_since_epoch().count() * day;
    if (said.size() == 10) return Calendar{moment, true};
    const std::int64_t hour = part(11, 2), minute = part(14, 2), seconds = said.size() > 16 ? part(17, 2) : 0;
    const bool formed = (said.size() == 16 || said.size() == 19) && (said[10] == 'T' || said[10] == ' ') &&
                        said[13] == ':' && (said.size() == 16 || said[16] == ':');
    if (!formed || hour < 0 || hour > 23 || minute < 0 || minute > 59 || seconds < 0 || seconds > 59)
        return {};
    return Calendar{moment + (hour * 3600 + minute * 60 + seconds) * second, false};
}

}  // namespace

std::int64_t moment_of(const std::string& said, std::int64_t now)
{
    const std::int64_t midnight = now - now % day;
    if (said == "now") return now;
    if (said == "today") return midnight;
    if (said == "yesterday") return midnight - day;
    if (const auto moment = ago(said, now)) return *moment;
    if (const auto moment = calendar(said)) return moment->moment;
    if (said.starts_with('@'))
        if (const auto seconds = number_in(said.substr(1));
            seconds && *seconds < std::numeric_limits<std::int64_t>::max() / second)
            return *seconds * second;
    throw std::invalid_argument(fmt::format(
        "{}: say 2026-11-01, 2026-11-01T08:30, today, yesterday, '3 days ago' or @SECONDS (UNIX time)",
        said));
}

std::int64_t end_of_moment(const std::string& said, std::int64_t now)
{
    const std::int64_t moment = moment_of(said, now);
    const auto date = calendar(said);
    return said == "today" || said == "yesterday" || (date && date->whole_day) ? moment + day : moment;
}

}  // namespace fathom::jobs
