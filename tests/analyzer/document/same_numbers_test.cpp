// The same numbers in all four forms: what text, HTML and PDF show, and what JSON holds, read back and
// compared with the document.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/book/book.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/first_page.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/document/units.h"
#include "tests/analyzer/document/read_back.h"
#include "tests/analyzer/document/sample_document.h"
#include "tests/analyzer/temporary.h"
#include "tests/skip.h"

using namespace fathom;
using namespace fathom::testing;
using report::Cell;

namespace {

std::string rendered(std::string_view format, const report::Document& document, std::size_t width)
{
    return report::renderer_of_format(format)->render(document, {width, true});
}

std::vector<report::Document> documents()
{
    const Log log = small_job();
    return {every_block(), make_report(Job(log), {})};
}

// Everything that a report shows as a value, in its order.
struct Shown {
    std::vector<Cell> entries, cells, costs, shares, all;

    void add(std::vector<Cell>& to, const Cell& cell)
    {
        to.push_back(cell);
        all.push_back(cell);
    }
    void add(const std::vector<report::Entry>& some)
    {
        for (const report::Entry& entry : some) add(entries, entry.value);
    }
};

Shown shown_in(const report::Document& document)
{
    Shown shown;
    if (document.first)
        for (const report::KeyNumber& one : document.first->numbers) shown.all.push_back(one.value);
    for (const report::Section& section : document.sections)
        for (const report::Block& block : section.blocks) {
            if (!is_shown(block)) continue;
            if (const auto* some = std::get_if<report::Entries>(&block)) shown.add(some->entries);
            if (const auto* table = std::get_if<report::DataTable>(&block))
                for (const auto& row : table->rows)
                    for (const Cell& cell : row) shown.add(shown.cells, cell);
            if (const auto* finding = std::get_if<report::Finding>(&block)) {
                shown.add(shown.costs, finding->cost);
                if (finding->share.known()) shown.all.push_back(finding->share);
                shown.shares.push_back(finding->share);
                shown.add(finding->evidence);
            }
        }
    return shown;
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

// What stands in HTML without tags and escapes.
std::string plain(std::string text)
{
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
        text.erase(at, text.find('>', at) - at + 1);
    for (const auto& [code, character] :
         {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}})
        text = replaced(text, code, character);
    return replaced(text, "&amp;", "&");
}

struct Element {
    std::string attributes, inside;
};

std::vector<Element> elements(const std::string& html, const std::string& tag)
{
    std::vector<Element> found;
    const std::string open = "<" + tag, close = "</" + tag + ">";
    for (std::size_t at = html.find(open); at != std::string::npos; at = html.find(open, at + 1)) {
        const char next = html[at + open.size()];
        if (next != ' ' && next != '>') continue;
        const std::size_t end = html.find('>', at), last = html.find(close, end);
        found.push_back(
            {html.substr(at + open.size(), end - at - open.size()), html.substr(end + 1, last - end - 1)});
    }
    return found;
}

std::string attribute(const std::string& attributes, const std::string& name)
{
    const std::size_t at = attributes.find(name + "=\"");
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 2;
    return plain(attributes.substr(from, attributes.find('"', from) - from));
}

// Without the tables below charts, which are no blocks of their own.
std::string without_details(std::string html)
{
    for (std::size_t at = html.find("<details"); at != std::string::npos; at = html.find("<details", at))
        html.erase(at, html.find("</details>", at) - at);
    return html.substr(0, html.find("<script>"));
}

void check_exact(const Cell& cell, const std::string& written)
{
    INFO(report::format(cell) << " as " << written);
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value))
        CHECK(written == std::to_string(*whole));
    else if (const auto* number = std::get_if<double>(&cell.value))
        CHECK(std::strtod(written.c_str(), nullptr) == *number);
    else
        CHECK(written.empty());
}

void check_json(const nlohmann::json& value, const Cell& cell)
{
    INFO(report::format(cell) << " as " << value);
    if (!cell.known())
        CHECK(value.is_null());
    else if (cell.measure == report::Measure::instant)
        CHECK(value == report::format(cell));
    else if (const auto* whole = std::get_if<std::uint64_t>(&cell.value))
        CHECK(value == *whole);
    else if (const auto* number = std::get_if<double>(&cell.value))
        CHECK(value == *number);
    else
        CHECK(value == report::valid_utf8(std::get<std::string>(cell.value)));
}

}  // namespace

TEST_CASE("text shows every number of the document, in its order")
{
    for (const report::Document& document : documents()) {
        const Shown shown = shown_in(document);
        REQUIRE(shown.all.size() > 20);
        // Wide enough for every table to stand in one piece.
        CHECK(first_missing(shown.all, words_of(rendered("text", document, 400))) == "");
        const std::vector<std::string> narrow = words_of(rendered("text", document, 80));
        for (const Cell& cell : shown.all) CHECK(first_missing({cell}, narrow) == "");
        // What is missing would be noticed.
        std::vector<Cell> more = shown.all;
        more.push_back(report::count(987'654'321));
        CHECK(first_missing(more, words_of(rendered("text", document, 400))) == "987,654,321");
    }
}

TEST_CASE("HTML shows every value as the document formats it, and holds it exactly")
{
    for (const report::Document& document : documents()) {
        const Shown shown = shown_in(document);
        const std::string html = without_details(rendered("html", document, 80));
        const auto entries = elements(html, "b"), cells = elements(html, "td");
        REQUIRE(entries.size() == shown.entries.size());
        for (std::size_t at = 0; at < entries.size(); ++at)
            CHECK(plain(entries[at].inside) == report::printable(report::format(shown.entries[at])));
        REQUIRE(cells.size() == shown.cells.size());
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const std::string whole = attribute(cells[at].inside, "title");
            CHECK((whole.empty() ? plain(cells[at].inside) : whole) ==
                  report::printable(report::format(shown.cells[at])));
            check_exact(shown.cells[at], attribute(cells[at].attributes, "data-value"));
        }
        std::vector<Cell> costs;
        for (const Element& badge : elements(html, "span"))
            if (attribute(badge.attributes, "class") == "cost") {
                REQUIRE(costs.size() < shown.costs.size());
                const Cell& share = shown.shares[costs.size()];
                CHECK(plain(badge.inside) ==
                      "about " + report::format(shown.costs[costs.size()]) +
                          (share.known() ? " or " + report::format(share) + " of the run" : ""));
                costs.push_back(shown.costs[costs.size()]);
            }
        CHECK(costs.size() == shown.costs.size());
    }
}

TEST_CASE("JSON holds every value exactly, and as text where it stands in a list")
{
    for (const report::Document& document : documents()) {
        const auto json = nlohmann::json::parse(rendered("json", document, 80));
        for (std::size_t at = 0; at < document.sections.size(); ++at)
            for (std::size_t place = 0; place < document.sections[at].blocks.size(); ++place) {
                const auto& written = json.at("sections").at(at).at("blocks").at(place);
                const report::Block& block = document.sections[at].blocks[place];
                const auto list = [&](const nlohmann::json& listed,
                                      const std::vector<report::Entry>& entries) {
                    REQUIRE(listed.size() == entries.size());
                    for (std::size_t one = 0; one < entries.size(); ++one) {
                        check_json(listed.at(one).at("value"), entries[one].value);
                        CHECK(listed.at(one).at("text") ==
                              report::valid_utf8(report::format(entries[one].value)));
                    }
                };
                if (const auto* some = std::get_if<report::Entries>(&block))
                    list(written.at("entries"), some->entries);
                if (const auto* finding = std::get_if<report::Finding>(&block)) {
                    check_json(written.at("cost"), finding->cost);
                    check_json(written.at("share"), finding->share);
                    check_json(json.at("values").at("findings." + finding->id + ".cost"), finding->cost);
                    list(written.at("evidence"), finding->evidence);
                }
                if (const auto* table = std::get_if<report::DataTable>(&block)) {
                    REQUIRE(written.at("rows").size() == table->rows.size());
                    for (std::size_t row = 0; row < table->rows.size(); ++row) {
                        REQUIRE(written.at("rows").at(row).size() == table->columns.size());
                        for (std::size_t one = 0; one < table->columns.size(); ++one)
                            check_json(written.at("rows").at(row).at(table->columns[one].id),
                                       table->rows[row][one]);
                    }
                }
            }
    }
}

TEST_CASE("PDF shows every number of the document, in its order")
{
    if (!can_read_pdf()) return;
    for (const report::Document& document : documents()) {
        const std::string text = pdf_text(document);
        CHECK(first_missing(shown_in(document).all, words_of(text)) == "");
        CHECK_THAT(text, Catch::Contains("page 1 of ") && Catch::Contains(document.subtitle));
    }
}

TEST_CASE("JSON follows the schema in docs/")
{
    const Temporary folder;
    const auto validated = [&](const nlohmann::json& json) {
        std::ofstream(folder.path("r.json")) << json;
        return run(std::string(PYTHON " -B " FATHOM_SOURCES "/tests/analyzer/document/validate_json.py"
                                      " " FATHOM_SOURCES "/docs/report.schema.json"
                                      " ") +
                   folder.path("r.json") + " 2>" + folder.path("wrong"));
    };
    for (const report::Document& document : documents()) {
        auto json = nlohmann::json::parse(rendered("json", document, 80));
        const int status = validated(json);
        if (status == 77) {
            fathom::testing::skip("the Debian package python3-jsonschema is missing");
            return;
        }
        CHECK(status == 0);
        // The schema says no to what it should not be.
        json["fathom_report"] = 0;
        CHECK(validated(json) == 1);
    }
    auto json = nlohmann::json::parse(rendered("json", every_block(), 80));
    json["sections"][1]["blocks"][1]["entries"][2].erase("unit");
    CHECK(validated(json) == 1);
    json = nlohmann::json::parse(rendered("json", every_block(), 80));
    json["sections"][0]["blocks"][1]["confidence"] = "sure";
    CHECK(validated(json) == 1);
}

TEST_CASE("text stays within every width from 40 columns to 100")
{
    for (const report::Document& document : documents())
        for (std::size_t width = 40; width <= 100; width += 5) {
            std::istringstream lines(rendered("text", document, width));
            for (std::string line; std::getline(lines, line);) {
                INFO(width << ": " << line);
                if (line.find("lfs setstripe") == std::string::npos)
                    CHECK(report::display_width(line) <= width);
            }
        }
}
