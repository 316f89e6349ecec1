// Everything that a request says goes through escape() before it is HTML.
#include "analyzer/serve/page.h"

#include <algorithm>
#include <fmt/format.h>
#include <sodium.h>

#include "analyzer/document/markup.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/html/html.h"
#include "analyzer/serve/address.h"
#include "analyzer/serve/page_script.h"
#include "analyzer/serve/page_style.h"

namespace fathom::serve {
namespace {

using report::Cell;
using report::DataTable;
using report::escape;

std::string hash_of(std::string_view script)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(script.data()), script.size());
    char text[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    return fmt::format("'sha256-{}'", text);
}

// ---- from names to their pages ----

std::string words_in(const Cell& cell)
{
    const auto* const words = std::get_if<std::string>(&cell.value);
    return words == nullptr ? std::string() : *words;
}

// "17" of the number 17, and of "17 (4711.0)".
std::string id_in(const Cell& cell)
{
    if (const auto* const number = std::get_if<std::uint64_t>(&cell.value)) return fmt::format("{}", *number);
    const std::string words = words_in(cell);
    const std::size_t digits = std::min(words.find_first_not_of("0123456789"), words.size());
    return digits == words.size() || words[digits] == ' ' ? words.substr(0, digits) : std::string();
}

std::string to_job(const Cell& cell)
{
    const std::string id = id_in(cell);
    return id.empty() ? id : "/jobs/" + id;
}
std::string to_named(std::string_view path, const Cell& cell)
{
    const std::string name = words_in(cell);
    return name.empty() ? name : address_of(path, {{"name", name}});
}

struct Leading {
    std::string_view table;  // empty: any
    std::string_view column;
    std::string (*to)(const Cell& cell);
};
// The first that fits.
constexpr Leading leading[] = {
    {"jobs", "job", [](const Cell&) { return std::string(); }},  // the batch system's number
    {"jobs", "id", to_job},
    {"load_jobs", "id", to_job},
    {"", "job", to_job},
    {"", "program", [](const Cell& cell) { return to_named("/program", cell); }},
    {"", "user", [](const Cell& cell) { return to_named("/user", cell); }},
};

std::string link_of(const DataTable& table, std::size_t row, std::size_t column)
{
    if (row < table.links.size() && column == 0 && !table.links[row].empty()) return table.links[row];
    // Nobody's page tells of somebody else.
    for (const Cell& cell : table.rows[row])
        if (words_in(cell) == somebody) return {};
    for (const Leading& one : leading)
        if ((one.table.empty() || one.table == table.id) && one.column == table.columns[column].id)
            return one.to(table.rows[row][column]);
    return {};
}

// ---- around the document ----

std::string links(const std::vector<Link>& all, std::string_view heading = {})
{
    std::string text;
    for (const Link& one : all)
        text += fmt::format("<a href=\"{}\"{}>{}</a>\n", escape(one.address),
                            one.here ? " aria-current=\"page\"" : "", escape(one.words));
    return text.empty() ? text : fmt::format("<p>{}{}</p>\n", heading, text);
}

std::string menu(const Asked& asked, const Route& here)
{
    std::string items;
    for (const Route& route : routes())
        if (!route.menu.empty()) {
            const bool is_here = route.path == here.path || (here.path == "/" && route.path == "/jobs");
            items += fmt::format("<li><a href=\"{}\"{}>{}</a></li>\n", route.path,
                                 is_here ? " aria-current=\"page\"" : "", route.menu);
        }
    return fmt::format(
        "<nav class=\"site\" aria-label=\"Site\"><ul>\n{}</ul><span class=\"who\">{}{}</span></nav>\n", items,
        escape(asked.viewer.user), asked.viewer.everything ? ", who sees all jobs" : "");
}

struct Span {
    std::string_view words, since;
};
constexpr Span quick_spans[] = {{"1 h", "1 hour ago"},
                                {"6 h", "6 hours ago"},
                                {"1 d", "1 day ago"},
                                {"7 d", "7 days ago"},
                                {"30 d", "30 days ago"}};

std::string field(std::string_view name, std::string_view value, std::string_view hint,
                  std::string_view label)
{
    return fmt::format("<input name=\"{}\" value=\"{}\" placeholder=\"{}\" aria-label=\"{}\">\n", name,
                       escape(value), hint, label);
}

std::string span_form(const Asked& asked, std::string_view path)
{
    std::string quick, hidden;
    for (const Span& one : quick_spans)
        quick += fmt::format("<a href=\"{}\">{}</a>\n",
                             escape(address_with(path, asked.request.parameters,
                                                 {{"since", one.since}, {"until", ""}, {"page", ""}})),
                             one.words);
    for (const auto& [name, value] : asked.request.parameters)
        if (name != "since" && name != "until" && name != "page")
            hidden += fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", escape(name),
                                  escape(value));
    return fmt::format(
        "<form class=\"span\" method=\"get\" action=\"{}\"><span class=\"quick\">{}</span>{}{}to "
        "{}<button>Show</button></form>\n",
        path, quick, hidden,
        field("since", asked.request.parameter("since"), "2026-11-01T08:30", "From, UTC"),
        field("until", asked.request.parameter("until"), "now", "To, UTC"));
}

std::string path_without_form(const Request& request)
{
    std::string path = request.path;
    if (path == "/") path = "/jobs";
    return path;
}

std::string address_as(const Request& request, std::string_view ending)
{
    return path_without_form(request) + std::string(ending) +
           (request.query.empty() ? "" : "?" + request.query);
}

}  // namespace

const std::string& content_policy()
{
    static const std::string policy = fmt::format(
        "default-src 'none'; style-src 'unsafe-inline'; script-src {} {}; img-src data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'",
        hash_of(report::html_page_script()), hash_of(page_script));
    return policy;
}

std::string page_of(const View& view, const Asked& asked, const Route& route)
{
    const std::string path = path_without_form(asked.request);
    std::vector<Link> forms{{"JSON", address_as(asked.request, ".json")}};
    if (route.with_csv || route.path == "/") forms.push_back({"CSV", address_as(asked.request, ".csv")});
    report::HtmlFrame frame;
    frame.policy = content_policy();
    frame.style = page_style;
    frame.script = page_script;
    frame.link = link_of;
    if (view.refresh > 0)
        frame.head = fmt::format("<noscript><meta http-equiv=\"refresh\" content=\"{}\"></noscript>\n",
                                 view.refresh * 3);
    frame.above = menu(asked, route);
    frame.above +=
        fmt::format("<div class=\"bar tabs\"{}>\n{}{}{}</div>\n",
                    view.refresh > 0 ? fmt::format(" data-refresh=\"{}\"", view.refresh) : "",
                    links(view.beside), links(forms, "As "), view.with_span ? span_form(asked, path) : "");
    if (!view.form.empty() || !view.pages.empty())
        frame.above += fmt::format("{}<div class=\"bar\">{}</div>\n", view.form, links(view.pages));
    return report::render_html(view.document, frame);
}

std::string page_of_sentence(const std::string& title, const std::string& sentence, unsigned again)
{
    report::Document document;
    document.title = title;
    document.sections.push_back({"said", title, {report::Paragraph{sentence}}});
    report::HtmlFrame frame;
    frame.policy = content_policy();
    frame.style = page_style;
    if (again > 0) frame.head = fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", again);
    frame.above =
        "<nav class=\"site\" aria-label=\"Site\"><ul><li><a href=\"/jobs\">Jobs</a></li></ul></nav>\n";
    return report::render_html(document, frame);
}

}  // namespace fathom::serve
