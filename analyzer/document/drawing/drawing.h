// Cairo and Pango with owners: surfaces, contexts and laid-out text that are freed by themselves.
#pragma once

#include <cairo.h>
#include <functional>
#include <memory>
#include <pango/pango-layout.h>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/drawing/palette.h"

#include "analyzer/document/drawing/palette.h"

namespace fathom::report {

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

// A line of text on a surface that keeps text as such.
struct WrittenText {
    double x = 0, y = 0;  // where its baseline begins; points of the surface
    double width = 0;
    double turned = 0;  // degrees, clockwise
    Font font = {};
    Colour colour = {};
    std::string text = {};
};
// From now on Words draws no letters on this surface, but adds its lines here. `to` must outlive the surface.
void keep_text(cairo_surface_t* surface, std::vector<WrittenText>& to);

// Text laid out in lines. Sizes are points; a width below 0 means one line. The text is made printable.
class Words {
  public:
    Words(cairo_t* context, std::string_view text, Font font, double width = -1, Place place = Place::left);

    double width() const { return width_; }
    double height() const { return height_; }
    void draw(double x, double y, const Colour& colour) const;  // x, y: upper left corner of the box

  private:
    void write(double x, double y, const Colour& colour, std::vector<WrittenText>& to) const;

    cairo_t* context_;
    Font font_;
    std::unique_ptr<PangoLayout, void (*)(void*)> layout_;
    double width_ = 0, height_ = 0;
};

// The longest form of a path, shortened in the middle, that is no wider than `width` points.
std::string fit_path(cairo_t* context, std::string_view path, Font font, double width);

}  // namespace fathom::report
