// The small charts of the first page. Each is drawn at the origin of the context; its title is left to the
// caller. Sizes are points.
#pragma once

#include <cairo.h>
#include <vector>

#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/spots.h"
#include "analyzer/document/first_page.h"

namespace fathom::report {

// Bars of the run time of a rank: writes, reads, metadata, and a band as long as the run.
double time_bars_height(const std::vector<TimeBar>& bars);
Spots draw_time_bars(cairo_t* context, const std::vector<TimeBar>& bars, double width,
                     const Palette& palette);

// Reads and writes over time, one upon the other; below it, on the same axis, which ranks moved data.
double strip_height(const FirstPage& page);
Spots draw_strip(cairo_t* context, const FirstPage& page, double width, const Palette& palette);

// Requests by size: a line each, reads before writes.
double size_bars_height(const Chart& chart);
Spots draw_size_bars(cairo_t* context, const Chart& chart, double width, const Palette& palette);

// The time in I/O by layer: one bar, with its parts named below it.
double layer_bar_height(const std::vector<LayerShare>& layers);
Spots draw_layer_bar(cairo_t* context, const std::vector<LayerShare>& layers, double width,
                     const Palette& palette);

}  // namespace fathom::report
