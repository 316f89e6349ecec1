// Draws points and lines over two axes of numbers on any Cairo surface.
#pragma once

#include <cairo.h>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/spots.h"

namespace fathom::report {

// Draws at the origin of the context; the title is left to the caller. Sizes are points.
double plot_height(const Plot& plot);
Spots draw_plot(cairo_t* context, const Plot& plot, double width, const Palette& palette);

}  // namespace fathom::report
