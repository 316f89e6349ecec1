// The document on A4 pages: laid out once to count the pages, and once for good.
#include "analyzer/report/pdf.h"

#include <algorithm>
#include <cairo-pdf.h>
#include <fmt/format.h>

#include "analyzer/report/chart.h"
#include "analyzer/report/document_units.h"
#include "analyzer/report/drawing.h"
#include "analyzer/report/heatmap.h"
#include "analyzer/report/layout.h"
#include "analyzer/report/pdf_page.h"
#include "analyzer/report/pdf_table.h"
#include "analyzer/report/printable.h"
#include "analyzer/report/time_chart.h"

namespace fathom::report {
namespace {

constexpr Font title_font{17, true}, section_font{12.5, true}, caption_font{9, true}, body{9}, small{8};
// Nothing that is said in a report is longer; a command line of a megabyte must not fill a thousand pages.
constexpr std::size_t longest_text = 600;

class Writer {
  public:
    explicit Writer(Pages& pages) : pages_(pages) {}

    void title(const Document& document)
    {
        text_block(shorten_middle(printable(document.title), 160), title_font, on_white.ink);
        pages_.skip(3);
        text_block(document.subtitle, body, on_white.muted);
        pages_.skip(8);
    }

    void section(const Section& section)
    {
        pages_.skip(14);
        // A heading does not stand alone at the foot of a page.
        const bool chart_first =
            !section.blocks.empty() && std::holds_alternative<Chart>(section.blocks.front());
        pages_.need(chart_first ? chart_height + 50 : 90);
        pages_.bookmark(section.title);
        text_block(section.title, section_font, on_white.ink);
        pages_.skip(2);
        pages_.rule(on_white.muted);
        pages_.skip(7);
        for (const Block& block : section.blocks) {
            std::visit([this](const auto& one) { write(one); }, block);
            pages_.skip(8);
        }
    }

  private:
    void text_block(std::string_view text, Font font, const Colour& colour)
    {
        const Words words(pages_.context(), text, font, Pages::content_width);
        pages_.need(words.height());
        words.draw(Pages::margin, pages_.y(), colour);
        pages_.skip(words.height());
    }

    void write(const Paragraph& paragraph) { text_block(shortened(paragraph.text), body, on_white.ink); }

    void write(const Note& note)
    {
        const char* const label = note.weight == Weight::warning ? "Warning: " : "Note: ";
        const Words words(pages_.context(), label + shortened(note.text), body, Pages::content_width - 14);
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

    // Label, value, remark. A value too wide for its column takes the remark's room, and the remark goes
    // below.
    void write(const Entries& entries)
    {
        constexpr double value_at = 165, remark_at = 285;
        constexpr double wide = Pages::content_width - value_at,
                         remark_width = Pages::content_width - remark_at;
        cairo_t* const context = pages_.context();
        for (const Entry& entry : entries.entries) {
            const Font value_font{body.size, true};
            const Words label(context, entry.label, body, value_at - 8);
            const std::string shown = entry.value.measure == Measure::path
                                          ? fit_path(context, format(entry.value), value_font, wide)
                                          : shortened(format(entry.value));
            const Words value(context, shown, value_font, wide);
            const bool below = value.width() > remark_at - value_at - 8 && !entry.remark.empty();
            const Words remark(context, entry.remark, small, below ? wide : remark_width);
            const double first = std::max(label.height(), value.height());
            const double remark_height = entry.remark.empty() ? 0 : remark.height();
            const double height = (below ? first + remark_height : std::max(first, remark_height)) + 3;
            pages_.need(height);
            label.draw(Pages::margin, pages_.y(), on_white.muted);
            value.draw(Pages::margin + value_at, pages_.y(), on_white.ink);
            if (!entry.remark.empty())
                remark.draw(Pages::margin + (below ? value_at : remark_at),
                            pages_.y() + (below ? first : 0.8), on_white.muted);
            pages_.skip(height);
        }
    }

    void write(const Finding& finding) { text_block(shortened(finding.title), body, on_white.ink); }

    void write(const DataTable& table)
    {
        caption(table.title, 60);
        draw_table(pages_, table);
        remark(table.remark);
    }

    void write(const Chart& chart) { figure(chart, chart_height, draw_chart); }
    void write(const TimeChart& chart) { figure(chart, time_chart_height(chart), draw_time_chart); }
    void write(const Heatmap& map) { figure(map, heatmap_height(map), draw_heatmap); }

    template <class Drawn>
    void figure(const Drawn& what, double height,
                void (*draw)(cairo_t*, const Drawn&, double width, const Palette&))
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
        pages_.need(14 + followed_by);
        text_block(title, caption_font, on_white.ink);
        pages_.skip(3);
    }

    void remark(const std::string& text)
    {
        if (text.empty()) return;
        pages_.skip(3);
        text_block(text, small, on_white.muted);
    }

    static std::string shortened(std::string_view text)
    {
        return shorten_middle(printable(text), longest_text);
    }

    Pages& pages_;
};

std::string laid_out(const Document& document, std::size_t pages_in_all, std::size_t& pages_made)
{
    std::string pdf;
    {
        Pages pages(pdf, document.title, pages_in_all);
        Writer writer(pages);
        writer.title(document);
        for (const Section& section : document.sections) writer.section(section);
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
