// The pages of the PDF: nothing is cut off, and no heading stands alone at the foot of a page.
#include "tests/analyzer/document/read_back.h"
#include "tests/analyzer/document/sample_document.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

std::vector<std::string> pages_of(const std::string& text)
{
    std::vector<std::string> pages;
    std::istringstream in(text);
    for (std::string page; std::getline(in, page, '\f');) pages.push_back(page);
    return pages;
}

// The last line before the footer.
std::string last_line(const std::string& page)
{
    std::istringstream in(page.substr(0, page.rfind("The footer")));
    std::string last;
    for (std::string line; std::getline(in, line);)
        if (!words_of(line).empty()) last = line;
    return last;
}

}  // namespace

TEST_CASE("a table too wide for a page of the PDF goes on below")
{
    if (!can_read_pdf()) return;
    report::DataTable table;
    for (std::uint64_t column = 0; column < 30; ++column) {
        table.columns.push_back({"c" + std::to_string(column), "a long heading", report::Measure::count});
        table.rows.resize(1);
        table.rows[0].push_back(report::count(1'000'000'000 + column));
    }
    const std::vector<std::string> words = words_of(pdf_text({"Wide", "", {{"s", "S", {table}}}}));
    for (const report::Cell& cell : table.rows[0]) CHECK(first_missing({cell}, words) == "");
}

TEST_CASE("a heading of the PDF stands on the page of what follows it, whatever that is")
{
    if (!can_read_pdf()) return;
    report::Document document{"The footer", "", {}};
    // As many paragraphs before each block as bring its heading to another place on the page.
    for (const report::Section& section : every_block().sections)
        for (const report::Block& block : section.blocks)
            for (std::size_t lines = 0; lines < 12; ++lines) {
                document.sections.push_back({"filler", "Filling", {}});
                for (std::size_t line = 0; line < 20 + 5 * lines; ++line)
                    document.sections.back().blocks.push_back(report::Paragraph{"A line."});
                document.sections.push_back({"section", "HEADING", {block}});
            }
    const std::vector<std::string> pages = pages_of(pdf_text(document));
    REQUIRE(pages.size() > 100);
    for (const std::string& page : pages) {
        CHECK_THAT(page, Catch::Contains(" of " + std::to_string(pages.size())));
        CHECK_THAT(last_line(page), !Catch::Contains("HEADING"));
    }
}
