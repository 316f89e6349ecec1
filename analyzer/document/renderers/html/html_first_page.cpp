// Tiles, findings and two columns of charts.
#include "analyzer/document/renderers/html/html_first_page.h"

#include <fmt/format.h>
#include <iterator>

#include "analyzer/document/drawing/first_charts.h"
#include "analyzer/document/markup.h"
#include "analyzer/document/renderers/html/html_drawing.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double wide_column = 480, narrow_column = 260;  // points that the drawings are laid out in

class FirstScreen {
  public:
    explicit FirstScreen(const FirstPage& page) : page_(page) {}

    std::string made()
    {
        add("<div class=\"first\">\n<p class=\"verdict\">{}</p>\n", escape(page_.verdict));
        for (const Note& note : page_.notes)
            add("<p class=\"note{}\" role=\"note\">{}</p>\n",
                note.weight == Weight::warning ? " warning" : "", escape(note.text));
        tiles();
        findings();
        charts();
        add("</div>\n");
        return std::move(out_);
    }

  private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void tiles()
    {
        if (page_.numbers.empty()) return;
        add("<div class=\"tiles\">\n");
        if (!page_.bars.empty()) {
            add("<div class=\"tile wide\"><span>run time</span>\n");
            chart("Where the run time went", "f1", {wide_column * 0.8, time_bars_height(page_.bars)},
                  [&](cairo_t* context) {
                      return draw_time_bars(context, page_.bars, wide_column * 0.8, on_white);
                  });
            add("</div>\n");
        }
        for (const KeyNumber& one : page_.numbers) {
            add("<div class=\"tile\"><span>{}</span><div class=\"value\">{}</div>", escape(one.label),
                escape(format(one.value)));
            if (!one.rate.empty()) add("<strong>{}</strong>", escape(one.rate));
            add("<span>{}</span></div>\n", escape(one.about));
        }
        add("</div>\n");
    }

    void findings()
    {
        if (page_.findings.empty()) return;
        add("<h2 class=\"small\">What to change, by the seconds it saves</h2>\n<ol class=\"brief\">\n");
        for (const FindingInBrief& one : page_.findings)
            add("<li><div class=\"seconds\">{}</div><div class=\"part\"><i style=\"width:{:.0f}%\"></i></div>"
                "<div><strong>{}</strong><br><span>{}</span></div><em>{} confidence</em></li>\n",
                escape(one.cost), one.part * 100, escape(one.title), escape(one.advice),
                confidence_names[static_cast<std::size_t>(one.confidence)]);
        add("</ol>\n");
        if (!page_.on_findings.empty()) add("<p class=\"remark\">{}</p>\n", escape(page_.on_findings));
    }

    void charts()
    {
        if (!page_.over_time && !page_.sizes && page_.layers.size() < 2) return;
        add("<div class=\"two{}\">\n", page_.over_time ? "" : " alone");
        if (page_.over_time) {
            add("<div><h2 class=\"small\">{}</h2>\n", escape(page_.over_time->title));
            chart(page_.over_time->title, "f2", {wide_column, strip_height(page_)},
                  [&](cairo_t* context) { return draw_strip(context, page_, wide_column, on_white); });
            add("</div>\n");
        }
        add("<div class=\"narrow\">\n");
        if (page_.sizes) {
            add("<div><h2 class=\"small\">{}</h2>\n", escape(page_.sizes->title));
            chart(page_.sizes->title, "f3", {narrow_column, size_bars_height(*page_.sizes)},
                  [&](cairo_t* context) {
                      return draw_size_bars(context, *page_.sizes, narrow_column, on_white);
                  });
            add("</div>\n");
        }
        if (page_.layers.size() > 1) {
            add("<div><h2 class=\"small\">Time in I/O by layer</h2>\n");
            chart("Time in I/O by layer", "f4", {narrow_column, layer_bar_height(page_.layers)},
                  [&](cairo_t* context) {
                      return draw_layer_bar(context, page_.layers, narrow_column, on_white);
                  });
            add("</div>\n");
        }
        add("</div>\n</div>\n");
    }

    template <class Draw>
    void chart(const std::string& title, const std::string& id, DrawingSize size, Draw draw)
    {
        out_ += drawing_html(title, id, size, draw);
    }

    const FirstPage& page_;
    std::string out_;
};

}  // namespace

std::string recorded_html(const FirstPage& page)
{
    return fmt::format("<p class=\"recorded{}\">{}</p>\n", page.all_well ? "" : " warning",
                       escape(page.recorded));
}

std::string first_page_html(const FirstPage& page)
{
    return FirstScreen(page).made();
}

}  // namespace fathom::report
