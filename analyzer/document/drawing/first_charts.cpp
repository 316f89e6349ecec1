// Fewer labels and less air than the charts of sections: they share one screen.
#include "analyzer/document/drawing/first_charts.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/drawing/axes.h"
#include "analyzer/document/drawing/chart_numbers.h"
#include "analyzer/document/drawing/heatmap.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double line_height = 13, bar_thickness = 9, names_height = 14;
constexpr double areas_height = 78, cells_height = 62, cells_gap = 6, ticks_height = 14;
constexpr double beside_label = 6;
constexpr std::size_t most_rows = 24, longest_label = 26;

void fill(cairo_t* context, double x, double y, double width, double height, const Colour& colour)
{
    cairo_rectangle(context, x, y, width, height);
    set_colour(context, colour);
    cairo_fill(context);
}

// What is there must be seen.
double at_least_a_hairline(double part, double room)
{
    return part > 0 ? std::max(part * room, 0.7) : 0;
}

double widest_of(cairo_t* context, const std::vector<std::string>& labels)
{
    double widest = 0;
    for (const std::string& label : labels)
        widest = std::max(widest, Words(context, label, axis_font).width());
    return widest;
}

// Names after their colours, in lines no longer than `width`; returns their height.
double draw_names(const Frame& frame, double y, const std::vector<std::string>& names,
                  const std::vector<Colour>& colours)
{
    double x = frame.left;
    const double begin = y;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const double wide = Words(frame.context, names[at], axis_font).width() + 13;
        if (x > frame.left && x + wide > frame.right) {
            x = frame.left;
            y += names_height;
        }
        x = draw_name(frame, y, x, names[at], colours[at]) + 12;
    }
    return y + names_height - begin;
}

// Neighbouring rows put together until there are few enough to be seen.
Heatmap with_few_rows(const Heatmap& map)
{
    Heatmap few = map;
    const std::size_t group = (map.rows.size() + most_rows - 1) / most_rows;
    if (group < 2) return few;
    few.rows.clear();
    few.values.clear();
    for (std::size_t from = 0; from < map.rows.size(); from += group) {
        const std::size_t to = std::min(from + group, map.rows.size());
        Band band{map.rows[from].first, map.rows[to - 1].last, 0};
        std::vector<double> sums(map.values[from].size());
        for (std::size_t row = from; row < to; ++row) {
            const auto members = static_cast<double>(map.rows[row].members);
            band.members += map.rows[row].members;
            for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += map.values[row][at] * members;
        }
        for (double& sum : sums) sum /= static_cast<double>(band.members);
        few.rows.push_back(band);
        few.values.push_back(std::move(sums));
    }
    return few;
}

void draw_ticks(const Frame& frame, const TimeAxis& axis)
{
    constexpr double room = 70;
    const auto most = static_cast<std::size_t>(std::max(2.0, (frame.right - frame.left) / room));
    for (const Tick& tick : time_ticks(axis, most)) {
        const double x = x_of(frame, axis, tick.at);
        fill(frame.context, x - 0.25, frame.bottom, 0.5, tick_length, frame.palette.muted);
        const Words label(frame.context, tick.label, axis_font);
        label.draw(std::clamp(x - label.width() / 2, frame.left - 8, frame.right - label.width()),
                   frame.bottom + tick_length + 0.5, frame.palette.muted);
    }
}

double sum_at(const std::vector<Series>& series, std::size_t at)
{
    double sum = 0;
    for (const Series& one : series) sum += one.values[at];
    return sum;
}

// Reads at the foot, writes upon them.
// Of the bars above it: read and written, or metadata calls alone.
const Colour& area_colour(const Frame& frame, const TimeChart& chart, std::size_t series)
{
    return chart.series.size() > 1 ? frame.palette.series[series % 4] : frame.palette.muted;
}

void draw_areas(const Frame& frame, const TimeChart& chart)
{
    for (std::size_t at = 0; at < chart.time.slices; ++at) {
        const double x = x_of(frame, chart.time, begin_of(chart.time, at)),
                     wide = x_of(frame, chart.time, end_of(chart.time, at)) - x;
        double below = 0;
        for (std::size_t one = 0; one < chart.series.size(); ++one) {
            const double value = chart.series[one].values[at];
            if (!(value > 0)) continue;
            const double foot = frame.y_of(below), top = frame.y_of(below + value);
            // Without a seam between neighbours.
            fill(frame.context, x, std::min(top, foot - 0.7), wide + 0.3, std::max(foot - top, 0.7),
                 area_colour(frame, chart, one));
            below += value;
        }
    }
}

void draw_rank_rows(Frame frame, const Heatmap& map)
{
    draw_cells(frame, map);
    const double row = (frame.bottom - frame.top) / static_cast<double>(map.rows.size());
    const auto name = [&](std::uint64_t number, double y) {
        const Words words(frame.context, std::to_string(number), axis_font);
        words.draw(frame.left - beside_label - words.width(), y - words.height() / 2, frame.palette.muted);
    };
    name(map.rows.front().first, frame.top + std::min(row / 2, 5.0));
    if (map.rows.size() > 1) name(map.rows.back().last, frame.bottom - std::min(row / 2, 5.0));
    const Words heading(frame.context, map.row_heading, axis_font);
    heading.draw(frame.left - beside_label - heading.width(),
                 (frame.top + frame.bottom - heading.height()) / 2, frame.palette.muted);
}

std::vector<std::string> labels_of(const std::vector<TimeBar>& bars)
{
    std::vector<std::string> labels;
    for (const TimeBar& bar : bars) labels.push_back(shorten_middle(printable(bar.label), longest_label));
    return labels;
}

}  // namespace

double time_bars_height(const std::vector<TimeBar>& bars)
{
    return line_height * static_cast<double>(bars.size()) + names_height + 2;
}

Spots draw_time_bars(cairo_t* context, const std::vector<TimeBar>& bars, double width, const Palette& palette)
{
    const std::vector<std::string> labels = labels_of(bars);
    std::vector<std::string> times;
    double longest = 0;
    for (const TimeBar& bar : bars) {
        times.push_back(fmt::format("{} of {}", format_seconds(bar.io()), format_seconds(bar.run)));
        longest = std::max({longest, bar.run, bar.io()});
    }
    const double left = widest_of(context, labels) + beside_label,
                 right = width - widest_of(context, times) - beside_label;
    Spots spots;
    for (std::size_t at = 0; at < bars.size(); ++at) {
        const double y = line_height * static_cast<double>(at), middle = y + line_height / 2;
        const auto write = [&](const std::string& words, double x) {
            const Words one(context, words, axis_font);
            one.draw(x, middle - one.height() / 2, palette.ink);
        };
        write(labels[at], 0);
        write(times[at], right + beside_label);
        if (!(longest > 0)) continue;
        const double top = middle - bar_thickness / 2;
        fill(context, left, top, bars[at].run / longest * (right - left), bar_thickness, palette.grid);
        double x = left;
        const double parts[] = {bars[at].write, bars[at].read, bars[at].metadata};
        const Colour colours[] = {palette.series[1], palette.series[0], palette.muted};
        for (std::size_t part = 0; part < std::size(parts); ++part) {
            const double wide = at_least_a_hairline(parts[part] / longest, right - left);
            fill(context, x, top, wide, bar_thickness, colours[part]);
            x += wide;
        }
        spots.spots.push_back({0, y, width, line_height,
                               fmt::format("{}: writes {}, reads {}, metadata {}, of {}", labels[at],
                                           format_seconds(bars[at].write), format_seconds(bars[at].read),
                                           format_seconds(bars[at].metadata), format_seconds(bars[at].run))});
    }
    const Frame frame{context, palette, left, 0, width, 0};
    draw_names(frame, line_height * static_cast<double>(bars.size()) + 2,
               {"write", "read", "metadata", "rest of the run"},
               {palette.series[1], palette.series[0], palette.muted, palette.grid});
    return spots;
}

double strip_height(const FirstPage& page)
{
    return names_height + areas_height + ticks_height + (page.by_rank ? cells_height + cells_gap : 0);
}

Spots draw_strip(cairo_t* context, const FirstPage& page, double width, const Palette& palette)
{
    const TimeChart& chart = *page.over_time;
    double largest = 0;
    for (std::size_t at = 0; at < chart.time.slices; ++at)
        largest = std::max(largest, sum_at(chart.series, at));
    Frame frame{context, palette, 0, names_height, width - 1, names_height + areas_height};
    frame.left = value_axis_width(context, chart.measure, largest, 2);
    if (page.by_rank)
        frame.left = std::max(frame.left, widest_of(context, {page.by_rank->row_heading}) + beside_label);
    std::vector<std::string> names;
    std::vector<Colour> colours;
    for (std::size_t at = 0; at < chart.series.size(); ++at) {
        names.push_back(chart.series[at].name);
        colours.push_back(area_colour(frame, chart, at));
    }
    draw_names(frame, -1, names, colours);
    draw_value_axis(frame, chart.measure, largest, 2);
    draw_areas(frame, chart);
    Spots spots;
    for (std::size_t at = 0; at < chart.time.slices; ++at) {
        const double x = x_of(frame, chart.time, begin_of(chart.time, at));
        spots.spots.push_back(
            {x, frame.top, x_of(frame, chart.time, end_of(chart.time, at)) - x, areas_height,
             from_words(chart.time, at) + ": " + values_at(chart.series, chart.measure, at)});
    }
    if (page.by_rank) {
        frame.top = frame.bottom + cells_gap;
        frame.bottom = frame.top + cells_height;
        draw_rank_rows(frame, with_few_rows(*page.by_rank));
    }
    draw_ticks(frame, chart.time);
    return spots;
}

double size_bars_height(const Chart& chart)
{
    return names_height + line_height * static_cast<double>(chart.categories.size());
}

Spots draw_size_bars(cairo_t* context, const Chart& chart, double width, const Palette& palette)
{
    std::vector<std::string> numbers;
    double largest = 0;
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        numbers.push_back(format(cell_of(chart.measure, sum_at(chart.series, at))));
        largest = std::max(largest, sum_at(chart.series, at));
    }
    const double left = widest_of(context, chart.categories) + beside_label,
                 right = width - widest_of(context, numbers) - beside_label;
    const Frame frame{context, palette, left, 0, width, 0};
    draw_names(frame, -1, {chart.series[0].name, chart.series[1].name},
               {palette.series[0], palette.series[1]});
    Spots spots;
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        const double y = names_height + line_height * static_cast<double>(at), middle = y + line_height / 2;
        const Words label(context, chart.categories[at], axis_font), number(context, numbers[at], axis_font);
        label.draw(left - beside_label - label.width(), middle - label.height() / 2, palette.ink);
        double x = left;
        for (std::size_t one = 0; one < chart.series.size(); ++one) {
            const double wide = at_least_a_hairline(chart.series[one].values[at] / largest, right - left);
            fill(context, x, middle - bar_thickness / 2, wide, bar_thickness, palette.series[one % 4]);
            x += wide;
        }
        number.draw(std::max(x, left) + 4, middle - number.height() / 2, palette.muted);
        spots.spots.push_back({0, y, width, line_height,
                               chart.categories[at] + ": " + values_at(chart.series, chart.measure, at)});
    }
    return spots;
}

double layer_bar_height(const std::vector<LayerShare>& layers)
{
    // Names may take a line each.
    return bar_thickness + 4 + names_height * static_cast<double>(layers.size());
}

Spots draw_layer_bar(cairo_t* context, const std::vector<LayerShare>& layers, double width,
                     const Palette& palette)
{
    double x = 0;
    const Frame frame{context, palette, 0, 0, width, 0};
    for (std::size_t at = 0; at < layers.size(); ++at) {
        const Colour& colour = palette.classes[at % std::size(palette.classes)];
        const double wide = layers[at].share * width;
        fill(context, x, 0, wide, bar_thickness, colour);
        x += wide;
        draw_name(frame, bar_thickness + 4 + names_height * static_cast<double>(at), 0,
                  fmt::format("{} {}", layers[at].name, format_share(layers[at].share)), colour);
    }
    return {};
}

}  // namespace fathom::report
