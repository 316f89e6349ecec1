// One document in four forms: nothing overflows, nothing is left unescaped, numbers agree.
#include "analyzer/report/renderers.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/report/layout.h"

using namespace fathom::report;
using Catch::Contains;

namespace {

std::string rendered(std::string_view format, const Document& document, const TextStyle& style = {})
{
    return renderer_of_format(format)->render(document, style);
}

Document sample()
{
    Document document{.title = "The I/O of <evil> & \"co\"", .subtitle = "now", .sections = {}};
    Section section{"one", "First", {}};
    section.blocks.push_back(Paragraph{"Words \x1b[31m and \xff bytes."});
    section.blocks.push_back(Note{Weight::warning, "Mind this."});
    section.blocks.push_back(
        Entries{{{"rate", "rate", rate(123.456), "a remark"}, {"none", "none", unknown(), ""}}});
    DataTable table{.id = "files", .title = "Files"};
    table.columns = {{"path", "file", Measure::path}, {"bytes", "bytes", Measure::bytes}};
    for (int row = 0; row < 200; ++row)
        table.rows.push_back(
            {path("/a/very/long/path/" + std::string(300, 'x') + "/<" + std::to_string(row)), bytes(1536)});
    section.blocks.push_back(table);
    section.blocks.push_back(Chart{.id = "c",
                                   .title = "A chart",
                                   .categories = {"a", "b"},
                                   .series = {{"reads", {1, 0}}, {"writes", {3, 1000}}}});
    document.sections.push_back(section);
    return document;
}

bool fits(const std::string& text, std::size_t width)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (display_width(line) > width) return false;
    return true;
}

}  // namespace

TEST_CASE("text stays within its width and steers no terminal")
{
    for (const std::size_t width : {40, 80, 100})
        CHECK(fits(rendered("text", sample(), {width, true}), width));
    const std::string text = rendered("text", sample());
    CHECK_THAT(text, Contains("123 MiB/s") && Contains("1.50 KiB") && Contains("Warning: Mind this."));
    CHECK_THAT(text, !Contains("\x1b") && !Contains("\xff"));
}

TEST_CASE("without UTF-8 the text is ASCII")
{
    const std::string text = rendered("text", sample(), {80, false});
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("JSON has exact numbers, units and a flat list of values")
{
    const auto json = nlohmann::json::parse(rendered("json", sample()));
    CHECK(json.at("fathom_report") == 1);
    CHECK(json.at("values").at("one.rate") == 123.456);
    CHECK(json.at("values").at("one.none").is_null());
    const auto& table = json.at("sections").at(0).at("blocks").at(3);
    CHECK(table.at("rows").at(0).at("bytes") == 1536);
    CHECK(table.at("columns").at(1).at("unit") == "bytes");
}

TEST_CASE("HTML is whole, escaped and needs nothing else")
{
    const std::string html = rendered("html", sample());
    CHECK_THAT(html,
               Contains("&lt;evil&gt; &amp; &quot;co&quot;") && !Contains("<evil>") && !Contains("\x1b"));
    CHECK_THAT(html, Contains("<svg") && Contains("prefers-color-scheme: dark") && Contains("@media print"));
    CHECK_THAT(html, !Contains("<script") && !Contains("src=\"http") && !Contains("href=\"http"));
    CHECK_THAT(html, Contains("123 MiB/s") && Contains("1.50 KiB"));
    // Ids of one chart are not those of another.
    CHECK_THAT(html, Contains("id=\"c1l") && Contains("id=\"c1d"));
}

TEST_CASE("PDF has pages")
{
    const std::string pdf = rendered("pdf", sample());
    CHECK(pdf.starts_with("%PDF-"));
    CHECK_THAT(pdf, Contains("/Type /Page\n") || Contains("/Type /Page "));
    CHECK(pdf.size() > 5000);
}

TEST_CASE("an empty document is a document in every form")
{
    for (const Renderer& one : renderers()) CHECK_FALSE(one.render({}, {}).empty());
    CHECK(nlohmann::json::parse(rendered("json", {})).at("sections").empty());
}

TEST_CASE("a chart of nothing, of zeros and of one bar is drawn")
{
    Document document;
    document.sections.push_back({"s", "S", {}});
    auto& blocks = document.sections[0].blocks;
    blocks.push_back(Chart{.title = "none"});
    blocks.push_back(
        Chart{.title = "zeros", .shape = Shape::stacked, .categories = {"a"}, .series = {{"x", {0}}}});
    blocks.push_back(
        Chart{.title = "tiny", .categories = {"a"}, .measure = Measure::seconds, .series = {{"x", {1e-9}}}});
    for (const Renderer& one : renderers()) {
        const std::string out = one.render(document, {});
        CHECK_THAT(out, !Contains("nan") && !Contains("inf "));
    }
}

TEST_CASE("the ending of a file tells its form")
{
    CHECK(renderer_for_file("/a.b/report.pdf")->format == "pdf");
    CHECK(renderer_for_file("x.HTML") == nullptr);
    CHECK(renderer_for_file("x.htm")->format == "html");
    CHECK(renderer_for_file("/a.pdf/report") == nullptr);
    CHECK(renderer_of_format("word") == nullptr);
}
