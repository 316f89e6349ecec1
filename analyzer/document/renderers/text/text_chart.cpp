// Charts in text: a bar a line, in eighths of a character where the terminal has them.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/document/chart_ends.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t least_label = 10, most_bar = 50;
constexpr std::array<std::string_view, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
constexpr std::array<std::string_view, 4> fills_utf8 = {"█", "▒", "░", "·"};
constexpr std::array<std::string_view, 4> fills_ascii = {"#", "=", ".", "-"};

std::string value_text(const Chart& chart, double value)
{
    return format(cell_of(chart.measure, value));
}

// The smallest bar that is no bar at all would hide that something was there.
std::string bar(double part, std::size_t room, bool utf8)
{
    if (!(part > 0) || room == 0) return {};
    const auto units =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(part * static_cast<double>(room) * 8)));
    std::string drawn;
    for (std::size_t full = 0; full < units / 8; ++full) drawn += utf8 ? "█" : "#";
    if (utf8)
        drawn += eighths[units % 8];
    else if (units % 8 >= 4 || drawn.empty())
        drawn += "#";
    return drawn;
}

std::string stacked_bar(const Chart& chart, std::size_t category, double largest, std::size_t room, bool utf8)
{
    const auto& fills = utf8 ? fills_utf8 : fills_ascii;
    std::string drawn;
    double sum = 0;
    std::size_t done = 0;
    for (std::size_t at = 0; at < chart.series.size();
         ++at) {  // round ends, not lengths: their sum stays right
        sum += chart.series[at].values[category];
        const auto end = static_cast<std::size_t>(std::lround(sum / largest * static_cast<double>(room)));
        for (; done < end; ++done) drawn += fills[at % fills.size()];
    }
    return drawn;
}

double sum_of(const Chart& chart, std::size_t category)
{
    double sum = 0;
    for (const Series& series : chart.series) sum += series.values[category];
    return sum;
}

double largest_of(const Chart& chart)
{
    double largest = 0;
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        if (chart.shape == Shape::stacked)
            largest = std::max(largest, sum_of(chart, at));
        else
            for (const Series& series : chart.series) largest = std::max(largest, series.values[at]);
    }
    return largest;
}

std::string heading(const Chart& chart, const TextStyle& style)
{
    const std::string title = printable(chart.title);
    if (chart.shape == Shape::grouped) return wrapped(title, style.width, "  ", "  ");
    const auto& fills = style.utf8 ? fills_utf8 : fills_ascii;
    std::string legend;
    for (std::size_t at = 0; at < chart.series.size(); ++at)
        legend += (at == 0 ? "" : "  ") + std::string(fills[at % fills.size()]) + " " +
                  printable(chart.series[at].name);
    if (display_width(title) + display_width(legend) + 4 <= style.width)
        return "  " + title + "  " + legend + "\n";
    return wrapped(title, style.width, "  ", "  ") + wrapped(legend, style.width, "  ", "  ");
}

}  // namespace

std::string text_of(const Chart& whole, const TextStyle& style)
{
    const Chart chart = without_empty_ends(whole);
    const double largest = largest_of(chart);
    std::string out = heading(chart, style);
    if (!(largest > 0)) return out + "  nothing to show: all values are 0\n";

    const bool grouped = chart.shape == Shape::grouped;
    std::size_t label_width = display_width(chart.category_heading), name_width = 0, value_width = 0;
    for (const std::string& label : chart.categories)
        label_width = std::max(label_width, display_width(printable(label)));
    if (grouped)
        for (const Series& series : chart.series)
            name_width = std::max(name_width, display_width(series.name) + 1);
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        if (!grouped)
            value_width = std::max(value_width, display_width(value_text(chart, sum_of(chart, at))));
        else
            for (const Series& series : chart.series)
                value_width = std::max(value_width, display_width(value_text(chart, series.values[at])));
    }
    label_width = std::min(label_width, std::max(style.width / 3, least_label));
    const std::size_t taken = 2 + label_width + 1 + name_width + 2 + value_width;
    const std::size_t room = std::min(style.width > taken ? style.width - taken : 0, most_bar);

    const auto line = [&](std::string_view label, std::string_view name, const std::string& drawn,
                          double value) {
        out += "  " +
               pad(shorten_middle(printable(label), label_width), label_width,
                   grouped ? Align::left : Align::right) +
               " ";
        if (grouped) out += pad(name, name_width);
        out += drawn + (drawn.empty() ? "" : " ") + value_text(chart, value) + "\n";
    };
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        if (!grouped) {
            line(chart.categories[at], "", stacked_bar(chart, at, largest, room, style.utf8),
                 sum_of(chart, at));
            continue;
        }
        bool first = true;
        for (const Series& series : chart.series) {
            const double value = series.values[at];
            if (value <= 0) continue;
            line(std::exchange(first, false) ? chart.categories[at] : "", series.name,
                 bar(value / largest, room, style.utf8), value);
        }
        if (first) line(chart.categories[at], "", "", 0);
    }
    if (!chart.remark.empty())
        for (const std::string& remark : wrap(printable(chart.remark), style.width - 2))
            out += "  " + remark + "\n";
    return out;
}

}  // namespace fathom::report
