// Draws with Cairo and rewrites what Cairo takes to be a file of its own.
#include "analyzer/document/drawing/svg.h"

#include "analyzer/document/drawing/drawing.h"

namespace fathom::report {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

std::string svg_of(double width, double height, const std::string& prefix,
                   const std::function<void(cairo_t*)>& draw)
{
    std::string svg;
    {
        const Surface surface = svg_surface(svg, width, height);
        const Context context(cairo_create(surface.get()));
        draw(context.get());
        finish(context.get(), surface.get());
    }
    // Without the XML declaration; ids that are this drawing's own; the page sets the size.
    svg.erase(0, svg.find("<svg"));
    replace_all(svg, " id=\"", " id=\"" + prefix);
    replace_all(svg, "href=\"#", "href=\"#" + prefix);
    replace_all(svg, "url(#", "url(#" + prefix);
    const std::size_t end = svg.find('>');
    for (const char* attribute : {" width=\"", " height=\""}) {
        const std::size_t at = svg.find(attribute);
        if (at < end) svg.erase(at, svg.find('"', at + std::string_view(attribute).size()) + 1 - at);
    }
    return svg.substr(0, svg.find_last_of('>') + 1);
}

}  // namespace fathom::report
