// Writes the document as HTML; every text from outside goes through escape().
#include "analyzer/document/renderers/html/html.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "analyzer/document/drawing/chart.h"
#include "analyzer/document/drawing/chart_numbers.h"
#include "analyzer/document/drawing/heatmap.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/plot.h"
#include "analyzer/document/drawing/svg.h"
#include "analyzer/document/drawing/time_chart.h"
#include "analyzer/document/finding_words.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/html/html_script.h"
#include "analyzer/document/renderers/html/html_style.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double chart_width = 520;
constexpr std::size_t longest_path = 64;

std::string escape(std::string_view text)
{
    std::string escaped;
    for (const char c : printable(text)) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else if (c == '\'')
            escaped += "&#39;";
        else
            escaped += c;
    }
    return escaped;
}

// A path in a table is shortened; the whole of it shows when pointed at, and goes along when copied from the
// JSON.
std::string cell_text(const Cell& cell)
{
    const std::string whole = format(cell);
    if (cell.measure != Measure::path) return escape(whole);
    const std::string clean = printable(whole), shown = shorten_middle(clean, longest_path);
    if (shown == clean) return fmt::format("<span class=\"path\">{}</span>", escape(shown));
    return fmt::format("<span class=\"path\" title=\"{}\">{}</span>", escape(whole), escape(shown));
}

// The number that a column is sorted by.
std::string exact(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value))
        return fmt::format(" data-value=\"{}\"", *whole);
    const auto* number = std::get_if<double>(&cell.value);
    if (number != nullptr && std::isfinite(*number)) return fmt::format(" data-value=\"{}\"", *number);
    return {};
}

// As the page's script takes it apart.
std::string one_text(const std::vector<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, "|"));
}

class Page {
  public:
    std::string made() && { return std::move(out_); }

    void begin(const Document& document)
    {
        add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"color-scheme\" content=\"light "
            "dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
            escape(document.title), html_style);
        add("<a class=\"skip\" href=\"#content\">Skip to the "
            "report</a>\n<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n",
            escape(document.title), escape(document.subtitle));
        add("<nav aria-label=\"Sections\"><ul>\n");
        for (const Section& section : document.sections)
            add("<li><a href=\"#{}\">{}</a></li>\n", escape(section.id), escape(section.title));
        add("</ul></nav>\n<main id=\"content\">\n");
    }
    void end() { add("</main>\n<script>{}</script>\n</body>\n</html>\n", html_script); }

    void section(const Section& section)
    {
        add("<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n",
            escape(section.id), escape(section.title));
        for (const Block& block : section.blocks)
            if (is_shown(block)) std::visit([this](const auto& one) { write(one); }, block);
        add("</section>\n");
    }

  private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void write(const Paragraph& paragraph) { add("<p>{}</p>\n", escape(paragraph.text)); }

    void write(const Note& note)
    {
        const bool warning = note.weight == Weight::warning;
        add("<p class=\"note{}\" role=\"note\"><strong>{}</strong> {}</p>\n", warning ? " warning" : "",
            warning ? "Warning:" : "Note:", escape(note.text));
    }

    void write(const Entries& entries) { list(entries.entries); }

    void list(const std::vector<Entry>& entries)
    {
        add("<dl>\n");
        for (const Entry& entry : entries) {
            const std::string shown = escape(format(entry.value));
            add("<div><dt>{}</dt><dd><b>{}</b>", escape(entry.label), shown);
            if (!entry.remark.empty()) add(" <span>{}</span>", escape(entry.remark));
            add("</dd></div>\n");
        }
        add("</dl>\n");
    }

    void write(const Finding& finding)
    {
        const std::size_t number = ++findings_;
        add("<article class=\"finding\" aria-labelledby=\"finding-{0}\">\n<h3 id=\"finding-{0}\">{1}</h3>\n",
            number, escape(heading_of(finding, number)));
        add("<p class=\"badges\"><span class=\"cost\">{}</span> <span>{}: {}</span></p>\n",
            escape(cost_words(finding)), confidence_label, confidence_of(finding));
        if (!finding.evidence.empty()) list(finding.evidence);
        for (const Labelled& part : explanations_of(finding)) labelled(part.label, part.words);
        for (const Advice& advice : finding.advice) {
            labelled(advice_label, advice.text);
            if (advice.lines.empty()) continue;
            add("<div class=\"copy\"><pre tabindex=\"0\"><code>");
            for (const std::string& line : advice.lines) add("{}\n", escape(line));
            add("</code></pre></div>\n");
        }
        add("</article>\n");
    }

    void labelled(std::string_view label, std::string_view words)
    {
        add("<p><strong>{}:</strong> {}</p>\n", label, escape(words));
    }

    void write(const DataTable& table)
    {
        add("<figure class=\"table\">\n");
        if (!table.title.empty()) add("<figcaption>{}</figcaption>\n", escape(table.title));
        // Scrolls by keyboard where the window is narrower than the table.
        add("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n<thead><tr>",
            escape(table.title.empty() ? "Table" : table.title));
        for (const DataColumn& column : table.columns)
            add("<th scope=\"col\"{}>{}</th>", is_number(column.measure) ? " class=\"number\"" : "",
                escape(column.heading));
        add("</tr></thead>\n<tbody>\n");
        for (const auto& row : table.rows) {
            add("<tr>");
            for (std::size_t at = 0; at < row.size(); ++at)
                add("<td{}{}>{}</td>", is_number(table.columns[at].measure) ? " class=\"number\"" : "",
                    exact(row[at]), cell_text(row[at]));
            add("</tr>\n");
        }
        add("</tbody></table></div>\n");
        if (!table.remark.empty()) add("<p class=\"remark\">{}</p>\n", escape(table.remark));
        add("</figure>\n");
    }

    void write(const Chart& chart) { figure(chart, chart_height, draw_chart, {numbers_of(chart)}); }
    void write(const TimeChart& chart)
    {
        figure(chart, time_chart_height(chart), draw_time_chart, {numbers_of(chart)});
    }
    void write(const Heatmap& map)
    {
        figure(map, heatmap_height(map), draw_heatmap, {sums_by_row(map), sums_by_slice(map)});
    }

    void write(const Plot& plot) { figure(plot, plot_height(plot), draw_plot, {ranges_of(plot)}); }

    // Drawn once for light and once for dark; the style shows one. The numbers follow for those who do not
    // see it.
    template <class Drawn>
    void figure(const Drawn& what, double height,
                Spots (*draw)(cairo_t*, const Drawn&, double width, const Palette&),
                const std::vector<DataTable>& numbers)
    {
        const std::string id = fmt::format("c{}", ++charts_);
        Spots spots;
        const auto svg = [&](const Palette& palette, const char* suffix) {
            return svg_of(chart_width, height, id + suffix,
                          [&](cairo_t* context) { spots = draw(context, what, chart_width, palette); });
        };
        add("<figure class=\"chart\">\n<figcaption>{}</figcaption>\n", escape(what.title));
        add("<div class=\"drawing\">\n<div class=\"light\" role=\"img\" aria-label=\"{}\">{}</div>\n",
            escape(what.title), svg(on_white, "l"));
        add("<div class=\"dark\" aria-hidden=\"true\">{}</div>\n", svg(on_black, "d"));
        overlay(spots, height, what.title);
        add("</div>\n");
        if (!what.remark.empty()) add("<p class=\"remark\">{}</p>\n", escape(what.remark));
        add("<details><summary>Numbers</summary>\n");
        for (const DataTable& table : numbers) write(table);
        add("</details>\n</figure>\n");
    }

    // Over the drawing, whichever of the two shows: what each place of it stands for.
    void overlay(const Spots& spots, double height, const std::string& title)
    {
        if (spots.spots.empty()) return;
        add("<svg class=\"spots\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\" data-title=\"{}\"", chart_width,
            height, escape(title));
        if (!spots.columns.empty())
            add(" data-from=\"{:.2f}\" data-step=\"{:.4f}\" data-columns=\"{}\"", spots.first_column,
                spots.column_width, escape(one_text(spots.columns)));
        add(">\n");
        for (const Spot& spot : spots.spots) {
            add("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"", spot.x, spot.y,
                spot.width, spot.height);
            if (!spot.cells.empty()) add(" data-cells=\"{}\"", escape(one_text(spot.cells)));
            add("><title>{}</title></rect>\n", escape(spot.words));
        }
        add("</svg>\n");
    }

    std::string out_;
    int charts_ = 0;
    std::size_t findings_ = 0;
};

}  // namespace

std::string render_html(const Document& document)
{
    Page page;
    page.begin(document);
    for (const Section& section : document.sections) page.section(section);
    page.end();
    return std::move(page).made();
}

}  // namespace fathom::report
