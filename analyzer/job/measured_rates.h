// How fast requests are on a file system that somebody measured (`fathom measure`, by way of a model). Plain
// numbers: analyzer/timing/models makes them.
#pragma once

#include <array>
#include <string>

namespace fathom {

// Of one direction, in seconds; nothing where that state was not measured.
struct MeasuredTimes {
    // A line of the size in bytes: up to a page and above.
    struct Line {
        double intercept = 0, slope = 0;
    };
    struct Lines {
        bool known = false;
        Line small, large;
        double at(double bytes) const
        {
            const Line& line = bytes <= 4096 ? small : large;
            return line.intercept + line.slope * bytes;
        }
    };
    Lines cached, uncached;  // of the slowest model of that state
};

struct MeasuredRates {
    std::array<MeasuredTimes, 2> of;  // by Direction
    std::string name;                 // of the model
    std::string where;                // host and file system, as far as known; empty: neither is
};

}  // namespace fathom
