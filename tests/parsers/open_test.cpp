// Files that no parser recognises, and those that one does.
#include "parsers/open.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "parsers/parser.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using Catch::Contains;

TEST_CASE("a log of ours is recognised and read")
{
    const testing::Temporary folder;
    testing::Synthetic made;
    made.ranks(2);
    write_log(made.log, folder.path("a.fathom"));
    CHECK(open_dataset(folder.path("a.fathom")).rows<Process>().size() == 2);
}

TEST_CASE("a file that is no log is refused with its name, its look and the remedy")
{
    const testing::Temporary folder;
    const auto complaint_about = [&](std::string_view content) {
        std::ofstream(folder.path("x"), std::ios::binary) << content;
        try {
            open_dataset(folder.path("x"));
        } catch (const LogError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_THAT(complaint_about("\x1f\x8b\x08"), Contains(folder.path("x")) && Contains("gunzip"));
    CHECK_THAT(complaint_about("\x7f"
                               "ELF...."),
               Contains("fathom record"));
    CHECK_THAT(complaint_about("hello\n"), Contains("a text file"));
    CHECK_THAT(complaint_about("SQLite format 3"), Contains("fathom jobs list --db FILE"));
    CHECK_THAT(complaint_about(std::string(20, '\1')), Contains("binary data"));
    CHECK_THAT(complaint_about(""), Contains("empty"));
    CHECK_THAT(complaint_about("FATHOM9\n"), Contains(folder.path("x")));
}

TEST_CASE("a folder, a device and a file that is not there are refused")
{
    CHECK_THROWS_WITH(open_dataset("/tmp"), Contains("folder"));
    CHECK_THROWS_WITH(open_dataset("/dev/null"), Contains("not a regular file"));
    CHECK_THROWS_WITH(open_dataset("/no/such/log"), Contains("/no/such/log") && Contains("No such file"));
}

TEST_CASE("each parser knows the beginning of its logs, and no other does")
{
    // A parser that is new needs a row here.
    std::string darshan(512, '\0');
    darshan.replace(8, 3, "\x37\x35\x64");  // 6567223, the low byte first
    const std::map<std::string_view, std::string> beginnings = {
        {"Fathom log", "FATHOM1\n"},
        {"Darshan log", darshan},
        {"output of strace", "1234 1763800000.123456 close(3) = 0 <0.000010>\n"}};
    for (const Parser& parser : parsers()) {
        INFO(parser.name);
        REQUIRE(beginnings.count(parser.name) == 1);
        for (const auto& [name, first_bytes] : beginnings)
            CHECK(parser.recognises(first_bytes) == (name == parser.name));
    }
}
