// Values over time in text: columns a few lines high, in eighths of a character where the terminal has them.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/time_chart.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/renderers/text/text_time.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t lines = 4;
constexpr std::array<std::string_view, 9> eighths_up = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> eighths_ascii = {" ", ".", ".", ".", ":", ":", ":", ":", "#"};
constexpr std::string_view not_known = "?";

// Of all lines of a column, in eighths; what is there takes at least one.
std::size_t height_of(double value, double largest)
{
    if (!(value > 0)) return 0;
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(value / largest * lines * 8)));
}

}  // namespace

std::string text_of(const TimeChart& chart, const TextStyle& style)
{
    std::string out = wrapped(printable(chart.title), style.width, "  ", "  ");
    const auto drawn = drawn_series(chart);
    if (drawn.empty()) return out + "  nothing to show: all values are 0\n";
    const auto& bars = style.utf8 ? eighths_up : eighths_ascii;
    const auto label_of = [&](double value) { return format_tick(chart.measure, value); };

    // Means are no larger than what they are of, but may take more characters.
    std::size_t label_width = 10;
    for (const Series* const series : drawn)
        label_width = std::max(label_width, display_width(label_of(largest_of(*series))));
    const std::size_t room = style.width - std::min(style.width - 10, 2 + label_width + 2);
    const std::size_t group = slices_per_column(chart.time, room);
    std::size_t columns = 0;
    bool open = false;
    for (const Series* const series : drawn) {
        const std::vector<double> values = means(series->values, group);
        double largest = 0;
        for (const double value : values) largest = std::max(largest, std::isfinite(value) ? value : 0);
        columns = values.size();
        out += "  " + printable(series->name) + "\n";
        for (std::size_t line = lines; line-- > 0;) {
            const std::string label = line + 1 == lines ? label_of(largest) : line == 0 ? "0" : "";
            std::string row = "  " + pad(label, label_width, Align::right) + " │";
            for (const double value : values) {
                if (!std::isfinite(value)) {
                    row += line == 0 ? not_known : " ";
                    open = true;
                    continue;
                }
                const std::size_t height = height_of(value, largest);
                row += bars[height > line * 8 ? std::min<std::size_t>(height - line * 8, 8) : 0];
            }
            row.erase(row.find_last_not_of(' ') + 1);
            out += row + "\n";
        }
    }
    const std::string indent(2 + label_width + 2, ' ');
    if (const std::string ticks = tick_line(chart.time, group, columns); !ticks.empty())
        out += indent + ticks + "\n";
    std::string words = column_length(chart.time, group);
    if (open) words += fmt::format(" {}: nothing is known.", not_known);
    if (!chart.remark.empty()) words.append(" ").append(printable(chart.remark));
    for (const std::string& line : wrap(words, style.width - 2)) out += "  " + line + "\n";
    return out;
}

}  // namespace fathom::report
