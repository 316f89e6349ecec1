// Steps that people count in: 1, 2 and 5 below a minute, quarters and halves of a minute, of an hour and of a
// day.
#include "analyzer/document/drawing/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double minute = 60, hour = 3600, day = 86400;
constexpr std::array steps = {0.001,       0.002,       0.005,       0.01,    0.02,       0.05,
                              0.1,         0.2,         0.5,         1.0,     2.0,        5.0,
                              10.0,        15.0,        30.0,        minute,  2 * minute, 5 * minute,
                              10 * minute, 15 * minute, 30 * minute, hour,    2 * hour,   3 * hour,
                              6 * hour,    12 * hour,   day,         2 * day, 5 * day};

struct TimeUnit {
    double seconds;
    const char* name;
};
// The first whose steps are at least this long.
constexpr std::array units = {TimeUnit{day, "d"}, TimeUnit{hour, "h"}, TimeUnit{minute, "min"},
                              TimeUnit{1, "s"}};

TimeUnit unit_of_step(double step)
{
    for (const TimeUnit& unit : units)
        if (step >= unit.seconds) return unit;
    return units.back();
}

double step_of(const TimeAxis& axis, std::size_t most)
{
    const double least = axis.end / static_cast<double>(std::max<std::size_t>(most, 2) - 1);
    for (const double step : steps)
        if (step >= least) return step;
    return std::ceil(least / (10 * day)) * 10 * day;
}

// "01-28" where a day begins or all ticks are days, "08:30", "08:30:05".
std::string utc_label(std::uint64_t moment, double step)
{
    const std::string words = format_instant(moment);  // 2026-11-21 09:33:58 UTC
    if (words.size() < 19) return words;
    const std::string date = words.substr(5, 5), time = words.substr(11, 8);
    return step >= day || time == "00:00:00" ? date : step >= minute ? time.substr(0, 5) : time;
}

std::vector<Tick> utc_ticks(const TimeAxis& axis, std::size_t most)
{
    std::vector<Tick> ticks;
    const double step = std::max(step_of(axis, most), 1.0), began = static_cast<double>(axis.began) / 1e9;
    for (double number = std::ceil(began / step); number * step - began <= axis.end; ++number)
        ticks.push_back(
            {number * step - began,
             utc_label(static_cast<std::uint64_t>(std::llround(number * step)) * 1'000'000'000, step)});
    return ticks;
}

}  // namespace

std::vector<Tick> time_ticks(const TimeAxis& axis, std::size_t most)
{
    if (axis.began > 0) return utc_ticks(axis, most);
    std::vector<Tick> ticks;
    const double step = step_of(axis, most);
    const TimeUnit unit = unit_of_step(step);
    // By number: sums of steps would drift.
    for (double number = 0; number * step <= axis.end * (1 + 1e-9); ++number)
        ticks.push_back({number * step, fmt::format("{:.6g} {}", number * step / unit.seconds, unit.name)});
    return ticks;
}

double begin_of(const TimeAxis& axis, std::size_t slice)
{
    return std::clamp(axis.first + axis.length * static_cast<double>(slice), 0.0, axis.end);
}

double end_of(const TimeAxis& axis, std::size_t slice)
{
    return begin_of(axis, slice + 1);
}

Cell from_cell(const TimeAxis& axis, std::size_t slice)
{
    const double begin = begin_of(axis, slice);
    return axis.began > 0 ? instant(axis.began + static_cast<std::uint64_t>(begin * 1e9)) : seconds(begin);
}

std::string from_words(const TimeAxis& axis, std::size_t slice)
{
    return "from " + format(from_cell(axis, slice));
}

std::string heading_of(const TimeAxis& axis)
{
    return axis.began > 0 ? "from " + format_instant(axis.began) : "since the job's start";
}

}  // namespace fathom::report
