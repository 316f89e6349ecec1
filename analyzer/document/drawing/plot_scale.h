// An axis of a plot, linear or logarithmic: which numbers it reaches from and to, where a number lies on it,
// and its round ticks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

struct PlotTick {
    double place;  // 0 to 1
    std::string label;
};

class PlotScale {
  public:
    // Reaches just over what there is of the plot's series (along y, what an area is filled down to as well)
    // and, along x, its marks; from 0 to 1 or 1 to 10 where there is nothing.
    static PlotScale along_x(const Plot& plot);
    static PlotScale along_y(const Plot& plot);

    bool has(double value) const;      // it can be drawn
    double place(double value) const;  // 0 is the scale's beginning, 1 its end

    double from() const { return from_; }
    double to() const { return to_; }

    // At round numbers: about `most`, and no more unless there are just two.
    std::vector<PlotTick> ticks(std::size_t most) const;

  private:
    PlotScale(const PlotAxis& axis, double from, double to);
    std::vector<double> round_numbers(std::size_t most) const;

    Measure measure_;
    bool logarithmic_;
    double from_, to_;
};

}  // namespace fathom::report
