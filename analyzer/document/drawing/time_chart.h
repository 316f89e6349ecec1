// Draws values over time on any Cairo surface: an area for each series, one below the other.
#pragma once

#include <cairo.h>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/spots.h"

namespace fathom::report {

// The series that are drawn: those with anything but zeros.
std::vector<const Series*> drawn_series(const TimeChart& chart);
double largest_of(const Series& series);

// Draws at the origin of the context; the title is left to the caller. Sizes are points.
double time_chart_height(const TimeChart& chart);
Spots draw_time_chart(cairo_t* context, const TimeChart& chart, double width, const Palette& palette);

}  // namespace fathom::report
