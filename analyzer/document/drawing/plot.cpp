// The frame with its ticks, the series upon each other, marks across, and names above.
#include "analyzer/document/drawing/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/document/drawing/axes.h"
#include "analyzer/document/drawing/plot_colours.h"
#include "analyzer/document/drawing/plot_scale.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double frame_height = 150, legend_line = 14, label_gap = 5, foot = 30;
constexpr double point_size = 1.1, line_width = 1.3, see_through = 0.35;
constexpr std::size_t y_ticks = 5, bands = 64;
constexpr double room_for_tick = 58;

std::size_t named_series(const Plot& plot)
{
    return static_cast<std::size_t>(std::count_if(plot.series.begin(), plot.series.end(),
                                                  [](const PlotSeries& one) { return !one.name.empty(); }));
}

// Each name in a line of its own could take half a page: they stand in as many lines as fit about four each.
double legend_room(const Plot& plot)
{
    return legend_line * std::ceil(static_cast<double>(named_series(plot)) / 4) +
           (plot.marks.empty() ? 4 : 14);
}

struct Drawing {
    Frame frame;
    const Plot& plot;
    PlotScale across, up;
    std::vector<std::size_t> colours;

    Colour colour_of(const PlotSeries& one) const
    {
        return class_colour(frame.palette, colours[static_cast<std::size_t>(&one - plot.series.data())]);
    }
    double x_of(double value) const { return frame.left + across.place(value) * (frame.right - frame.left); }
    double y_of(double value) const { return frame.bottom - up.place(value) * (frame.bottom - frame.top); }

    void stroke_line(double x0, double y0, double x1, double y1, const Colour& colour) const
    {
        set_colour(frame.context, colour);
        cairo_move_to(frame.context, x0, y0);
        cairo_line_to(frame.context, x1, y1);
        cairo_stroke(frame.context);
    }

    void axes() const
    {
        const Palette& palette = frame.palette;
        cairo_set_line_width(frame.context, 0.5);
        for (const PlotTick& tick : up.ticks(y_ticks)) {
            const double y = frame.bottom - tick.place * (frame.bottom - frame.top);
            stroke_line(frame.left, y, frame.right, y, palette.grid);
            const Words label(frame.context, tick.label, axis_font);
            label.draw(frame.left - label_gap - label.width(), y - label.height() / 2, palette.muted);
        }
        const auto most = static_cast<std::size_t>(std::max(2.0, (frame.right - frame.left) / room_for_tick));
        for (const PlotTick& tick : across.ticks(most)) {
            const double x = frame.left + tick.place * (frame.right - frame.left);
            stroke_line(x, frame.top, x, frame.bottom, palette.grid);
            stroke_line(x, frame.bottom, x, frame.bottom + tick_length, palette.muted);
            const Words label(frame.context, tick.label, axis_font);
            label.draw(std::clamp(x - label.width() / 2, 0.0, frame.right - label.width()),
                       frame.bottom + tick_length + 1, palette.muted);
        }
        stroke_line(frame.left, frame.bottom, frame.right, frame.bottom, palette.muted);
        const Words below(frame.context, plot.x.heading, axis_font);
        below.draw((frame.left + frame.right - below.width()) / 2, frame.bottom + foot - below.height(),
                   palette.muted);
        const Words beside(frame.context, plot.y.heading, axis_font);
        cairo_save(frame.context);
        cairo_translate(frame.context, 0, (frame.top + frame.bottom + beside.width()) / 2);
        cairo_rotate(frame.context, -std::acos(0.0));
        beside.draw(0, 0, palette.muted);
        cairo_restore(frame.context);
    }

    void points(const PlotSeries& one) const
    {
        set_colour(frame.context, colour_of(one));
        for (std::size_t at = 0; at < one.x.size(); ++at)
            if (across.has(one.x[at]) && up.has(one.y[at]))
                cairo_rectangle(frame.context, x_of(one.x[at]) - point_size, y_of(one.y[at]) - point_size,
                                2 * point_size, 2 * point_size);
        cairo_fill(frame.context);
    }

    // The stretch of points from `at` on that can be drawn, as a path; returns where it ends.
    std::size_t path(const PlotSeries& one, std::size_t at) const
    {
        const std::size_t first = at;
        for (; at < one.x.size() && across.has(one.x[at]) && up.has(one.y[at]); ++at) {
            const double x = x_of(one.x[at]), y = y_of(one.y[at]);
            if (at > first && one.mark == Mark::steps) cairo_line_to(frame.context, x, y_of(one.y[at - 1]));
            (at == first ? cairo_move_to : cairo_line_to)(frame.context, x, y);
        }
        return at;
    }

    void lines(const PlotSeries& one) const
    {
        const Colour colour = colour_of(one);
        for (std::size_t at = 0; at < one.x.size(); ++at) {
            const std::size_t first = at;
            at = path(one, at);
            if (at == first) continue;
            if (one.mark == Mark::area) {
                cairo_path_t* const outline = cairo_copy_path(frame.context);
                cairo_line_to(frame.context, x_of(one.x[at - 1]), frame.bottom);
                cairo_line_to(frame.context, x_of(one.x[first]), frame.bottom);
                cairo_close_path(frame.context);
                cairo_set_source_rgba(frame.context, colour.red, colour.green, colour.blue, see_through);
                cairo_fill(frame.context);
                cairo_append_path(frame.context, outline);
                cairo_path_destroy(outline);
            }
            set_colour(frame.context, colour);
            cairo_set_line_width(frame.context, line_width);
            cairo_stroke(frame.context);
        }
    }

    void marks() const
    {
        cairo_set_line_width(frame.context, 0.8);
        const double dashes[] = {3, 2};
        double taken = 0;
        for (const PlotMark& one : plot.marks) {
            if (!across.has(one.x)) continue;
            const double x = x_of(one.x);
            cairo_set_dash(frame.context, dashes, 2, 0);
            stroke_line(x, frame.top, x, frame.bottom, frame.palette.ink);
            cairo_set_dash(frame.context, nullptr, 0, 0);
            const Words name(frame.context, one.name, axis_font);
            const double left = std::clamp(x - name.width() / 2, frame.left, frame.right - name.width());
            if (left < taken) continue;  // names that would run into each other: the line is there
            name.draw(left, frame.top - name.height() - 1, frame.palette.ink);
            taken = left + name.width() + 4;
        }
    }

    void legend() const
    {
        double x = frame.left, y = 0;
        for (const PlotSeries& one : plot.series) {
            if (one.name.empty()) continue;
            const double width = 13 + Words(frame.context, one.name, axis_font).width();
            if (x > frame.left && x + width > frame.right) {
                x = frame.left;
                y += legend_line;
            }
            x = draw_name(frame, y, x, one.name, colour_of(one)) + 16;
        }
    }

    // Bands from top to bottom: how far each series reaches there.
    Spots spots() const
    {
        Spots spots;
        if (plot.x.began > 0) {
            spots.axis_left = frame.left;
            spots.axis_right = frame.right;
            spots.axis_begin = across.from() * plot.x.unit;
            spots.axis_end = across.to() * plot.x.unit;
        }
        const double width = (frame.right - frame.left) / static_cast<double>(bands);
        for (std::size_t band = 0; band < bands; ++band) {
            const auto from = static_cast<double>(band) / bands, to = static_cast<double>(band + 1) / bands;
            std::string words;
            double first = std::numeric_limits<double>::infinity(), last = -first;
            for (const PlotSeries& one : plot.series) {
                double least = std::numeric_limits<double>::infinity(), most = -least;
                for (std::size_t at = 0; at < one.x.size(); ++at) {
                    if (!across.has(one.x[at]) || !up.has(one.y[at])) continue;
                    const double place = across.place(one.x[at]);
                    if (place < from || place > to || (place == to && band + 1 < bands)) continue;
                    least = std::min(least, one.y[at]);
                    most = std::max(most, one.y[at]);
                    first = std::min(first, one.x[at]);
                    last = std::max(last, one.x[at]);
                }
                if (!(least <= most)) continue;
                words += (words.empty() ? "" : ", ") + (one.name.empty() ? "" : one.name + " ") +
                         range(plot.y.measure, least, most);
            }
            if (words.empty()) continue;
            spots.spots.push_back({frame.left + from * (frame.right - frame.left), frame.top, width,
                                   frame.bottom - frame.top, where(first, last) + ": " + words});
        }
        return spots;
    }

    // "2026-11-23 14:05:00 UTC to 15:10:00" of a time.
    std::string where(double first, double last) const
    {
        if (plot.x.began == 0) return range(plot.x.measure, first, last);
        const auto moment = [&](double value) {
            return format_instant(
                static_cast<std::uint64_t>(static_cast<double>(plot.x.began) + value * plot.x.unit * 1e9));
        };
        return first == last ? moment(first) : moment(first) + " to " + moment(last);
    }

    static std::string range(Measure measure, double from, double to)
    {
        const std::string low = format(cell_of(measure, from)), high = format(cell_of(measure, to));
        return low == high ? low : low + " to " + high;
    }
};

}  // namespace

double plot_height(const Plot& plot)
{
    return legend_room(plot) + frame_height + foot;
}

Spots draw_plot(cairo_t* context, const Plot& plot, double width, const Palette& palette)
{
    Drawing drawing{
        {context, palette}, plot, PlotScale::along_x(plot), PlotScale::along_y(plot), colours_of(plot)};
    double widest = 0;
    for (const PlotTick& tick : drawing.up.ticks(y_ticks))
        widest = std::max(widest, Words(context, tick.label, axis_font).width());
    const double heading =
        plot.y.heading.empty() ? 0 : Words(context, plot.y.heading, axis_font).height() + 4;
    drawing.frame.left = heading + widest + label_gap;
    drawing.frame.top = legend_room(plot);
    drawing.frame.right = width - 1;
    drawing.frame.bottom = drawing.frame.top + frame_height;
    drawing.axes();
    for (const PlotSeries& one : plot.series)
        one.mark == Mark::points ? drawing.points(one) : drawing.lines(one);
    drawing.marks();
    drawing.legend();
    return drawing.spots();
}

}  // namespace fathom::report
