// Cairo and Pango with owners: surfaces, contexts and laid-out text that are freed by themselves.
#pragma once

#include <cairo.h>
#include <functional>
#include <memory>
#include <pango/pango-layout.h>
#include <string>
#include <string_view>

namespace fathom::report {

struct Colour {
    double red, green, blue;
};

struct Palette {
    Colour ink, muted, grid, band;  // band: every other row of a table
    Colour series[4];               // differ in lightness too, so that grey paper keeps them apart
    Colour classes[6];              // of points and lines, thinner than bars
    Colour least, most;             // of a heatmap, whose lightness tells how much
};
extern const Palette on_white, on_black;

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* it) const
    {
        Free(it);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, Freed<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Freed<cairo_destroy>>;

// A surface that appends what it writes to `to`, which must outlive it. Sizes are points.
Surface pdf_surface(std::string& to, double width, double height);
Surface svg_surface(std::string& to, double width, double height);

// Ends the surface; throws std::runtime_error where anything on it went wrong.
void finish(cairo_t* context, cairo_surface_t* surface);

void set_colour(cairo_t* context, const Colour& colour);

struct Font {
    double size;
    bool bold = false, monospace = false;
};

enum class Place { left, centre, right };

// Text laid out in lines. Sizes are points; a width below 0 means one line. The text is made printable.
class Words {
  public:
    Words(cairo_t* context, std::string_view text, Font font, double width = -1, Place place = Place::left);

    double width() const { return width_; }
    double height() const { return height_; }
    void draw(double x, double y, const Colour& colour) const;  // x, y: upper left corner of the box

  private:
    cairo_t* context_;
    std::unique_ptr<PangoLayout, void (*)(void*)> layout_;
    double width_ = 0, height_ = 0;
};

// The longest form of a path, shortened in the middle, that is no wider than `width` points.
std::string fit_path(cairo_t* context, std::string_view path, Font font, double width);

}  // namespace fathom::report
