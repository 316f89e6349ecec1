#include "analyzer/series/report/words.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace fathom::series {
namespace {

std::uint64_t unsigned_of(double value)
{
    return static_cast<std::uint64_t>(std::llround(std::clamp(value, 0.0, 9e18)));
}

}  // namespace

report::Cell rate_cell(double bytes_a_second)
{
    return report::cell_of(report::Measure::rate, bytes_a_second / mebibyte);
}

report::Cell bytes_cell(double bytes)
{
    return report::bytes(unsigned_of(bytes));
}

report::Cell moment_cell(Nanoseconds time)
{
    return report::instant(static_cast<std::uint64_t>(std::max<Nanoseconds>(time, 0)));
}

std::string rate_words(double bytes_a_second)
{
    return report::format_rate(bytes_a_second / mebibyte);
}

std::string bytes_words(double bytes)
{
    return report::format_bytes(unsigned_of(bytes));
}

std::string time_words(Nanoseconds length)
{
    constexpr Nanoseconds minute = 60 * one_second, hour = 60 * minute;
    if (length >= hour && length % hour == 0) return fmt::format("{} h", length / hour);
    if (length > minute && length < 2 * hour && length % minute == 0)
        return fmt::format("{} min", length / minute);
    if (length % one_second == 0 && length <= 5 * minute) return fmt::format("{} s", length / one_second);
    return report::format_seconds(seconds_in(length));
}

std::string moment_words(Nanoseconds time)
{
    return report::format(moment_cell(time));
}

std::string percent_words(double share)
{
    return report::format_share(share);
}

std::string from_to_words(Nanoseconds begin, Nanoseconds end)
{
    constexpr std::size_t date = 11, moment = 19;  // "2018-01-28 ", "2018-01-28 00:00:00"
    const std::string from = moment_words(begin), to = moment_words(end);
    if (from.size() < moment || to.size() < moment) return from + " to " + to;
    const bool one_day = from.substr(0, date) == to.substr(0, date);
    return fmt::format("{} to {}", from.substr(0, moment), one_day ? to.substr(date) : to);
}

Columns::Columns(const Grid& grid)
{
    bins = std::max<std::size_t>((grid.count + most_columns - 1) / most_columns, 1);
    axis.length = seconds_in(grid.length) * static_cast<double>(bins);
    axis.slices = (grid.count + bins - 1) / bins;
    axis.end = seconds_in(grid.length) * static_cast<double>(grid.count);
    axis.began = static_cast<std::uint64_t>(std::max<Nanoseconds>(grid.begin, 0));
}

std::vector<double> Columns::means(const std::vector<double>& values, double unit) const
{
    std::vector<double> columns;
    for (std::size_t from = 0; from < values.size(); from += bins) {
        double sum = 0, known = 0;
        for (std::size_t at = from; at < std::min(from + bins, values.size()); ++at)
            if (std::isfinite(values[at])) {
                sum += values[at];
                ++known;
            }
        columns.push_back(known > 0 ? sum / known / unit : std::nan(""));
    }
    return columns;
}

std::vector<double> Columns::highest(const std::vector<double>& values, double unit) const
{
    std::vector<double> columns;
    for (std::size_t from = 0; from < values.size(); from += bins) {
        double highest = std::nan("");
        for (std::size_t at = from; at < std::min(from + bins, values.size()); ++at)
            highest = std::fmax(highest, values[at]);
        columns.push_back(highest / unit);
    }
    return columns;
}

}  // namespace fathom::series
