// Lists in a line of text.
#include "logformat/log/words.h"

#include <catch2/catch.hpp>

using namespace fathom;

TEST_CASE("an item comes after a comma, but for the first")
{
    std::string list;
    add_to_list(list, "reads");
    CHECK(list == "reads");
    add_to_list(list, "writes");
    CHECK(list == "reads, writes");
    add_to_list(list, "syncs", "; ");
    CHECK(list == "reads, writes; syncs");
}
