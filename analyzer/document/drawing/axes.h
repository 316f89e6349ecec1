// What charts share: the frame that values are drawn in, its axes, and the legend above it.
#pragma once

#include <cairo.h>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/drawing.h"

namespace fathom::report {

inline constexpr double legend_height = 24;  // points
inline constexpr double tick_length = 3;
inline constexpr Font axis_font{7.5};

struct Frame {
    cairo_t* context;
    const Palette& palette;
    double left = 0, top = 0, right = 0, bottom = 0;
    double axis_end = 1;  // value at the top

    double y_of(double value) const { return bottom - value / axis_end * (bottom - top); }
};

// An axis with round steps up to `largest`, about `steps` of them: how much room its labels take, and the
// axis itself, with them to the left of the frame.
double value_axis_width(cairo_t* context, Measure measure, double largest, double steps);
void draw_value_axis(Frame& frame, Measure measure, double largest, double steps);

// Names of series, each after its colour.
void draw_legend(const Frame& frame, const std::vector<Series>& series);
// One of them, from x on; returns where it ends.
double draw_name(const Frame& frame, double y, double x, std::string_view name, const Colour& colour);

// Where a moment is, and the axis below the frame, time_axis_height high.
inline constexpr double time_axis_height = 26;
double x_of(const Frame& frame, const TimeAxis& axis, double at);
void draw_time_axis(const Frame& frame, const TimeAxis& axis);

}  // namespace fathom::report
