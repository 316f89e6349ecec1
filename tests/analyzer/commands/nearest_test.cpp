// Guesses at what somebody meant.
#include "analyzer/commands/nearest.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace fathom;

TEST_CASE("the edit distance counts letters put in, taken out, replaced and swapped")
{
    CHECK(edit_distance("report", "report") == 0);
    CHECK(edit_distance("reprot", "report") == 1);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("ca", "abc") == 3);  // of those without a swap that is split by others
}

TEST_CASE("the nearest word is that with the fewest edits, or the only one that begins so")
{
    const std::vector<std::string> known = {"record", "report", "recover", "dump", "--output", "--format"};
    CHECK(nearest("reprot", known) == "report");
    CHECK(nearest("recrod", known) == "record");
    CHECK(nearest("dumb", known) == "dump");
    CHECK(nearest("--outptu", known) == "--output");
    CHECK(nearest("rep", known) == "report");
    CHECK(nearest("re", known).empty());  // three begin so
    CHECK(nearest("sing", known).empty());
    CHECK(nearest("--", known).empty());
    CHECK(nearest("", known).empty());
}
