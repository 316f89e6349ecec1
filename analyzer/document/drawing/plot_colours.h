// A colour of its own for each name in the legend of a plot.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/document/drawing/palette.h"

namespace fathom::report {

// The number of the colour of each series: the one it asks for, unless a series of another name has it. A
// series without a name has that of the one before it that asked for the same.
std::vector<std::size_t> colours_of(const Plot& plot);

// Beyond those of the palette, colours are made up, all of them different.
Colour class_colour(const Palette& palette, std::size_t number);

}  // namespace fathom::report
