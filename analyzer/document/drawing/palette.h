// The colours of drawings.
#pragma once

namespace fathom::report {

struct Colour {
    double red, green, blue;
};

struct Palette {
    Colour ink, muted, grid, band;  // band: every other row of a table
    Colour series[4];               // differ in lightness too, so that grey paper keeps them apart
    Colour classes[6];              // of points and lines, thinner than bars
    Colour most;                    // of a heatmap; less of it lets more of the paper through
};
extern const Palette on_white, on_black;

}  // namespace fathom::report
