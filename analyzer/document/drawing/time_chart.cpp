// Steps rather than lines: within a slice nothing is known but its mean.
#include "analyzer/document/drawing/time_chart.h"

#include <algorithm>
#include <cmath>

#include "analyzer/document/drawing/axes.h"
#include "analyzer/document/drawing/chart_numbers.h"
#include "analyzer/document/drawing/time_axis.h"

namespace fathom::report {
namespace {

constexpr double name_height = 15, area_height = 62, area_gap = 6;
constexpr double least_visible = 0.7;

void draw_area(const Frame& frame, const TimeAxis& axis, const Series& series, const Colour& colour)
{
    cairo_move_to(frame.context, frame.left, frame.bottom);
    for (std::size_t at = 0; at < series.values.size(); ++at) {
        const double value = series.values[at];
        // What is there must be seen.
        const double y = value > 0 ? std::min(frame.y_of(value), frame.bottom - least_visible) : frame.bottom;
        cairo_line_to(frame.context, x_of(frame, axis, begin_of(axis, at)), y);
        cairo_line_to(frame.context, x_of(frame, axis, end_of(axis, at)), y);
    }
    cairo_line_to(frame.context, frame.right, frame.bottom);
    cairo_close_path(frame.context);
    set_colour(frame.context, colour);
    cairo_fill(frame.context);
}

// What nothing is known of, behind the area.
void draw_open(const Frame& frame, const TimeAxis& axis, const Series& series)
{
    set_colour(frame.context, frame.palette.grid);
    for (std::size_t at = 0; at < series.values.size(); ++at) {
        if (std::isfinite(series.values[at])) continue;
        const double x = x_of(frame, axis, begin_of(axis, at)), to = x_of(frame, axis, end_of(axis, at));
        cairo_rectangle(frame.context, x, frame.top, to - x, frame.bottom - frame.top);
    }
    cairo_fill(frame.context);
}

// A slice through all areas.
Spots spots_of(const Frame& frame, const TimeChart& chart)
{
    Spots spots;
    for (std::size_t at = 0; at < chart.time.slices; ++at) {
        const double x = x_of(frame, chart.time, begin_of(chart.time, at)),
                     to = x_of(frame, chart.time, end_of(chart.time, at));
        spots.spots.push_back(
            {x, 0, to - x, frame.bottom,
             from_words(chart.time, at) + ": " + values_at(chart.series, chart.measure, at)});
    }
    return spots;
}

}  // namespace

double largest_of(const Series& series)
{
    double largest = 0;
    for (const double value : series.values)
        if (value > largest) largest = value;
    return largest;
}

std::vector<const Series*> drawn_series(const TimeChart& chart)
{
    std::vector<const Series*> drawn;
    for (const Series& series : chart.series)
        if (largest_of(series) > 0) drawn.push_back(&series);
    return drawn;
}

double time_chart_height(const TimeChart& chart)
{
    const auto areas = static_cast<double>(std::max<std::size_t>(drawn_series(chart).size(), 1));
    return areas * (name_height + area_height + area_gap) - area_gap + time_axis_height;
}

Spots draw_time_chart(cairo_t* context, const TimeChart& chart, double width, const Palette& palette)
{
    // All areas begin where the widest labels end, so that their axes of time agree.
    const std::vector<const Series*> drawn = drawn_series(chart);
    double left = 0;
    for (const Series* const series : drawn)
        left = std::max(left, value_axis_width(context, chart.measure, largest_of(*series), 2));
    Frame frame{context, palette, left, 0, width - 1, 0};
    for (const Series* const series : drawn) {
        const auto number = static_cast<std::size_t>(series - chart.series.data()) % 4;
        frame.top = frame.bottom + (series == drawn.front() ? 0 : area_gap) + name_height;
        frame.bottom = frame.top + area_height;
        draw_name(frame, frame.top - name_height, frame.left, series->name, palette.series[number]);
        draw_open(frame, chart.time, *series);
        draw_value_axis(frame, chart.measure, largest_of(*series), 2);
        draw_area(frame, chart.time, *series, palette.series[number]);
    }
    if (drawn.empty()) frame.bottom = name_height + area_height;
    draw_time_axis(frame, chart.time);
    return spots_of(frame, chart);
}

}  // namespace fathom::report
