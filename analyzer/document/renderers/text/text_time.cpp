// Groups of slices, and ticks that do not run into each other.
#include "analyzer/document/renderers/text/text_time.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

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
        const std::size_t to = std::min(from + group, values.size());
        const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(from),
                                           values.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
        grouped.push_back(sum / static_cast<double>(to - from));
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

std::string column_length(const TimeAxis& axis, std::size_t group)
{
    const std::string length = format_seconds(axis.length * static_cast<double>(group));
    return group == 1 ? fmt::format("A column is {}.", length)
                      : fmt::format("A column is {}, the mean of {} time bins.", length, group);
}

}  // namespace fathom::report
