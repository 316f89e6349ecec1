// The few calls of Cairo and Pango that charts and pages are made of.
#include "analyzer/document/drawing/drawing.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <pango/pangocairo.h>
#include <stdexcept>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"

namespace fathom::report {
namespace {

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int length)
{
    try {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), length);
    } catch (const std::bad_alloc&) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status)
{
    if (status != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error(std::string("drawing the report failed: ") + cairo_status_to_string(status));
}

Surface checked(cairo_surface_t* made)
{
    Surface surface(made);
    check(cairo_surface_status(made));
    return surface;
}

const cairo_user_data_key_t text_key = {};

// Fonts that were installed beside this program are found by a file of fontconfig's there.
bool find_installed_fonts()
{
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path fonts =
        self.parent_path().parent_path() / FATHOM_DATA_FOLDER / "fonts" / "fonts.conf";
    return std::filesystem::exists(fonts, error) && setenv("FONTCONFIG_FILE", fonts.c_str(), 0) == 0;
}

PangoLayout* new_layout(cairo_t* context)
{
    // Before the first layout: Pango begins to look for fonts then, in a thread of its own.
    [[maybe_unused]] static const bool installed = find_installed_fonts();
    return pango_cairo_create_layout(context);
}

constexpr double points(int pango_units)
{
    return static_cast<double>(pango_units) / PANGO_SCALE;
}

}  // namespace

const Palette on_white = {{0.10, 0.12, 0.16},
                          {0.38, 0.41, 0.46},
                          {0.84, 0.86, 0.89},
                          {0.955, 0.96, 0.97},
                          {{0.09, 0.29, 0.49}, {0.90, 0.53, 0.11}, {0.76, 0.79, 0.83}, {0.25, 0.52, 0.33}},
                          {{0.09, 0.29, 0.49},
                           {0.88, 0.48, 0.06},
                           {0.20, 0.55, 0.35},
                           {0.66, 0.20, 0.42},
                           {0.36, 0.64, 0.82},
                           {0.45, 0.47, 0.51}},
                          {0.03, 0.14, 0.30}};
const Palette on_black = {{0.90, 0.92, 0.94},
                          {0.63, 0.67, 0.72},
                          {0.25, 0.28, 0.33},
                          {0.13, 0.15, 0.19},
                          {{0.36, 0.62, 0.90}, {0.95, 0.66, 0.30}, {0.52, 0.56, 0.62}, {0.45, 0.75, 0.53}},
                          {{0.36, 0.62, 0.90},
                           {0.95, 0.66, 0.30},
                           {0.45, 0.78, 0.53},
                           {0.90, 0.50, 0.68},
                           {0.62, 0.84, 0.96},
                           {0.72, 0.74, 0.78}},
                          {0.80, 0.91, 1.00}};

Surface pdf_surface(std::string& to, double width, double height)
{
    return checked(cairo_pdf_surface_create_for_stream(append, &to, width, height));
}

Surface svg_surface(std::string& to, double width, double height)
{
    return checked(cairo_svg_surface_create_for_stream(append, &to, width, height));
}

void finish(cairo_t* context, cairo_surface_t* surface)
{
    check(cairo_status(context));
    cairo_surface_finish(surface);
    check(cairo_surface_status(surface));
}

void set_colour(cairo_t* context, const Colour& colour)
{
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue);
}

Words::Words(cairo_t* context, std::string_view text, Font font, double width, Place place)
    : context_(context), font_(font), layout_(new_layout(context), g_object_unref)
{
    PangoLayout* const layout = layout_.get();
    // Paper and SVG have no pixels: letters stand where the font wants them.
    pango_context_set_round_glyph_positions(pango_layout_get_context(layout), FALSE);
    const std::unique_ptr<cairo_font_options_t, Freed<cairo_font_options_destroy>> options(
        cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(pango_layout_get_context(layout), options.get());
    const std::unique_ptr<PangoFontDescription, Freed<pango_font_description_free>> description(
        pango_font_description_new());
    pango_font_description_set_family_static(
        description.get(), font.monospace ? "DejaVu Sans Mono, Noto Sans Mono, Liberation Mono, monospace"
                                          : "DejaVu Sans, Noto Sans, Liberation Sans, sans-serif");
    pango_font_description_set_absolute_size(description.get(), font.size * PANGO_SCALE);
    if (font.bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout, description.get());
    // Time for a word grows with the square of its length, and a log may have any.
    constexpr std::size_t longest = 2000;
    std::string clean = shorten_middle(printable(text), longest);
    // A word joiner keeps "I/O" on one line.
    for (std::size_t at = clean.find("I/O"); at != std::string::npos; at = clean.find("I/O", at + 3))
        clean.insert(at + 2, "\u2060");
    pango_layout_set_text(layout, clean.data(), static_cast<int>(clean.size()));
    if (width >= 0) {
        pango_layout_set_width(layout, static_cast<int>(width * PANGO_SCALE));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    }
    if (place == Place::centre) pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER);
    if (place == Place::right) pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT);
    int wide = 0, high = 0;
    pango_layout_get_size(layout, &wide, &high);
    width_ = points(wide);
    height_ = points(high);
}

void Words::draw(double x, double y, const Colour& colour) const
{
    void* const kept = cairo_surface_get_user_data(cairo_get_target(context_), &text_key);
    if (kept != nullptr) return write(x, y, colour, *static_cast<std::vector<WrittenText>*>(kept));
    set_colour(context_, colour);
    cairo_move_to(context_, x, y);
    pango_cairo_show_layout(context_, layout_.get());
}

void Words::write(double x, double y, const Colour& colour, std::vector<WrittenText>& to) const
{
    const std::unique_ptr<PangoLayoutIter, Freed<pango_layout_iter_free>> line(
        pango_layout_get_iter(layout_.get()));
    const std::string_view all = pango_layout_get_text(layout_.get());
    double across = 1, down = 0;
    cairo_user_to_device_distance(context_, &across, &down);
    const double degrees = std::atan2(down, across) * 180 / std::numbers::pi;
    do {
        PangoRectangle box;
        pango_layout_iter_get_line_extents(line.get(), nullptr, &box);
        const PangoLayoutLine* const one = pango_layout_iter_get_line_readonly(line.get());
        WrittenText text{x + points(box.x),
                         y + points(pango_layout_iter_get_baseline(line.get())),
                         points(box.width),
                         degrees,
                         font_,
                         colour,
                         std::string(all.substr(static_cast<std::size_t>(one->start_index),
                                                static_cast<std::size_t>(one->length)))};
        cairo_user_to_device(context_, &text.x, &text.y);
        if (!text.text.empty()) to.push_back(std::move(text));
    } while (pango_layout_iter_next_line(line.get()) != 0);
}

void keep_text(cairo_surface_t* surface, std::vector<WrittenText>& to)
{
    cairo_surface_set_user_data(surface, &text_key, &to, nullptr);
}

std::string fit_path(cairo_t* context, std::string_view path, Font font, double width)
{
    constexpr std::size_t longest = 500;  // more fit on no page
    const std::string clean = shorten_middle(printable(path), longest);
    std::size_t most = display_width(clean), least = 0;
    if (Words(context, clean, font).width() <= width) return clean;
    while (least + 1 < most) {
        const std::size_t middle = (least + most) / 2;
        (Words(context, shorten_middle(clean, middle), font).width() <= width ? least : most) = middle;
    }
    return shorten_middle(clean, least);
}

}  // namespace fathom::report
