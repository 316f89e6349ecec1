// A heading with the cost at its right, rows of evidence and words below, and lines to copy in monospace.
#include "analyzer/document/renderers/pdf/pdf_finding.h"

#include <algorithm>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/finding_words.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/pdf/pdf_text.h"

namespace fathom::report {
namespace {

constexpr Font heading_font{10, true};
constexpr double gap = 12, padding = 3;
constexpr std::size_t longest_line = 5000;  // room for the longest path

void heading(Pages& pages, const Finding& finding, std::size_t number)
{
    const Words cost(pages.context(), cost_words(finding), heading_font);
    const Words title(pages.context(), shortened(heading_of(finding, number)), heading_font,
                      Pages::content_width - cost.width() - gap);
    title.draw(Pages::margin, pages.y(), on_white.ink);
    cost.draw(Pages::margin + Pages::content_width - cost.width(), pages.y(), on_white.ink);
    pages.skip(std::max(title.height(), cost.height()) + padding);
}

// Broken where the page ends; so is what is copied from it.
void code(Pages& pages, const std::string& line)
{
    const Words words(pages.context(), shorten_middle(printable(line), longest_line), code_font,
                      Pages::content_width - 2 * padding);
    const double height = words.height() + 2 * padding;
    pages.need(height);
    set_colour(pages.context(), on_white.band);
    cairo_rectangle(pages.context(), Pages::margin, pages.y(), Pages::content_width, height);
    cairo_fill(pages.context());
    words.draw(Pages::margin + padding, pages.y() + padding, on_white.ink);
    pages.skip(height + padding);
}

void parts(Pages& pages, const Finding& finding, std::size_t number)
{
    heading(pages, finding, number);
    draw_labelled(pages, confidence_label, confidence_of(finding));
    draw_entries(pages, finding.evidence);
    for (const Labelled& part : explanations_of(finding)) draw_labelled(pages, part.label, part.words);
    for (const Advice& advice : finding.advice) {
        draw_labelled(pages, advice_label, advice.text);
        for (const std::string& line : advice.lines) code(pages, line);
    }
}

}  // namespace

double finding_height(Pages& pages, const Finding& finding, std::size_t number)
{
    return pages.height_of([&] { parts(pages, finding, number); });
}

void draw_finding(Pages& pages, const Finding& finding, std::size_t number)
{
    pages.need(std::min(finding_height(pages, finding, number), Pages::whole));
    parts(pages, finding, number);
}

}  // namespace fathom::report
