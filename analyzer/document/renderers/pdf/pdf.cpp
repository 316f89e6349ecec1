// The document on A4 pages: laid out once to count the pages, and once for good.
#include "analyzer/document/renderers/pdf/pdf.h"

#include <algorithm>
#include <cairo-pdf.h>

#include "analyzer/document/drawing/chart.h"
#include "analyzer/document/drawing/drawing.h"
#include "analyzer/document/drawing/heatmap.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/plot.h"
#include "analyzer/document/drawing/time_chart.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/pdf/pdf_finding.h"
#include "analyzer/document/renderers/pdf/pdf_first_page.h"
#include "analyzer/document/renderers/pdf/pdf_page.h"
#include "analyzer/document/renderers/pdf/pdf_table.h"
#include "analyzer/document/renderers/pdf/pdf_text.h"

namespace fathom::report {
namespace {

constexpr Font title_font{17, true}, section_font{12.5, true};
constexpr double heading_height = 26, caption_height = 20;  // with what is left free around them

class Writer {
  public:
    explicit Writer(Pages& pages) : pages_(pages) {}

    void title(const Document& document)
    {
        draw_text(pages_, "I/O report by Fathom", small_font, on_white.muted);
        pages_.skip(2);
        draw_text(pages_, shorten_middle(printable(document.title), 160), title_font, on_white.ink);
        pages_.skip(3);
        draw_text(pages_, document.subtitle, body_font, on_white.muted);
        pages_.skip(8);
    }

    void section(const Section& section)
    {
        if (pages_.y() > Pages::margin) pages_.skip(14);
        pages_.need(heading_height + (section.blocks.empty() ? 0 : least_height(section.blocks.front())));
        pages_.bookmark(section.title);
        draw_text(pages_, section.title, section_font, on_white.ink);
        pages_.skip(2);
        pages_.rule(on_white.muted);
        pages_.skip(7);
        for (const Block& block : section.blocks) {
            if (!is_shown(block)) continue;
            std::visit([this](const auto& one) { write(one); }, block);
            pages_.skip(8);
        }
    }

  private:
    // What of a block must stand on the page of the heading above it: a heading does not stand alone at the
    // foot of a page.
    double least_height(const Block& block)
    {
        constexpr double some_rows = 60, most = Pages::whole - heading_height;
        const auto drawing = [](double height) { return caption_height + height; };
        if (std::holds_alternative<Chart>(block)) return drawing(chart_height);
        if (const auto* chart = std::get_if<TimeChart>(&block)) return drawing(time_chart_height(*chart));
        if (const auto* map = std::get_if<Heatmap>(&block)) return drawing(heatmap_height(*map));
        if (const auto* plot = std::get_if<Plot>(&block)) return drawing(plot_height(*plot));
        if (std::holds_alternative<DataTable>(block)) return drawing(some_rows);
        if (std::holds_alternative<Entries>(block)) return some_rows;
        if (const auto* finding = std::get_if<Finding>(&block))
            return std::min(finding_height(pages_, *finding, findings_ + 1), most);
        return std::min(pages_.height_of([&] { std::visit([this](const auto& one) { write(one); }, block); }),
                        most);
    }

    void write(const Paragraph& paragraph)
    {
        draw_text(pages_, shortened(paragraph.text), body_font, on_white.ink);
    }

    void write(const Note& note)
    {
        const char* const label = note.weight == Weight::warning ? "Warning: " : "Note: ";
        const Words words(pages_.context(), label + shortened(note.text), body_font,
                          Pages::content_width - 14);
        pages_.need(words.height() + 6);
        set_colour(pages_.context(), on_white.band);
        cairo_rectangle(pages_.context(), Pages::margin, pages_.y(), Pages::content_width,
                        words.height() + 6);
        cairo_fill(pages_.context());
        set_colour(pages_.context(), note.weight == Weight::warning ? on_white.ink : on_white.muted);
        cairo_rectangle(pages_.context(), Pages::margin, pages_.y(), 2.5, words.height() + 6);
        cairo_fill(pages_.context());
        words.draw(Pages::margin + 9, pages_.y() + 3, on_white.ink);
        pages_.skip(words.height() + 6);
    }

    void write(const Entries& entries) { draw_entries(pages_, entries.entries); }

    void write(const Finding& finding) { draw_finding(pages_, finding, ++findings_); }

    void write(const DataTable& table)
    {
        caption(table.title, 60);
        draw_table(pages_, table);
        remark(table.remark);
    }

    void write(const Chart& chart) { figure(chart, chart_height, draw_chart); }
    void write(const TimeChart& chart) { figure(chart, time_chart_height(chart), draw_time_chart); }
    void write(const Heatmap& map) { figure(map, heatmap_height(map), draw_heatmap); }

    void write(const Plot& plot) { figure(plot, plot_height(plot), draw_plot); }

    template <class Drawn>
    void figure(const Drawn& what, double height,
                Spots (*draw)(cairo_t*, const Drawn&, double width, const Palette&))
    {
        caption(what.title, height + 6);
        pages_.need(height);
        cairo_save(pages_.context());
        cairo_translate(pages_.context(), Pages::margin, pages_.y());
        draw(pages_.context(), what, Pages::content_width, on_white);
        cairo_restore(pages_.context());
        pages_.skip(height);
        remark(what.remark);
    }

    void caption(const std::string& title, double followed_by)
    {
        if (title.empty()) return;
        pages_.need(caption_height + followed_by);
        draw_text(pages_, title, caption_font, on_white.ink);
        pages_.skip(3);
    }

    void remark(const std::string& text)
    {
        if (text.empty()) return;
        pages_.skip(3);
        draw_text(pages_, text, small_font, on_white.muted);
    }

    Pages& pages_;
    std::size_t findings_ = 0;
};

std::string laid_out(const Document& document, std::size_t pages_in_all, std::size_t& pages_made)
{
    std::string pdf;
    {
        Pages pages(pdf, document.title, pages_in_all);
        Writer writer(pages);
        writer.title(document);
        if (document.first) {
            draw_first_page(pages, *document.first);
            if (std::any_of(document.sections.begin(), document.sections.end(),
                            [](const Section& section) { return is_shown(section); }))
                pages.next_page();
        }
        for (const Section& section : document.sections)
            if (is_shown(section)) writer.section(section);
        pages_made = pages.end();
    }
    return pdf;
}

}  // namespace

std::string render_pdf(const Document& document)
{
    std::size_t pages = 0, same = 0;
    laid_out(document, 0, pages);
    return laid_out(document, pages, same);
}

}  // namespace fathom::report
