// Round steps, hairlines and small words.
#include "analyzer/document/drawing/axes.h"

#include <algorithm>
#include <cmath>

#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double tick_gap = 5;
constexpr double room_for_moment = 62;  // points from one label to the next

// Round steps (1, 2 or 5 times a power of ten).
double round_step(double largest, double steps)
{
    const double rough = largest / steps;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * 0.999) return factor * power;
    return 10 * power;
}

struct Steps {
    double step = 1, count = 1;
};

Steps steps_up_to(double largest, double about)
{
    if (!(largest > 0)) return {};
    const double step = round_step(largest, about);
    return {step, std::max(1.0, std::ceil(largest / step * 0.999))};
}

}  // namespace

double value_axis_width(cairo_t* context, Measure measure, double largest, double about)
{
    const auto [step, steps] = steps_up_to(largest, about);
    double widest = 0;
    for (double at = 0; at <= steps; ++at)
        widest = std::max(widest, Words(context, format_tick(measure, at * step), axis_font).width());
    return widest + tick_gap;
}

void draw_value_axis(Frame& frame, Measure measure, double largest, double about)
{
    const auto [step, steps] = steps_up_to(largest, about);
    frame.axis_end = step * steps;
    cairo_set_line_width(frame.context, 0.5);
    for (double at = 0; at <= steps; ++at) {
        const double y = frame.y_of(at * step);
        const Words label(frame.context, format_tick(measure, at * step), axis_font);
        label.draw(frame.left - tick_gap - label.width(), y - label.height() / 2, frame.palette.muted);
        set_colour(frame.context, at == 0 ? frame.palette.muted : frame.palette.grid);
        cairo_move_to(frame.context, frame.left, y);
        cairo_line_to(frame.context, frame.right, y);
        cairo_stroke(frame.context);
    }
}

double draw_name(const Frame& frame, double y, double x, std::string_view name, const Colour& colour)
{
    set_colour(frame.context, colour);
    cairo_rectangle(frame.context, x, y + 2, 9, 9);
    cairo_fill(frame.context);
    const Words words(frame.context, name, axis_font);
    words.draw(x + 13, y + 6.5 - words.height() / 2, frame.palette.ink);
    return x + 13 + words.width();
}

void draw_legend(const Frame& frame, const std::vector<Series>& series)
{
    double x = frame.left;
    for (std::size_t at = 0; at < series.size(); ++at)
        x = draw_name(frame, 0, x, series[at].name, frame.palette.series[at % 4]) + 16;
}

double x_of(const Frame& frame, const TimeAxis& axis, double at)
{
    return axis.end > 0 ? frame.left + at / axis.end * (frame.right - frame.left) : frame.left;
}

void draw_time_axis(const Frame& frame, const TimeAxis& axis)
{
    const auto most = static_cast<std::size_t>(std::max(2.0, (frame.right - frame.left) / room_for_moment));
    cairo_set_line_width(frame.context, 0.5);
    for (const Tick& tick : time_ticks(axis, most)) {
        const double x = x_of(frame, axis, tick.at);
        set_colour(frame.context, frame.palette.muted);
        cairo_move_to(frame.context, x, frame.bottom);
        cairo_line_to(frame.context, x, frame.bottom + tick_length);
        cairo_stroke(frame.context);
        const Words label(frame.context, tick.label, axis_font);
        const double left = std::min(x - label.width() / 2, frame.right - label.width());
        label.draw(left, frame.bottom + tick_length + 1, frame.palette.muted);
    }
    const Words heading(frame.context, heading_of(axis), axis_font);
    heading.draw((frame.left + frame.right - heading.width()) / 2,
                 frame.bottom + time_axis_height - heading.height(), frame.palette.muted);
}

}  // namespace fathom::report
