// A picture of one colour, more or less of it, as PNG.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analyzer/document/drawing/palette.h"

namespace fathom::report {

// `opacities`: of the pixels of a row, one row behind the other; each row is `down` rows of the picture.
// (Cairo writes four bytes a pixel, and has each row tried by every filter there is: that takes longer than
// the rest of a page.)
std::string png_of(const Colour& colour, std::span<const std::uint8_t> opacities, std::size_t width,
                   std::size_t down);

}  // namespace fathom::report
