// An <svg> with another one over it for the pointer and the arrow keys.
#include "analyzer/document/renderers/html/html_drawing.h"

#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "analyzer/document/drawing/svg.h"
#include "analyzer/document/markup.h"

namespace fathom::report {
namespace {

// As the page's script takes it apart.
std::string one_text(const std::vector<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, "|"));
}

std::string overlay(const Spots& spots, DrawingSize size, std::string_view title)
{
    std::string out;
    const auto add = [&]<class... Arguments>(fmt::format_string<Arguments...> format,
                                             Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    };
    if (spots.spots.empty()) return out;
    add("<svg class=\"spots\" viewBox=\"0 0 {:g} {:g}\" aria-hidden=\"true\" data-title=\"{}\"", size.width,
        size.height, escape(title));
    if (!spots.columns.empty())
        add(" data-from=\"{:.2f}\" data-step=\"{:.4f}\" data-columns=\"{}\"", spots.first_column,
            spots.column_width, escape(one_text(spots.columns)));
    if (spots.axis_end > spots.axis_begin)
        add(" data-left=\"{:.2f}\" data-right=\"{:.2f}\" data-begin=\"{:.3f}\" data-end=\"{:.3f}\"",
            spots.axis_left, spots.axis_right, spots.axis_begin, spots.axis_end);
    add(">\n");
    for (const Spot& spot : spots.spots) {
        add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", spot.x, spot.y, spot.width,
            spot.height);
        if (!spot.cells.empty()) add(" data-cells=\"{}\"", escape(one_text(spot.cells)));
        add("><title>{}</title></rect>\n", escape(spot.words));
    }
    add("</svg>\n");
    return out;
}

}  // namespace

std::string drawing_html(std::string_view title, const std::string& id, DrawingSize size,
                         const std::function<Spots(cairo_t*)>& draw)
{
    Spots spots;
    const std::string svg =
        svg_of(size.width, size.height, id, [&](cairo_t* context) { spots = draw(context); });
    return fmt::format("<div class=\"drawing\">\n<div role=\"img\" aria-label=\"{}\">{}</div>\n{}</div>\n",
                       escape(title), svg, overlay(spots, size, title));
}

}  // namespace fathom::report
