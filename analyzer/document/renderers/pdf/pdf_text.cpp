// Lays out rows of text; each goes to the next page as a whole.
#include "analyzer/document/renderers/pdf/pdf_text.h"

#include <algorithm>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t longest_text = 600;
constexpr double remark_column = 285, column_gap = 8, row_gap = 3;

}  // namespace

std::string shortened(std::string_view text)
{
    return shorten_middle(printable(text), longest_text);
}

void draw_text(Pages& pages, std::string_view text, Font font, const Colour& colour)
{
    const Words words(pages.context(), text, font, Pages::content_width);
    pages.need(words.height());
    words.draw(Pages::margin, pages.y(), colour);
    pages.skip(words.height());
}

void draw_entries(Pages& pages, const std::vector<Entry>& entries)
{
    constexpr double wide = Pages::content_width - value_column,
                     remark_width = Pages::content_width - remark_column;
    constexpr Font value_font{body_font.size, true};
    cairo_t* const context = pages.context();
    for (const Entry& entry : entries) {
        const Words label(context, entry.label, body_font, value_column - column_gap);
        const std::string shown = entry.value.measure == Measure::path
                                      ? fit_path(context, format(entry.value), value_font, wide)
                                      : shortened(format(entry.value));
        const Words value(context, shown, value_font, wide);
        const bool below = value.width() > remark_column - value_column - column_gap && !entry.remark.empty();
        const Words remark(context, entry.remark, small_font, below ? wide : remark_width);
        const double first = std::max(label.height(), value.height());
        const double remark_height = entry.remark.empty() ? 0 : remark.height();
        const double height = (below ? first + remark_height : std::max(first, remark_height)) + row_gap;
        pages.need(height);
        label.draw(Pages::margin, pages.y(), on_white.muted);
        value.draw(Pages::margin + value_column, pages.y(), on_white.ink);
        if (!entry.remark.empty())
            remark.draw(Pages::margin + (below ? value_column : remark_column),
                        pages.y() + (below ? first : 0.8), on_white.muted);
        pages.skip(height);
    }
}

void draw_labelled(Pages& pages, std::string_view label, std::string_view words)
{
    const Words left(pages.context(), label, body_font, value_column - column_gap);
    const Words right(pages.context(), shortened(words), body_font, Pages::content_width - value_column);
    const double height = std::max(left.height(), right.height()) + row_gap;
    pages.need(height);
    left.draw(Pages::margin, pages.y(), on_white.muted);
    right.draw(Pages::margin + value_column, pages.y(), on_white.ink);
    pages.skip(height);
}

}  // namespace fathom::report
