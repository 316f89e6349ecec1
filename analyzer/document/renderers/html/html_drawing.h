// Drawings that can be pointed at.
#pragma once

#include <cairo.h>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/document/drawing/spots.h"

namespace fathom::report {

struct DrawingSize {
    double width, height;  // points
};

// A drawing that scales with the page, and what each place of it stands for. `id` is its own in the page.
std::string drawing_html(std::string_view title, const std::string& id, DrawingSize size,
                         const std::function<Spots(cairo_t*)>& draw);

}  // namespace fathom::report
