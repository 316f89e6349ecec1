// Column widths come from what stands in them; paths, then words, give way until the table fits its page.
#include "analyzer/document/renderers/pdf/pdf_table.h"

#include <algorithm>
#include <numeric>

#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double cell_gap = 9, row_padding = 2;
constexpr double narrowest_path = 110, narrowest_text = 50;
constexpr double least_font = 5.5;

struct Layout {
    std::vector<double> widths;
    Font font{8};

    double total() const
    {
        return std::accumulate(widths.begin(), widths.end(), 0.0) +
               cell_gap * static_cast<double>(widths.size() - 1);
    }
};

Layout measured(cairo_t* context, const DataTable& table, Font font)
{
    Layout layout{{}, font};
    for (const DataColumn& column : table.columns)
        layout.widths.push_back(Words(context, column.heading, {font.size, true}).width());
    for (const auto& row : table.rows)
        for (std::size_t at = 0; at < row.size(); ++at)
            layout.widths[at] = std::max(layout.widths[at], Words(context, format(row[at]), font).width());
    return layout;
}

void narrow(const DataTable& table, Layout& layout, Measure measure, double least)
{
    for (std::size_t at = 0; at < layout.widths.size(); ++at) {
        const double excess = layout.total() - Pages::content_width;
        if (excess <= 0) return;
        if (table.columns[at].measure == measure && layout.widths[at] > least)
            layout.widths[at] = std::max(least, layout.widths[at] - excess);
    }
}

Layout fitted(cairo_t* context, const DataTable& table)
{
    for (Font font{8};; font.size -= 0.5) {
        Layout layout = measured(context, table, font);
        narrow(table, layout, Measure::path, narrowest_path);
        narrow(table, layout, Measure::text, narrowest_text);
        if (layout.total() <= Pages::content_width || font.size <= least_font) return layout;
    }
}

// Draws one row of texts and returns nothing but ink: the caller moves on.
template <class TextOf>
void draw_row(Pages& pages, const DataTable& table, const Layout& layout, Font font, const Colour& colour,
              TextOf text_of)
{
    double x = Pages::margin;
    for (std::size_t at = 0; at < layout.widths.size(); ++at) {
        const Words words(pages.context(),
                          fit_path(pages.context(), text_of(at), font, layout.widths[at] + 0.5), font);
        const double inset = is_number(table.columns[at].measure) ? layout.widths[at] - words.width() : 0;
        words.draw(x + inset, pages.y() + row_padding, colour);
        x += layout.widths[at] + cell_gap;
    }
}

// The first column and those from `from` to before `to`.
DataTable part_of(const DataTable& table, std::size_t from, std::size_t to)
{
    const auto some = [&](const auto& all) {
        auto part = std::remove_cvref_t<decltype(all)>{all.front()};
        part.insert(part.end(), all.begin() + static_cast<std::ptrdiff_t>(from),
                    all.begin() + static_cast<std::ptrdiff_t>(to));
        return part;
    };
    DataTable part;
    part.columns = some(table.columns);
    for (const auto& row : table.rows) part.rows.push_back(some(row));
    return part;
}

// How many columns after the first fit beside it, beginning with the column `from`: at least one.
std::size_t fitting(const Layout& layout, std::size_t from)
{
    std::size_t columns = 0;
    double used = layout.widths[0];
    while (from + columns < layout.widths.size() &&
           used + cell_gap + layout.widths[from + columns] <= Pages::content_width)
        used += cell_gap + layout.widths[from + columns++];
    return std::max<std::size_t>(columns, 1);
}

}  // namespace

void draw_table(Pages& pages, const DataTable& table)
{
    if (table.columns.empty()) return;
    const Layout layout = fitted(pages.context(), table);
    // What does not fit even in small letters goes on below, with the first column again.
    if (layout.total() > Pages::content_width + 0.5 && table.columns.size() > 2) {
        for (std::size_t from = 1; from < table.columns.size();) {
            const std::size_t to = std::min(from + fitting(layout, from), table.columns.size());
            draw_table(pages, part_of(table, from, to));
            pages.skip(to < table.columns.size() ? cell_gap : 0);
            from = to;
        }
        return;
    }
    const Font heading_font{layout.font.size, true};
    const double row_height = Words(pages.context(), "Ag", layout.font).height() + 2 * row_padding;
    const double width = std::min(layout.total(), Pages::content_width);
    const auto heading = [&] {
        draw_row(pages, table, layout, heading_font, on_white.muted,
                 [&](std::size_t at) { return table.columns[at].heading; });
        pages.skip(row_height);
        set_colour(pages.context(), on_white.muted);
        cairo_set_line_width(pages.context(), 0.5);
        cairo_move_to(pages.context(), Pages::margin, pages.y());
        cairo_line_to(pages.context(), Pages::margin + width, pages.y());
        cairo_stroke(pages.context());
        pages.skip(1);
    };
    pages.need(row_height * 3);
    heading();
    bool banded = false;
    for (const auto& row : table.rows) {
        if (!pages.fits(row_height)) {
            pages.next_page();
            heading();
            banded = false;
        }
        if (banded) {
            set_colour(pages.context(), on_white.band);
            cairo_rectangle(pages.context(), Pages::margin - 3, pages.y(), width + 6, row_height);
            cairo_fill(pages.context());
        }
        banded = !banded;
        draw_row(pages, table, layout, layout.font, on_white.ink,
                 [&](std::size_t at) { return format(row[at]); });
        pages.skip(row_height);
    }
}

}  // namespace fathom::report
