// Draws a chart on any Cairo surface: the same strokes on paper and on the screen.
#pragma once

#include <cairo.h>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/spots.h"

namespace fathom::report {

inline constexpr double chart_height = 180;  // points

// Draws at the origin of the context, `width` points wide and chart_height high. The title is left to the
// caller.
Spots draw_chart(cairo_t* context, const Chart& chart, double width, const Palette& palette);

}  // namespace fathom::report
