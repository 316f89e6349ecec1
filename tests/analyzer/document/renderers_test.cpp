// One document in four forms: nothing overflows, nothing is left unescaped, numbers agree.
#include "analyzer/document/renderers/renderers.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/document/drawing/layout.h"
#include "tests/analyzer/document/sample_document.h"

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
    const TimeAxis time{-0.5, 2, 150, 299};
    section.blocks.push_back(TimeChart{
        .id = "t",
        .title = "A rate <over> time",
        .time = time,
        .series = {{"read", std::vector<double>(150, 0)}, {"written", std::vector<double>(150, 12.5)}},
        .remark = "How it went."});
    section.blocks.push_back(Heatmap{.id = "h",
                                     .title = "A heatmap",
                                     .time = time,
                                     .row_heading = "rank",
                                     .rows = {{0, 46, 47}, {47, 60, 14}},
                                     .values = {std::vector<double>(150, 1024), std::vector<double>(150, 0)},
                                     .by_slice = {"all", Measure::bytes, std::vector<double>(150, 47 * 1024)},
                                     .by_row = {"one", Measure::bytes, {150 * 1024, 0}},
                                     .remark = "What is where."});
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
    const auto& chart = json.at("sections").at(0).at("blocks").at(5);
    CHECK(chart.at("time").at("first") == -0.5);
    CHECK(chart.at("series").at(1).at("values").size() == 150);
    CHECK(chart.at("series").at(1).at("values").at(149) == 12.5);
    const auto& map = json.at("sections").at(0).at("blocks").at(6);
    CHECK(map.at("rows").at(1).at("first") == 47);
    CHECK(map.at("rows").at(0).at("values").at(149) == 1024);
    CHECK(map.at("by_time_bin").at("values").at(0) == 47 * 1024);
}

TEST_CASE("HTML is whole, escaped and needs nothing else")
{
    const std::string html = rendered("html", sample());
    CHECK_THAT(html,
               Contains("&lt;evil&gt; &amp; &quot;co&quot;") && !Contains("<evil>") && !Contains("\x1b"));
    CHECK_THAT(html, Contains("<svg") && Contains("prefers-color-scheme: dark") && Contains("@media print"));
    CHECK_THAT(html, !Contains("src=\"http") && !Contains("href=\"http") && !Contains("@import") &&
                         !Contains("url(http") && Contains("default-src 'none'"));
    CHECK_THAT(html, Contains("123 MiB/s") && Contains("1.50 KiB"));
    // Ids of one drawing are not those of another.
    CHECK_THAT(html, Contains("id=\"c1surface") && Contains("id=\"c3surface"));
    // Sorted by the exact number; what a place of a drawing stands for.
    CHECK_THAT(html, Contains("data-value=\"1536\""));
    CHECK_THAT(html, Contains("<title>a: reads 1, writes 3</title>"));
    // The numbers behind a heatmap, for those who do not see it.
    CHECK_THAT(html, Contains("47-60") && Contains("150 KiB") && Contains("47 KiB"));
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

TEST_CASE("a plot shows its series over round ticks, in every form")
{
    const Document document{"Plots", "", {{"s", "S", {fathom::testing::densities_and_points()}}}};
    const std::string text = rendered("text", document, {80, true});
    CHECK(fits(text, 80));
    CHECK_THAT(text, Contains("* quick;  o slow;  + each;  x model;  # held;  │ split 500 µs;  │ cutoff"));
    CHECK_THAT(text, Contains("|10 µs") && Contains("|100 µs") && Contains("|1 ms") && Contains("density"));
    const auto plot =
        nlohmann::json::parse(rendered("json", document)).at("sections").at(0).at("blocks").at(0);
    CHECK(plot.at("type") == "plot");
    CHECK(plot.at("x").at("scale") == "logarithmic");
    CHECK(plot.at("series").at(2).at("x").size() == 101);
    CHECK(plot.at("series").at(4).at("mark") == "steps");
    CHECK(plot.at("marks").at(1).at("x") == 8e-3);
    const std::string html = rendered("html", document);
    CHECK_THAT(html, Contains("How to read it.") && Contains("quick") && Contains("density, from"));
    CHECK_THAT(html, Contains("<title>") && Contains(": quick 0"));
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
    blocks.push_back(TimeChart{.title = "none"});
    blocks.push_back(TimeChart{.title = "one", .time = {0, 1, 1, 0.5}, .series = {{"x", {3}}}});
    blocks.push_back(Plot{.title = "none"});
    blocks.push_back(Plot{.title = "one",
                          .y = {"y", Measure::seconds, Scale::logarithmic},
                          .series = {{"x", Mark::line, {3}, {0.5}, 0}}});
    blocks.push_back(
        Plot{.title = "zeros and worse",
             .x = {"x", Measure::bytes, Scale::logarithmic},
             .series = {{"x", Mark::area, {0, -1, 4}, {0, 1, NAN}, 7}, {"y", Mark::steps, {8, 9}, {0, 0}, 1}},
             .marks = {{"nowhere", INFINITY}, {"below", -3}}});
    blocks.push_back(Heatmap{.title = "none"});
    blocks.push_back(Heatmap{.title = "one",
                             .time = {0, 1, 1, 0},
                             .rows = {{0, 0, 1}},
                             .values = {{0}},
                             .by_slice = {"", Measure::bytes, {0}},
                             .by_row = {"", Measure::bytes, {0}}});
    for (const Renderer& one : renderers()) {
        const std::string out = one.render(document, {});
        CHECK_THAT(out, !Contains("nan") && !Contains("inf "));
    }
}

TEST_CASE("what is not known is left open over time, and classes have a shade each")
{
    const Document all = fathom::testing::every_block();
    const std::string text = rendered("text", all, {80, true});
    CHECK_THAT(text, Contains("0 │?██") && Contains("0 │█??") && Contains("?: nothing is known"));
    CHECK_THAT(text, Contains("OST0000 │░▒█│") && Contains("OST0001 .. OST0002 │ ▓█│"));
    CHECK_THAT(text, Contains("░ idle, ▒ low from 10 %, ▓ mid from 50 %, █ high from 90 %; blank: nothing"));
    const auto json = nlohmann::json::parse(rendered("json", all));
    const auto& blocks = json["sections"].back()["blocks"];
    const auto of = [&](const char* id) {
        return *std::find_if(blocks.begin(), blocks.end(),
                             [&](const auto& block) { return block["id"] == id; });
    };
    CHECK(of("g")["series"][0]["values"] == nlohmann::json::parse("[null, 1.0, 2.0]"));
    CHECK(of("g")["time"]["began"] == "2026-03-31 00:00:00 UTC");
    CHECK_FALSE(of("r")["time"].contains("began"));
    CHECK(of("l")["rows"][1]["values"] == nlohmann::json::parse("[null, 0.5, 0.9]"));
    CHECK(of("l")["rows"][1]["name"] == "OST0001 .. OST0002");
    CHECK(of("l")["levels"][3] == nlohmann::json::parse(R"({"from": 0.9, "name": "high"})"));
    CHECK(of("h")["levels"].empty());
}

TEST_CASE("text puts time bins and rows together until they fit, and says of how many a column is the mean")
{
    const std::string text = rendered("text", sample(), {80, true});
    CHECK_THAT(text, Contains("A column is 6.00 s, the mean of 3 time bins."));
    CHECK_THAT(text, Contains("12.5 MiB/s │██████"));
    CHECK_THAT(text, Contains("0-46 │██████") && Contains("47-60 │      "));
    CHECK_THAT(text, Contains("|0 ") && Contains("|2 min"));
    // A series of nothing is not drawn.
    CHECK_THAT(text, !Contains("\n  read\n") && Contains("\n  written\n"));
}

TEST_CASE("a table too wide for the text goes on below, in blocks of as many columns")
{
    DataTable table{.columns = {{"what", "what", Measure::text}}, .rows = {{text("a rather long name")}}};
    for (const char* const heading : {"first", "second", "third", "fourth"}) {
        table.columns.push_back({heading, heading, Measure::count});
        table.rows[0].push_back(count(123456789));
    }
    const std::string out = text_of(table, {60, true});
    CHECK_THAT(out, !Contains("…"));
    std::vector<std::string> headings;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  what")) headings.push_back(line);
    REQUIRE(headings.size() == 2);
    CHECK_THAT(headings[0], Contains("first") && Contains("second") && !Contains("third"));
    CHECK_THAT(headings[1], Contains("third") && Contains("fourth"));
    CHECK(fits(out, 60));
}

TEST_CASE("the ending of a file says its form")
{
    CHECK(renderer_for_file("/a.b/report.pdf")->format == "pdf");
    CHECK(renderer_for_file("x.HTML") == nullptr);
    CHECK(renderer_for_file("x.htm")->format == "html");
    CHECK(renderer_for_file("/a.pdf/report") == nullptr);
    CHECK(renderer_of_format("word") == nullptr);
}
