// Draws with Cairo and rewrites what Cairo takes to be a file of its own.
#include "analyzer/document/drawing/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/markup.h"

namespace fathom::report {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::vector<Colour> colours_of(const Palette& palette)
{
    std::vector<Colour> colours = {palette.ink, palette.muted, palette.grid, palette.band, palette.most};
    colours.insert(colours.end(), std::begin(palette.series), std::end(palette.series));
    colours.insert(colours.end(), std::begin(palette.classes), std::end(palette.classes));
    return colours;
}

// "var(--c3)"; as it is where the palette does not have it.
std::string variable_of(const Colour& colour)
{
    constexpr double same = 0.003;
    const std::vector<Colour> colours = colours_of(on_white);
    for (std::size_t at = 0; at < colours.size(); ++at)
        if (std::abs(colours[at].red - colour.red) < same &&
            std::abs(colours[at].green - colour.green) < same &&
            std::abs(colours[at].blue - colour.blue) < same)
            return fmt::format("var(--c{})", at);
    return fmt::format("rgb({:.0f},{:.0f},{:.0f})", colour.red * 255, colour.green * 255, colour.blue * 255);
}

// Cairo writes them in per cent, with a digit more or less from version to version.
void name_colours(std::string& svg)
{
    constexpr std::string_view begin = "rgb(";
    for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
        double red = 0, green = 0, blue = 0;
        if (std::sscanf(svg.c_str() + at, "rgb(%lf%%, %lf%%, %lf%%)", &red, &green, &blue) != 3) continue;
        svg.replace(at, svg.find(')', at) + 1 - at, variable_of({red / 100, green / 100, blue / 100}));
    }
}

// A hundredth of a point is seen by nobody, and what Cairo says of a path is what it would be anyway.
std::string without_needless(const std::string& svg)
{
    constexpr std::size_t decimals = 2;
    std::string out;
    out.reserve(svg.size());
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = 0; at < svg.size(); ++at) {
        out += svg[at];
        if (svg[at] != '.' || at == 0 || !digit(svg[at - 1])) continue;
        for (std::size_t kept = 0; at + 1 < svg.size() && digit(svg[at + 1]); ++at)
            if (kept++ < decimals) out += svg[at + 1];
    }
    for (const char* const needless :
         {"stroke:none;fill-rule:nonzero;", "fill-opacity:1;", "stroke-opacity:1;", "stroke-miterlimit:10;",
          "stroke-linecap:butt;", "stroke-linejoin:miter;"})
        replace_all(out, needless, "");
    return out;
}

// As wide as it was laid out, whatever font the page has.
std::string element_of(const WrittenText& text)
{
    const std::string turned = text.turned == 0 ? ""
                                                : fmt::format(" transform=\"rotate({:.0f} {:.1f} {:.1f})\"",
                                                              text.turned, text.x, text.y);
    return fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"{}{}{} "
        "textLength=\"{:.1f}\">{}</text>\n",
        text.x, text.y, text.font.size, variable_of(text.colour), turned,
        text.font.bold ? " font-weight=\"bold\"" : "",
        text.font.monospace ? " font-family=\"monospace\"" : "", text.width, escape(text.text));
}

std::string values_of(const Palette& palette)
{
    std::string values;
    const std::vector<Colour> colours = colours_of(palette);
    for (std::size_t at = 0; at < colours.size(); ++at) {
        const auto level = [](double part) { return static_cast<int>(std::lround(part * 255)); };
        fmt::format_to(std::back_inserter(values), "--c{}: #{:02x}{:02x}{:02x}; ", at, level(colours[at].red),
                       level(colours[at].green), level(colours[at].blue));
    }
    return values;
}

}  // namespace

std::string svg_of(double width, double height, const std::string& prefix,
                   const std::function<void(cairo_t*)>& draw)
{
    std::string svg;
    std::vector<WrittenText> texts;
    {
        const Surface surface = svg_surface(svg, width, height);
        keep_text(surface.get(), texts);
        const Context context(cairo_create(surface.get()));
        draw(context.get());
        finish(context.get(), surface.get());
    }
    // Without the XML declaration; ids that are this drawing's own; the page sets the size.
    svg.erase(0, svg.find("<svg"));
    replace_all(svg, " id=\"", " id=\"" + prefix);
    replace_all(svg, "href=\"#", "href=\"#" + prefix);
    replace_all(svg, "url(#", "url(#" + prefix);
    name_colours(svg);
    svg = without_needless(svg);
    const std::size_t end = svg.find('>');
    for (const char* attribute : {" width=\"", " height=\""}) {
        const std::size_t at = svg.find(attribute);
        if (at < end) svg.erase(at, svg.find('"', at + std::string_view(attribute).size()) + 1 - at);
    }
    svg.resize(svg.rfind("</svg>"));
    for (const WrittenText& text : texts) svg += element_of(text);
    return svg + "</svg>";
}

std::string palette_style()
{
    return fmt::format(
        ":root {{ {}}}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {}}}\n  "
        "svg use {{ filter: invert(1) hue-rotate(180deg); }} }}\nsvg text {{ font-family: "
        "\"DejaVu Sans\", \"Noto Sans\", system-ui, sans-serif; }}\n",
        values_of(on_white), values_of(on_black));
}

}  // namespace fathom::report
