// The order of the screen on paper: verdict, numbers, findings, two columns of charts.
#include "analyzer/document/renderers/pdf/pdf_first_page.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "analyzer/document/drawing/first_charts.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/pdf/pdf_text.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr Font verdict_font{10.5}, number_font{12, true}, brief_font{9, true};
constexpr double padding_left = 8, column_space = 18, left_share = 0.63;

void band(Pages& pages, double height, const Colour& edge)
{
    cairo_t* const context = pages.context();
    set_colour(context, on_white.band);
    cairo_rectangle(context, Pages::margin, pages.y(), Pages::content_width, height);
    cairo_fill(context);
    set_colour(context, edge);
    cairo_rectangle(context, Pages::margin, pages.y(), 3, height);
    cairo_fill(context);
}

void boxed(Pages& pages, const std::string& text, Font font, const Colour& edge)
{
    const Words words(pages.context(), shortened(text), font, Pages::content_width - 2 * padding_left - 3);
    const double height = words.height() + 10;
    pages.need(height);
    band(pages, height, edge);
    words.draw(Pages::margin + 3 + padding_left, pages.y() + 5, on_white.ink);
    pages.skip(height + 5);
}

// Draws at (x, y) of the page.
void drawn_at(Pages& pages, double x, double y, const std::function<void(cairo_t*)>& draw)
{
    cairo_save(pages.context());
    cairo_translate(pages.context(), x, y);
    draw(pages.context());
    cairo_restore(pages.context());
}

void draw_numbers(Pages& pages, const FirstPage& page)
{
    if (page.numbers.empty()) return;
    const double column = Pages::content_width / static_cast<double>(page.numbers.size()), between = 8;
    double highest = 0, x = Pages::margin;
    for (const KeyNumber& one : page.numbers) {
        double y = pages.y();
        const auto put = [&](const std::string& text, Font font, const Colour& colour) {
            if (text.empty()) return;
            const Words words(pages.context(), shortened(text), font, column - between);
            words.draw(x, y, colour);
            y += words.height() + 1;
        };
        put(one.label, small_font, on_white.muted);
        put(format(one.value), number_font, on_white.ink);
        put(one.rate, small_font, on_white.ink);
        put(one.about, small_font, on_white.muted);
        highest = std::max(highest, y - pages.y());
        x += column;
    }
    pages.skip(highest + 8);
}

void draw_brief(Pages& pages, const FindingInBrief& one, double cost_column)
{
    const double room = Pages::content_width - cost_column;
    const Words cost(pages.context(), one.cost, brief_font, cost_column - padding_left);
    const Words confidence(
        pages.context(),
        fmt::format("{} confidence", confidence_names[static_cast<std::size_t>(one.confidence)]), small_font);
    const Words title(pages.context(), shortened(one.title), brief_font,
                      room - confidence.width() - padding_left);
    const Words advice(pages.context(), shortened(one.advice), small_font, room);
    const double height = std::max(title.height(), cost.height()) + advice.height() + 6;
    pages.need(height);
    cost.draw(Pages::margin, pages.y(), on_white.ink);
    title.draw(Pages::margin + cost_column, pages.y(), on_white.ink);
    confidence.draw(Pages::margin + Pages::content_width - confidence.width(), pages.y() + 1, on_white.muted);
    advice.draw(Pages::margin + cost_column, pages.y() + title.height() + 1, on_white.muted);
    pages.skip(height);
}

void draw_findings(Pages& pages, const FirstPage& page)
{
    if (page.findings.empty()) return;
    constexpr double least_column = 70;
    draw_text(pages, "What to change, by the seconds it saves", caption_font, on_white.ink);
    pages.skip(4);
    double cost_column = least_column;
    for (const FindingInBrief& one : page.findings)
        cost_column =
            std::max(cost_column, Words(pages.context(), one.cost, brief_font).width() + padding_left + 1);
    for (const FindingInBrief& one : page.findings) draw_brief(pages, one, std::min(cost_column, 120.0));
    if (!page.on_findings.empty()) draw_text(pages, page.on_findings, small_font, on_white.muted);
    pages.skip(6);
}

struct Column {
    double left, width;  // points
};

// A caption and a drawing below it; returns where it ends.
template <class Draw>
double captioned(Pages& pages, const Column& column, double y, const std::string& title, double height,
                 Draw draw)
{
    const Words caption(pages.context(), title, caption_font, column.width);
    caption.draw(column.left, y, on_white.ink);
    y += caption.height() + 3;
    drawn_at(pages, column.left, y, draw);
    return y + height;
}

void draw_charts(Pages& pages, const FirstPage& page)
{
    const double wide = page.over_time ? Pages::content_width * left_share : 0,
                 beside = wide > 0 ? wide + column_space : 0;
    const Column left{Pages::margin, wide},
        right{Pages::margin + beside, std::min(Pages::content_width - beside, Pages::content_width / 2)};
    double left_end = pages.y(), right_end = pages.y();
    if (page.over_time)
        left_end = captioned(pages, left, pages.y(), page.over_time->title, strip_height(page),
                             [&](cairo_t* context) { draw_strip(context, page, wide, on_white); });
    if (page.sizes)
        right_end = 8 + captioned(pages, right, right_end, page.sizes->title, size_bars_height(*page.sizes),
                                  [&](cairo_t* context) {
                                      draw_size_bars(context, *page.sizes, right.width, on_white);
                                  });
    if (page.layers.size() > 1)
        right_end =
            captioned(pages, right, right_end, "Time in I/O by layer", layer_bar_height(page.layers),
                      [&](cairo_t* context) { draw_layer_bar(context, page.layers, right.width, on_white); });
    pages.skip(std::max(left_end, right_end) - pages.y());
}

}  // namespace

void draw_first_page(Pages& pages, const FirstPage& page)
{
    draw_text(pages, page.recorded, small_font, page.all_well ? on_white.muted : on_white.ink);
    pages.skip(6);
    boxed(pages, page.verdict, verdict_font, on_white.series[1]);
    for (const Note& note : page.notes) boxed(pages, note.text, small_font, on_white.ink);
    pages.skip(3);
    if (!page.bars.empty()) {
        const double height = time_bars_height(page.bars);
        pages.need(height);
        drawn_at(pages, Pages::margin, pages.y(), [&](cairo_t* context) {
            draw_time_bars(context, page.bars, Pages::content_width, on_white);
        });
        pages.skip(height + 6);
    }
    draw_numbers(pages, page);
    draw_findings(pages, page);
    const double right =
                     (page.sizes ? size_bars_height(*page.sizes) + 24 : 0) + layer_bar_height(page.layers),
                 charts = std::max(page.over_time ? strip_height(page) : 0, right) + 20;
    pages.need(std::min(charts, Pages::whole));
    draw_charts(pages, page);
}

}  // namespace fathom::report
