// Where on a drawing which values are, so that a page can show them when they are pointed at or stepped to.
#pragma once

#include <string>
#include <vector>

namespace fathom::report {

struct Spot {
    double x = 0, y = 0, width = 0, height = 0;  // points, from the drawing's upper left corner
    std::string words;                           // "4 KiB to 64 KiB: reads 1,234, writes 56"
    std::vector<std::string> cells = {};  // a heatmap's row: the value of each column, empty for nothing
};

struct Spots {
    std::vector<Spot> spots = {};
    // Of a heatmap: where the first column begins, how wide each is, and which they are.
    double first_column = 0, column_width = 0;
    std::vector<std::string> columns = {};
    // Of a plot over time: where its axis begins and ends, and when, in s since its 0.
    double axis_left = 0, axis_right = 0, axis_begin = 0, axis_end = 0;
};

}  // namespace fathom::report
