// Groups of slices, and ticks that do not run into each other.
#include "analyzer/document/renderers/text/text_time.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t room_for_time_tick = 8;

}  // namespace

std::size_t slices_per_column(const TimeAxis& axis, std::size_t room)
{
    room = std::max<std::size_t>(room, 1);
    return std::max<std::size_t>((axis.slices + room - 1) / room, 1);
}

std::vector<double> means(const std::vector<double>& values, std::size_t group)
{
    std::vector<double> grouped;
    for (std::size_t from = 0; from < values.size(); from += group) {
        double sum = 0, known = 0;
        for (std::size_t at = from; at < std::min(from + group, values.size()); ++at)
            if (std::isfinite(values[at])) {
                sum += values[at];
                ++known;
            }
        grouped.push_back(known > 0 ? sum / known : std::nan(""));
    }
    return grouped;
}

std::vector<double> maxima(const std::vector<double>& values, std::size_t group)
{
    std::vector<double> grouped;
    for (std::size_t from = 0; from < values.size(); from += group) {
        grouped.push_back(std::nan(""));
        for (std::size_t at = from; at < std::min(from + group, values.size()); ++at)
            grouped.back() = std::fmax(grouped.back(), values[at]);
    }
    return grouped;
}

std::string tick_line(const TimeAxis& axis, std::size_t group, std::size_t columns)
{
    std::string line;
    for (const Tick& tick : time_ticks(axis, columns / room_for_time_tick + 1)) {
        const double column = (tick.at - axis.first) / (axis.length * static_cast<double>(group));
        const auto at = static_cast<std::size_t>(std::max(column, 0.0));
        const std::string label = "|" + tick.label;
        if (at + label.size() > columns || (!line.empty() && at < line.size() + 1)) continue;
        line = pad(line, at) + label;
    }
    return line;
}

std::string column_length(const TimeAxis& axis, std::size_t group, bool of_largest)
{
    const std::string length = format_seconds(axis.length * static_cast<double>(group));
    const std::string from = axis.began > 0 ? ", " + heading_of(axis) : "";
    return group == 1 ? fmt::format("A column is {}{}.", length, from)
                      : fmt::format("A column is {}, {} of {} time bins{}.", length,
                                    of_largest ? "the largest" : "the mean", group, from);
}

}  // namespace fathom::report
