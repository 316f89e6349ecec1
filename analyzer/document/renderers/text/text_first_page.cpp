// The first page in at most 40 lines of 80 columns: charts stand side by side where there is room.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/first_page.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/renderers/text/text_time.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t page_margin = 2, chart_lines = 5, widest_bar = 44;
constexpr std::array<std::string_view, 9> up_utf8 = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> up_ascii = {" ", ".", ".", ".", ":", ":", ":", ":", "#"};
struct TimeFills {
    std::string_view write, read, metadata;
};
constexpr TimeFills time_utf8 = {"▒", "█", "░"}, time_ascii = {"=", "#", "."};

using Lines = std::vector<std::string>;

const TimeFills& fills(const TextStyle& style)
{
    return style.utf8 ? time_utf8 : time_ascii;
}

void append(std::string& to, std::string_view what, std::size_t times)
{
    for (; times > 0; --times) to += what;
}

// Ends are rounded, not lengths: the whole stays right. What is there takes at least a character.
std::string bar_of(const std::vector<std::pair<double, std::string_view>>& parts, double whole,
                   std::size_t room)
{
    std::string bar;
    double sum = 0;
    std::size_t done = 0;
    for (const auto& [part, fill] : parts) {
        if (!(part > 0) || !(whole > 0)) continue;
        sum += part;
        const auto end =
            std::min(std::max(done + 1,
                              static_cast<std::size_t>(std::lround(sum / whole * static_cast<double>(room)))),
                     room);
        append(bar, fill, end - std::min(done, end));
        done = std::max(done, end);
    }
    return bar;
}

std::string bars_of(const FirstPage& page, const TextStyle& style)
{
    if (page.bars.empty()) return {};
    std::size_t label = 0;
    double longest = 0;
    for (const TimeBar& bar : page.bars) {
        label = std::max(label, display_width(printable(bar.label)));
        longest = std::max({longest, bar.run, bar.io()});
    }
    label = std::min(label, style.width / 3);
    const std::size_t taken = page_margin + label + 2 + 18;
    const std::size_t room = std::min(style.width - std::min(style.width - 8, taken), widest_bar);
    std::string out;
    bool runs_differ = false;
    for (const TimeBar& bar : page.bars)
        runs_differ = runs_differ || format_seconds(bar.run) != format_seconds(page.bars[0].run);
    for (const TimeBar& bar : page.bars) {
        const std::string drawn = bar_of({{bar.write, fills(style).write},
                                          {bar.read, fills(style).read},
                                          {bar.metadata, fills(style).metadata}},
                                         longest, room);
        std::string line =
            fmt::format("  {}  {}  {}", pad(shorten_middle(printable(bar.label), label), label),
                        pad(drawn, room), format_seconds(bar.io()));
        line += runs_differ ? fmt::format(" of {}", format_seconds(bar.run)) : " in I/O";
        out += line + "\n";
    }
    const std::string below(page_margin + label + 2, ' ');
    return out + wrapped(fmt::format("{} write  {} read  {} metadata; full width: {}", fills(style).write,
                                     fills(style).read, fills(style).metadata, format_seconds(longest)),
                         style.width, below, below);
}

std::string numbers_of(const FirstPage& page, const TextStyle& style)
{
    std::size_t label = 0, value = 0;
    for (const KeyNumber& one : page.numbers) {
        label = std::max(label, display_width(one.label));
        value = std::max(value, display_width(format(one.value)));
    }
    std::string out;
    for (const KeyNumber& one : page.numbers) {
        const std::string begin =
            fmt::format("  {}  {}  ", pad(one.label, label), pad(format(one.value), value, Align::right));
        std::string words = one.rate;
        if (!one.about.empty()) words += (words.empty() ? "" : "; ") + printable(one.about);
        if (words.empty())
            out += begin.substr(0, begin.find_last_not_of(' ') + 1) + "\n";
        else
            out += wrapped(words, style.width, begin, std::string(display_width(begin), ' '));
    }
    return out;
}

// Of a sentence that goes on, to where a clause of it ends; else to the end of the line.
std::string up_to_a_clause(std::string_view line, std::size_t width)
{
    std::size_t end = 0;
    for (const std::string_view mark : {"; ", ", ", ": ", " ("})
        if (const std::size_t at = line.rfind(mark); at != line.npos) end = std::max(end, at);
    if (end > 0) line = line.substr(0, end);
    return shorten_end(std::string(line) + " …", width);
}

std::string findings_of(const FirstPage& page, const TextStyle& style)
{
    if (page.findings.empty()) return {};
    std::size_t cost = 0;
    for (const FindingInBrief& one : page.findings) cost = std::max(cost, display_width(one.cost));
    const std::string below(page_margin + cost + 2, ' ');
    std::string out = "What to change, by the seconds it saves\n";
    for (const FindingInBrief& one : page.findings) {
        const std::string confidence =
            fmt::format(" [{}]", confidence_names[static_cast<std::size_t>(one.confidence)]);
        out += wrapped(printable(one.title) + confidence, style.width,
                       fmt::format("  {}  ", pad(one.cost, cost, Align::right)), below);
        if (one.advice.empty()) continue;
        // Two lines at most: the section of findings has the whole of it.
        const std::size_t room = style.width - std::min(style.width - 20, below.size());
        Lines lines = wrap(printable(one.advice), room);
        if (lines.size() > 2) lines = {lines[0], up_to_a_clause(lines[1], room)};
        for (const std::string& line : lines) out += below + line + "\n";
    }
    if (!page.on_findings.empty()) out += below + printable(page.on_findings) + "\n";
    return out;
}

// The mean over each column of a chart that is as wide as there is room, whatever the number of slices.
std::vector<double> columns_of(const TimeChart& chart, std::size_t columns)
{
    std::vector<double> values(columns);
    const double wide = chart.time.end / static_cast<double>(columns);
    for (std::size_t column = 0; column < columns; ++column) {
        const double from = static_cast<double>(column) * wide, to = from + wide;
        for (std::size_t at = 0; at < chart.time.slices; ++at) {
            const double begin = chart.time.first + chart.time.length * static_cast<double>(at),
                         overlap = std::min(to, begin + chart.time.length) - std::max(from, begin);
            if (overlap <= 0) continue;
            for (const Series& series : chart.series) values[column] += series.values[at] * overlap / wide;
        }
    }
    return values;
}

Lines time_lines(const TimeChart& chart, std::size_t width, const TextStyle& style)
{
    Lines lines = {printable(chart.title)};
    double largest = 0;
    const std::size_t label = 10, room = width - std::min(width - 10, label + 2);
    const std::vector<double> values = columns_of(chart, room);
    for (const double value : values) largest = std::max(largest, value);
    if (!(largest > 0)) return {};
    const auto& up = style.utf8 ? up_utf8 : up_ascii;
    for (std::size_t line = chart_lines; line-- > 0;) {
        std::string row = pad(line + 1 == chart_lines ? format_tick(chart.measure, largest)
                              : line == 0             ? "0"
                                                      : "",
                              label, Align::right) +
                          " │";
        for (const double value : values) {
            const auto height =
                value > 0 ? std::max<std::size_t>(
                                1, static_cast<std::size_t>(std::lround(value / largest * chart_lines * 8)))
                          : 0;
            row += up[height > line * 8 ? std::min<std::size_t>(height - line * 8, 8) : 0];
        }
        row.erase(row.find_last_not_of(' ') + 1);
        lines.push_back(std::move(row));
    }
    const TimeAxis axis{0, chart.time.end / static_cast<double>(room), room, chart.time.end};
    lines.push_back(std::string(label + 2, ' ') + tick_line(axis, 1, room));
    return lines;
}

Lines size_lines(const Chart& chart, std::size_t width, const TextStyle& style)
{
    Lines lines = {printable(chart.title)};
    std::size_t label = 0, value = 0;
    double largest = 0;
    const auto sum_at = [&](std::size_t at) {
        double sum = 0;
        for (const Series& series : chart.series) sum += series.values[at];
        return sum;
    };
    const auto words_at = [&](std::size_t at) { return format(cell_of(chart.measure, sum_at(at))); };
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        label = std::max(label, display_width(chart.categories[at]));
        value = std::max(value, display_width(words_at(at)));
        largest = std::max(largest, sum_at(at));
    }
    const std::size_t room = std::min<std::size_t>(width - std::min(width - 4, label + value + 4), 24);
    for (std::size_t at = 0; at < chart.categories.size(); ++at)
        lines.push_back(fmt::format("  {} {} {}", pad(chart.categories[at], label),
                                    pad(words_at(at), value, Align::right),
                                    bar_of({{chart.series[0].values[at], fills(style).read},
                                            {chart.series[1].values[at], fills(style).write}},
                                           largest, room)));
    return lines;
}

std::string charts_of(const FirstPage& page, const TextStyle& style)
{
    constexpr std::size_t narrowest = 72, gap = 3, left_part = 52;
    const bool beside = style.width >= narrowest && page.over_time && page.sizes;
    const std::size_t left = beside ? style.width * left_part / 100 : style.width,
                      right = beside ? style.width - left - gap : style.width;
    const Lines time = page.over_time ? time_lines(*page.over_time, left, style) : Lines{},
                sizes = page.sizes ? size_lines(*page.sizes, right, style) : Lines{};
    std::string out;
    if (!beside || time.empty() || sizes.empty()) {
        for (const Lines* const one : {&time, &sizes})
            for (const std::string& line : *one) out += line + "\n";
        return out;
    }
    for (std::size_t at = 0; at < std::max(time.size(), sizes.size()); ++at) {
        std::string line = at < time.size() ? time[at] : "";
        if (at < sizes.size()) line = pad(line, left + gap) + sizes[at];
        out += line + "\n";
    }
    return out;
}

std::string layers_of(const FirstPage& page, const TextStyle& style)
{
    if (page.layers.size() < 2) return {};
    std::string words = "Time in I/O: ";
    for (std::size_t at = 0; at < page.layers.size(); ++at)
        words += fmt::format("{}{} {}", at == 0 ? "" : ", ", page.layers[at].name,
                             format_share(page.layers[at].share));
    return wrapped(printable(words), style.width, "", "  ");
}

}  // namespace

std::string text_of(const FirstPage& page, const TextStyle& style)
{
    std::string out = printable(page.recorded) + "\n";
    const auto part = [&](const std::string& lines) {
        if (!lines.empty()) out += "\n" + lines;
    };
    part(wrapped(printable(page.verdict), style.width, "", ""));
    for (const Note& note : page.notes)
        out += wrapped((note.weight == Weight::warning ? "Warning: " : "Note: ") + printable(note.text),
                       style.width, "", "  ");
    part(bars_of(page, style));
    part(numbers_of(page, style));
    part(layers_of(page, style));
    part(findings_of(page, style));
    part(charts_of(page, style));
    return out;
}

}  // namespace fathom::report
