// Few points that look like many: what a drawing of a million operations needs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

// The numbers of points to draw, ascending: the first one in each cell of a grid over the points' extent, by
// default fine enough for a page. Where there are few points (an eighth of the cells), all of them. x and y
// are as long as each other; points that are not finite are left out. Time and memory n.
std::vector<std::size_t> spread_out(std::span<const double> x, std::span<const double> y,
                                    std::size_t columns = 240, std::size_t rows = 60);

}  // namespace fathom
