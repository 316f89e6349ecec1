// A finding in four forms: its cost beside its title, all that is said about it, lines that can be copied.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/finding_words.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/document/units.h"

using namespace fathom::report;
using Catch::Contains;

namespace {

const std::string copied =
    "lfs setstripe -c 8 /scratch/a/rather/long/path/to/the/results/of/this/<job>/run-0001";

Document with_findings()
{
    Finding one{.id = "small_requests",
                .title = "Most writes are small: nine of ten move less than a block of the file system",
                .cost = seconds(12.345),
                .cost_basis = "the writes' time beyond what as many bytes took in large ones",
                .confidence = Confidence::high,
                .evidence = {{"writes", "writes below 4 KiB", count(123456), "of 130,000"},
                             {"median", "median of their sizes", bytes(512), ""}},
                .why = "Each call costs as much as moving some hundred KiB.",
                .doubt = "A cache that gathered the writes.",
                .advice = {{"Buffer them.", {copied, "export ROMIO_HINTS=hints"}}, {"Or use HDF5.", {}}}};
    Finding other;
    other.id = "stragglers";
    other.title = "One rank waits";
    other.cost = unknown(Measure::seconds);
    return {"A report", "", {{"findings", "Findings", {one, other}}}};
}

std::string rendered_findings(std::string_view format, std::size_t width = 80)
{
    return renderer_of_format(format)->render(with_findings(), {width, true});
}

}  // namespace

TEST_CASE("in text a finding has a number, its cost beside the title, and lines to copy that are whole")
{
    for (const std::size_t width : {40, 60, 80, 100}) {
        std::istringstream lines(rendered_findings("text", width));
        bool whole = false;
        for (std::string line; std::getline(lines, line);) {
            const bool copy = line.ends_with(copied);
            whole = whole || copy;
            if (!copy) CHECK(display_width(line) <= width);
        }
        CHECK(whole);
    }
    const std::string text = rendered_findings("text", 100);
    CHECK_THAT(text,
               Contains("  1. Most writes") && Contains("— about 12.3 s\n") && Contains("Confidence: high"));
    CHECK_THAT(text, Contains("  2. One rank waits — cost not known\n") && Contains("Confidence: medium"));
    CHECK_THAT(text, Contains("123,456") && Contains("512 B") && Contains("Why it is slow: Each call") &&
                         Contains("Caveats: A cache") && Contains("What to do: Or use"));
}

TEST_CASE("in JSON a finding has all its members, and its cost is among the values")
{
    const auto json = nlohmann::json::parse(rendered_findings("json"));
    CHECK(json.at("values").at("findings.count") == 2);
    CHECK(json.at("values").at("findings.small_requests.cost") == 12.345);
    CHECK(json.at("values").at("findings.stragglers.cost").is_null());
    const auto& one = json.at("sections").at(0).at("blocks").at(0);
    CHECK(one.at("type") == "finding");
    CHECK(one.at("confidence") == "high");
    CHECK(one.at("evidence").at(0).at("value") == 123456);
    CHECK(one.at("advice").at(0).at("lines").at(0) == copied);
    CHECK(one.at("cost_basis").get<std::string>().starts_with("the writes' time"));
    CHECK(one.at("doubt") == "A cache that gathered the writes.");
    const auto none = nlohmann::json::parse(renderer_of_format("json")->render({}, {}));
    CHECK(none.at("values").at("findings.count") == 0);
}

TEST_CASE("in HTML a finding is an article with its cost and code to copy")
{
    const std::string html = rendered_findings("html");
    CHECK_THAT(html, Contains("<article class=\"finding\"") && Contains(">about 12.3 s<") &&
                         Contains("<code>lfs setstripe -c 8") && Contains("&lt;job&gt;/run-0001\n") &&
                         Contains("123,456"));
}

TEST_CASE("in PDF a finding is drawn, a long one over several pages")
{
    Document document = with_findings();
    for (int more = 0; more < 40; ++more)
        document.sections[0].blocks.push_back(document.sections[0].blocks[0]);
    auto& long_one = std::get<Finding>(document.sections[0].blocks[1]);
    for (int line = 0; line < 300; ++line) long_one.advice.push_back({"Do this.", {std::string(500, 'x')}});
    const std::string pdf = renderer_of_format("pdf")->render(document, {});
    CHECK(pdf.starts_with("%PDF-"));
}

TEST_CASE("findings: a cost is a range where its ends differ, and has one end where the lower says nothing")
{
    const auto words = [](double least, double most) {
        Finding finding;
        finding.cost = seconds(most);
        finding.share = share_of(most, 10);
        finding.cost_least = least;
        return cost_words(finding);
    };
    CHECK(words(1, 2) == "1.00 s to 2.00 s, at most 20 % of the run");
    CHECK(words(1.89, 2) == "1.89 s to 2.00 s, at most 20 % of the run");
    CHECK(words(1.91, 2) == "about 2.00 s or 20 % of the run");
    CHECK(words(0.09, 2) == "up to 2.00 s or 20 % of the run");
}
