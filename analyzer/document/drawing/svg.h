// A drawing as an <svg> element that can stand in a page beside others.
#pragma once

#include <cairo.h>
#include <functional>
#include <string>

namespace fathom::report {

// Draws with the palette on_white: its colours become variables that palette_style() gives their values in
// light and in the dark. Text stays text. Ids in it begin with `prefix`, so that several can stand in one
// page; the page sets the size. Sizes are points.
std::string svg_of(double width, double height, const std::string& prefix,
                   const std::function<void(cairo_t*)>& draw);

// The variables and what text looks like, as a style sheet.
std::string palette_style();

}  // namespace fathom::report
