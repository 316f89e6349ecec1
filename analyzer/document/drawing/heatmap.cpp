// The cells are one small image, whatever their number; bars, labels and the scale are strokes.
#include "analyzer/document/drawing/heatmap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

#include "analyzer/document/drawing/axes.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/png.h"
#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double scale_height = 20, above_height = 34, right_width = 64, gap = 4;
constexpr double most_height = 230, highest_row = 12;
constexpr std::size_t widest_name = 32;  // characters
constexpr double pixels_wide = 1200, pixels_per_point = 2;

double largest_of(const Margin& margin)
{
    return margin.values.empty() ? 0 : *std::max_element(margin.values.begin(), margin.values.end());
}

double row_height(const Heatmap& map)
{
    return std::min(highest_row,
                    most_height / static_cast<double>(std::max<std::size_t>(map.rows.size(), 1)));
}

// Of the palette's `most`, over the paper: how much of it a part of the largest value has.
double opacity_of(double part)
{
    constexpr double least = 0.16;
    return least + (1 - least) * part;
}

// Transparent where there is nothing.
std::uint32_t pixel_of(const Colour& colour, double opacity)
{
    const auto level = [opacity](double part) {
        return static_cast<std::uint32_t>(std::lround(part * opacity * 255));
    };
    return level(1) << 24 | level(colour.red) << 16 | level(colour.green) << 8 | level(colour.blue);
}

// Of a class, of `levels` of them: the lowest one is seen too.
double opacity_of_level(double value, const std::vector<ValueClass>& levels)
{
    std::size_t level = 1;
    while (level < levels.size() && value >= levels[level].from) ++level;
    constexpr double least = 0.1;
    const double part =
        static_cast<double>(level - 1) / static_cast<double>(std::max<std::size_t>(levels.size(), 2) - 1);
    return least + (1 - least) * part;
}

struct Image {
    Surface surface;
    int width, height;
};

// For drawings that have pictures as PNG: this one need not be made of the pixels then.
void attach(std::string png, cairo_surface_t* surface)
{
    auto kept = std::make_unique<std::string>(std::move(png));
    const auto* const bytes = reinterpret_cast<const unsigned char*>(kept->data());
    const std::size_t size = kept->size();
    const auto free = [](void* text) { delete static_cast<std::string*>(text); };
    if (cairo_surface_set_mime_data(surface, CAIRO_MIME_TYPE_PNG, bytes, size, free, kept.get()) ==
        CAIRO_STATUS_SUCCESS)
        static_cast<void>(kept.release());
}

// Each cell is several pixels, so that viewers which smooth images blur no more than the cells' edges.
Image image_of(const Heatmap& map, const Palette& palette)
{
    const std::size_t columns = std::max<std::size_t>(map.time.slices, 1),
                      rows = std::max<std::size_t>(map.rows.size(), 1);
    const auto across = static_cast<std::size_t>(std::ceil(pixels_wide / static_cast<double>(columns))),
               down = static_cast<std::size_t>(std::ceil(row_height(map) * pixels_per_point));
    const int width = static_cast<int>(columns * across), height = static_cast<int>(rows * down);
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    unsigned char* const data = cairo_image_surface_get_data(surface.get());
    if (data == nullptr) throw std::runtime_error("drawing a heatmap failed: no memory for its image");
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    const double largest = largest_of(map);
    std::vector<std::uint8_t> opacities(rows * static_cast<std::size_t>(width));
    for (std::size_t row = 0; row < map.rows.size(); ++row)
        for (std::size_t line = row * down; line < (row + 1) * down; ++line) {
            auto* const pixels = reinterpret_cast<std::uint32_t*>(data + line * stride);
            for (std::size_t at = 0; at < map.values[row].size(); ++at) {
                const double value = map.values[row][at];
                if (map.levels.empty() ? !(value > 0) : !std::isfinite(value)) continue;
                const double opacity =
                    map.levels.empty() ? opacity_of(value / largest) : opacity_of_level(value, map.levels);
                const std::uint32_t pixel = pixel_of(palette.most, opacity);
                std::fill_n(pixels + at * across, across, pixel);
                if (line == row * down)
                    std::fill_n(opacities.data() + row * static_cast<std::size_t>(width) + at * across,
                                across, static_cast<std::uint8_t>(pixel >> 24));
            }
        }
    cairo_surface_mark_dirty(surface.get());
    attach(png_of(palette.most, opacities, static_cast<std::size_t>(width), down), surface.get());
    return {std::move(surface), width, height};
}

}  // namespace

void draw_cells(const Frame& frame, const Heatmap& map)
{
    if (!(map.time.end > 0)) return;  // no time, no room
    const Image image = image_of(map, frame.palette);
    const double from = x_of(frame, map.time, map.time.first),
                 to = x_of(frame, map.time,
                           map.time.first + map.time.length * static_cast<double>(map.time.slices));
    cairo_save(frame.context);
    cairo_rectangle(frame.context, frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    cairo_clip(frame.context);
    cairo_translate(frame.context, from, frame.top);
    cairo_scale(frame.context, (to - from) / image.width, (frame.bottom - frame.top) / image.height);
    cairo_set_source_surface(frame.context, image.surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(frame.context), CAIRO_FILTER_NEAREST);
    cairo_paint(frame.context);
    cairo_restore(frame.context);
    cairo_set_line_width(frame.context, 0.5);
    set_colour(frame.context, frame.palette.grid);
    cairo_rectangle(frame.context, frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    cairo_stroke(frame.context);
}

namespace {

double label_room(cairo_t* context, const Heatmap& map)
{
    double widest = Words(context, map.row_heading, axis_font).width();
    for (const Band& band : map.rows)
        widest = std::max(widest, Words(context, name_of(band), axis_font).width());
    return widest + gap;
}

void draw_rows(const Frame& frame, const Heatmap& map)
{
    const double height = row_height(map);
    const double line = Words(frame.context, "0", axis_font).height();
    std::size_t every = 1;
    while (static_cast<double>(every) * height < line) every *= 2;
    for (std::size_t row = 0; row < map.rows.size(); row += every) {
        const Words name(frame.context, name_of(map.rows[row]), axis_font);
        const double middle = frame.top + height * (static_cast<double>(row) + 0.5);
        name.draw(frame.left - gap - name.width(), middle - name.height() / 2, frame.palette.muted);
    }
    const Words heading(frame.context, map.row_heading, axis_font);
    heading.draw(frame.left - gap - heading.width(), frame.top - heading.height() - 7, frame.palette.muted);
}

// Bars that stand on the cells, with the largest value beside the line that it reaches.
void draw_above(const Frame& cells, const Heatmap& map)
{
    const double largest = largest_of(map.by_slice);
    Frame frame = cells;
    frame.top = scale_height;
    frame.bottom = cells.top - gap;
    frame.axis_end = largest > 0 ? largest : 1;
    set_colour(frame.context, frame.palette.series[0]);
    for (std::size_t at = 0; at < map.by_slice.values.size(); ++at) {
        const double value = map.by_slice.values[at];
        if (!(value > 0)) continue;
        const double x = x_of(frame, map.time, begin_of(map.time, at)),
                     to = x_of(frame, map.time, end_of(map.time, at)),
                     y = std::min(frame.y_of(value), frame.bottom - 0.7);
        cairo_rectangle(frame.context, x, y, to - x, frame.bottom - y);
    }
    cairo_fill(frame.context);
    const Words label(frame.context, format_tick(map.by_slice.measure, largest), axis_font);
    label.draw(frame.left - gap - label.width(), frame.top - 2, frame.palette.muted);
}

void draw_right(const Frame& cells, const Heatmap& map)
{
    const double largest = largest_of(map.by_row);
    const double height = row_height(map), from = cells.right + gap;
    set_colour(cells.context, cells.palette.series[0]);
    for (std::size_t row = 0; row < map.by_row.values.size(); ++row) {
        const double value = map.by_row.values[row];
        if (!(value > 0)) continue;
        cairo_rectangle(cells.context, from, cells.top + height * (static_cast<double>(row) + 0.08),
                        std::max(0.7, value / largest * right_width), height * 0.84);
    }
    cairo_fill(cells.context);
    const Words label(cells.context, format_tick(map.by_row.measure, largest), axis_font);
    label.draw(from + right_width - label.width(), cells.top - label.height() - 2, cells.palette.muted);
}

// From nothing to the most, with their numbers.
void draw_scale(const Frame& frame, const Heatmap& map)
{
    constexpr double width = 120, height = 8, y = 2;
    constexpr int steps = 24;
    const double largest = largest_of(map);
    double x = map.levels.empty() ? frame.left : 0;
    const auto say = [&](const std::string& words) {
        const Words label(frame.context, words, axis_font);
        label.draw(x, y + height / 2 - label.height() / 2, frame.palette.muted);
        x += label.width() + gap;
    };
    for (const ValueClass& level : map.levels) {
        const Colour& most = frame.palette.most;
        cairo_set_source_rgba(frame.context, most.red, most.green, most.blue,
                              opacity_of_level(level.from, map.levels));
        cairo_rectangle(frame.context, x, y, height * 2, height);
        cairo_fill(frame.context);
        x += height * 2 + gap;
        say(level.from > 0 ? level.name + " from " + format_tick(map.measure, level.from) : level.name);
        x += 2 * gap;
    }
    if (!map.levels.empty()) {
        say("blank: nothing is known");
        return;
    }
    say("0");
    for (int step = 0; step < steps; ++step) {
        const Colour& most = frame.palette.most;
        cairo_set_source_rgba(frame.context, most.red, most.green, most.blue,
                              opacity_of((step + 0.5) / steps));
        cairo_rectangle(frame.context, x + width / steps * step, y, width / steps, height);
        cairo_fill(frame.context);
    }
    x += width + gap;
    say(fmt::format("{} (the middle: {})", format_tick(map.measure, largest),
                    format_tick(map.measure, largest / 2)));
}

// A spot a row, with the values of its cells: a spot a cell would make pages of megabytes.
Spots spots_of(const Frame& frame, const Heatmap& map)
{
    Spots spots;
    if (!(map.time.end > 0)) return spots;
    const double height = row_height(map);
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        Spot spot{frame.left, frame.top + height * static_cast<double>(row), frame.right - frame.left, height,
                  fmt::format("{} {}: {}", map.row_heading, name_of(map.rows[row]),
                              format(cell_of(map.by_row.measure, map.by_row.values[row])))};
        for (const double value : map.values[row])
            spot.cells.push_back(
                value > 0 || (value == 0 && !map.levels.empty()) ? format(cell_of(map.measure, value)) : "");
        spots.spots.push_back(std::move(spot));
    }
    spots.first_column = x_of(frame, map.time, map.time.first);
    spots.column_width = x_of(frame, map.time, map.time.first + map.time.length) - spots.first_column;
    for (std::size_t at = 0; at < map.time.slices; ++at) spots.columns.push_back(from_words(map.time, at));
    return spots;
}

}  // namespace

double largest_of(const Heatmap& map)
{
    double largest = 0;
    for (const auto& row : map.values)
        for (const double value : row) largest = std::max(largest, value);
    return largest;
}

std::string name_of(const Band& band)
{
    if (!band.name.empty()) return shorten_middle(printable(band.name), widest_name);
    return band.members <= 1 ? std::to_string(band.first) : fmt::format("{}-{}", band.first, band.last);
}

double heatmap_height(const Heatmap& map)
{
    return scale_height + above_height + gap + row_height(map) * static_cast<double>(map.rows.size()) +
           time_axis_height;
}

Spots draw_heatmap(cairo_t* context, const Heatmap& map, double width, const Palette& palette)
{
    if (map.rows.empty() || map.time.slices == 0) return {};
    Frame frame{context, palette};
    frame.left = label_room(context, map);
    frame.right = width - 1 - right_width - gap;
    frame.top = scale_height + above_height + gap;
    frame.bottom = frame.top + row_height(map) * static_cast<double>(map.rows.size());
    frame.left = std::max(
        frame.left, Words(context,
                          format_tick(map.by_slice.measure, *std::max_element(map.by_slice.values.begin(),
                                                                              map.by_slice.values.end())),
                          axis_font)
                            .width() +
                        gap);
    draw_scale(frame, map);
    draw_above(frame, map);
    draw_cells(frame, map);
    draw_rows(frame, map);
    draw_right(frame, map);
    draw_time_axis(frame, map.time);
    return spots_of(frame, map);
}

}  // namespace fathom::report
