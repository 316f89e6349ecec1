// Heatmaps in text: four shades, the sum of each column above it, that of each row beside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/drawing/heatmap.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/renderers/text/text_time.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t most_lines = 32;
constexpr std::array<std::string_view, 5> shades = {" ", "░", "▒", "▓", "█"};
constexpr std::array<std::string_view, 5> shades_ascii = {" ", ".", ":", "*", "#"};

// Several rows of the heatmap as one: means over all of their members.
struct Line {
    Band band{0, 0, 0};
    std::vector<double> values;
    double at_right = 0;
};

// With classes: the largest value of all members.
Line largest_line_of(const Heatmap& map, std::size_t from, std::size_t to, std::size_t group)
{
    Line line{map.rows[from], {}, 0};
    std::vector<double> largest = map.values[from];
    for (std::size_t row = from; row < to; ++row) {
        for (std::size_t at = 0; at < largest.size(); ++at)
            largest[at] = std::fmax(largest[at], map.values[row][at]);
        line.at_right += map.by_row.values[row];
    }
    if (to > from + 1) line.band.name = name_of(map.rows[from]) + " .. " + name_of(map.rows[to - 1]);
    line.values = maxima(largest, group);
    line.at_right /= static_cast<double>(to - from);
    return line;
}

Line line_of(const Heatmap& map, std::size_t from, std::size_t to, std::size_t group)
{
    Line line;
    if (!map.levels.empty()) return largest_line_of(map, from, to, group);
    std::vector<double> sums(map.time.slices);
    line.band.first = map.rows[from].first;
    for (std::size_t row = from; row < to; ++row) {
        const auto members = static_cast<double>(map.rows[row].members);
        for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += map.values[row][at] * members;
        line.at_right += map.by_row.values[row] * members;
        line.band.last = map.rows[row].last;
        line.band.members += map.rows[row].members;
    }
    const auto members = static_cast<double>(std::max<std::uint64_t>(line.band.members, 1));
    line.values = means(sums, group);
    for (double& value : line.values) value /= members;
    line.at_right /= members;
    return line;
}

std::vector<Line> lines_of(const Heatmap& map, std::size_t group)
{
    const std::size_t rows = (map.rows.size() + most_lines - 1) / most_lines;
    std::vector<Line> lines;
    for (std::size_t from = 0; from < map.rows.size(); from += rows)
        lines.push_back(line_of(map, from, std::min(from + rows, map.rows.size()), group));
    return lines;
}

// What is there has a shade.
std::string_view shade_of(double value, double largest, bool utf8)
{
    const auto& levels = utf8 ? shades : shades_ascii;
    if (!(value > 0)) return levels[0];
    const auto level = static_cast<std::size_t>(std::ceil(value / largest * 4));
    return levels[std::clamp<std::size_t>(level, 1, 4)];
}

// One of four shades, by class; what is not known is blank.
std::string_view shade_of(double value, const std::vector<ValueClass>& levels, bool utf8)
{
    if (!std::isfinite(value)) return " ";
    std::size_t level = 1;
    while (level < levels.size() && value >= levels[level].from) ++level;
    return (utf8 ? shades : shades_ascii)[std::min<std::size_t>(level, 4)];
}

std::string drawn(const std::vector<double>& values, const std::vector<ValueClass>& levels, bool utf8)
{
    std::string cells;
    for (const double value : values) cells += shade_of(value, levels, utf8);
    return cells;
}

std::string legend_of(const std::vector<ValueClass>& levels, Measure measure, bool utf8)
{
    std::string legend;
    for (std::size_t at = 0; at < std::min<std::size_t>(levels.size(), 4); ++at)
        legend +=
            fmt::format("{}{} {}{}", at == 0 ? "" : ", ", (utf8 ? shades : shades_ascii)[at + 1],
                        levels[at].name, at == 0 ? "" : " from " + format_tick(measure, levels[at].from));
    return legend + "; blank: nothing is known";
}

std::string drawn(const std::vector<double>& values, double largest, bool utf8)
{
    std::string cells;
    for (const double value : values) cells += shade_of(value, largest, utf8);
    return cells;
}

}  // namespace

std::string text_of(const Heatmap& map, const TextStyle& style)
{
    std::string out = wrapped(printable(map.title), style.width, "  ", "  ");
    if (map.levels.empty() && !(largest_of(map) > 0)) return out + "  nothing to show: all values are 0\n";

    const auto beside = [&](double value) { return format(cell_of(map.by_row.measure, value)); };
    std::size_t label_width = std::max<std::size_t>(display_width(map.row_heading), 3), value_width = 0;
    for (const Line& line : lines_of(map, 1)) {
        label_width = std::max(label_width, name_of(line.band).size());
        value_width = std::max(value_width, display_width(beside(line.at_right)));
    }
    const std::size_t taken = 2 + label_width + 2 + 2 + value_width;
    const std::size_t group = slices_per_column(map.time, style.width - std::min(style.width - 10, taken));

    const std::vector<Line> lines = lines_of(map, group);
    double largest = 0;
    for (const Line& line : lines)
        largest = std::max(largest, *std::max_element(line.values.begin(), line.values.end()));
    const std::vector<double> above = means(map.by_slice.values, group);
    const double highest = *std::max_element(above.begin(), above.end());
    const bool by_class = !map.levels.empty();

    const auto row = [&](const std::string& label, const std::string& cells, const std::string& value) {
        out += "  " + pad(label, label_width, Align::right) + " │" + cells + "│ " +
               pad(value, value_width, Align::right) + "\n";
    };
    if (!by_class) row("all", drawn(above, highest, style.utf8), "");
    std::string rule;
    for (std::size_t at = 0; at < above.size(); ++at) rule += "─";
    row(map.row_heading, rule, "");
    for (const Line& line : lines)
        row(name_of(line.band),
            by_class ? drawn(line.values, map.levels, style.utf8) : drawn(line.values, largest, style.utf8),
            beside(line.at_right));
    if (const std::string ticks = tick_line(map.time, group, above.size()); !ticks.empty())
        out += std::string(2 + label_width + 2, ' ') + ticks + "\n";

    std::string legend;
    if (by_class) legend = legend_of(map.levels, map.measure, style.utf8);
    for (std::size_t level = 1; level <= 4 && !by_class; ++level)
        legend +=
            fmt::format("{}{} {}", level == 1 ? "up to: " : "  ", (style.utf8 ? shades : shades_ascii)[level],
                        format_tick(map.measure, largest * static_cast<double>(level) / 4));
    if (!by_class)
        legend += fmt::format("; in \"all\" {} at most", format_tick(map.by_slice.measure, highest));
    for (const std::string& line : wrap(legend, style.width - 2)) out += "  " + line + "\n";
    std::string words = column_length(map.time, group, by_class);
    if (lines.size() < map.rows.size() && map.rows[0].members == 1 && !by_class)
        words += fmt::format(" Rows of more than one {} show their mean.", map.row_heading);
    if (!map.remark.empty()) words.append(" ").append(printable(map.remark));
    for (const std::string& line : wrap(words, style.width - 2)) out += "  " + line + "\n";
    return out;
}

}  // namespace fathom::report
