// Writes the document as HTML; every text from outside goes through escape().
#include "analyzer/document/renderers/html/html.h"

#include <algorithm>
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
#include "analyzer/document/first_page.h"
#include "analyzer/document/markup.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/html/html_drawing.h"
#include "analyzer/document/renderers/html/html_first_page.h"
#include "analyzer/document/renderers/html/html_script.h"
#include "analyzer/document/renderers/html/html_style.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double chart_width = 520;
constexpr std::size_t longest_path = 64, longest_title = 120;

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

// Sentences go on in further lines, all else stays on one.
std::string_view class_of(Measure measure, std::string_view shown)
{
    constexpr std::size_t sentence = 36;
    if (is_number(measure)) return " class=\"number\"";
    return measure == Measure::text && shown.size() > sentence ? " class=\"words\"" : "";
}

constexpr std::string_view policy_of_reports =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

class Page {
  public:
    explicit Page(const HtmlFrame& frame) : frame_(frame) {}

    std::string made() && { return std::move(out_); }

    void begin(const Document& document)
    {
        add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
            "<meta name=\"color-scheme\" content=\"light "
            "dark\">\n<title>{}</title>\n<style>\n{}{}{}</style>\n{}</head>\n<body>\n",
            frame_.policy.empty() ? policy_of_reports : frame_.policy, escape(document.title),
            palette_style(), html_style, frame_.style, frame_.head);
        add("<a class=\"skip\" href=\"#content\">Skip to the report</a>\n{}<header>\n<div><h1>{}</h1>\n"
            "<p>{}</p></div>\n",
            frame_.above, escape(shorten_middle(printable(document.title), longest_title)),
            escape(document.subtitle));
        if (document.first) add("{}", recorded_html(*document.first));
        add("</header>\n");
        if (document.first) out_ += first_page_html(*document.first);
        if (std::count_if(document.sections.begin(), document.sections.end(),
                          [](const Section& section) { return is_shown(section); }) < 2) {
            add("<main id=\"content\">\n");
            return;
        }
        add("<nav aria-label=\"Sections\"><ul>\n");
        for (const Section& section : document.sections)
            if (is_shown(section))
                add("<li><a href=\"#{}\">{}</a></li>\n", escape(section.id), escape(section.title));
        add("</ul></nav>\n<main id=\"content\">\n");
    }
    void end()
    {
        add("</main>\n<script>{}</script>\n", html_script);
        if (!frame_.script.empty()) add("<script>{}</script>\n", frame_.script);
        add("</body>\n</html>\n");
    }

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
        for (std::size_t number = 0; number < table.rows.size(); ++number) {
            const auto& row = table.rows[number];
            add("<tr>");
            for (std::size_t at = 0; at < row.size(); ++at) {
                const std::string shown = cell_text(row[at]);
                const std::string to = link_of(table, number, at);
                add("<td{}{}>{}</td>", class_of(table.columns[at].measure, shown), exact(row[at]),
                    to.empty() ? shown : fmt::format("<a href=\"{}\">{}</a>", escape(to), shown));
            }
            add("</tr>\n");
        }
        add("</tbody></table></div>\n");
        if (!table.remark.empty()) add("<p class=\"remark\">{}</p>\n", escape(table.remark));
        add("</figure>\n");
    }

    std::string link_of(const DataTable& table, std::size_t row, std::size_t column) const
    {
        if (frame_.link) return frame_.link(table, row, column);
        const bool leads = table.rows[row][column].measure == Measure::path && row < table.links.size();
        return leads ? table.links[row] : std::string();
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

    // The numbers follow for those who do not see it.
    template <class Drawn>
    void figure(const Drawn& what, double height,
                Spots (*draw)(cairo_t*, const Drawn&, double width, const Palette&),
                const std::vector<DataTable>& numbers)
    {
        add("<figure class=\"chart\"{}>\n<figcaption>{}</figcaption>\n", span_of(what), escape(what.title));
        out_ += drawing_html(what.title, fmt::format("c{}", ++charts_), {chart_width, height},
                             [&](cairo_t* context) { return draw(context, what, chart_width, on_white); });
        if (!what.remark.empty()) add("<p class=\"remark\">{}</p>\n", escape(what.remark));
        add("<details><summary>Numbers</summary>\n");
        for (const DataTable& table : numbers) write(table);
        add("</details>\n</figure>\n");
    }

    // For the pointer, which chooses a stretch of time: where the axis begins, where its first slice does
    // and how long each is, in s.
    template <class Drawn>
    static std::string span_of(const Drawn& what)
    {
        if constexpr (requires { what.time.began; })
            if (what.time.began > 0)
                return fmt::format(" data-began=\"{:.3f}\" data-first=\"{:.3f}\" data-slice=\"{:.6f}\"",
                                   static_cast<double>(what.time.began) / 1e9, what.time.first,
                                   what.time.length);
        if constexpr (requires { what.x.began; })
            if (what.x.began > 0)
                return fmt::format(" data-began=\"{:.3f}\"", static_cast<double>(what.x.began) / 1e9);
        return {};
    }

    const HtmlFrame& frame_;
    std::string out_;
    int charts_ = 0;
    std::size_t findings_ = 0;
};

}  // namespace

std::string render_html(const Document& document)
{
    return render_html(document, HtmlFrame());
}

std::string_view html_page_script()
{
    return html_script;
}

std::string render_html(const Document& document, const HtmlFrame& frame)
{
    Page page(frame);
    page.begin(document);
    for (const Section& section : document.sections)
        if (is_shown(section)) page.section(section);
    page.end();
    return std::move(page).made();
}

}  // namespace fathom::report
