// Draws a heatmap with its marginal bars on any Cairo surface.
#pragma once

#include <cairo.h>
#include <string>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/spots.h"

namespace fathom::report {

double largest_of(const Heatmap& map);

// The cells alone fill the frame, within a thin line.
struct Frame;
void draw_cells(const Frame& frame, const Heatmap& map);

// "17", or "17-33" where a row stands for several; its name where it has one.
std::string name_of(const Band& band);

// Draws at the origin of the context; the title is left to the caller. Sizes are points.
double heatmap_height(const Heatmap& map);
Spots draw_heatmap(cairo_t* context, const Heatmap& map, double width, const Palette& palette);

}  // namespace fathom::report
