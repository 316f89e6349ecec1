// Names of the pages of many logs.
#include "analyzer/many/pages.h"

#include <catch2/catch.hpp>

using namespace fathom;

namespace {

std::vector<JobRow> rows_of(const std::vector<std::string>& paths)
{
    std::vector<JobRow> rows;
    for (const std::string& path : paths) rows.emplace_back().log = path;
    return rows;
}

}  // namespace

TEST_CASE("pages are called after their logs, without the folder that all share, and no two alike")
{
    using Names = std::vector<std::string>;
    CHECK(page_names(rows_of({"/logs/a.fathom", "/logs/b/a.fathom", "/logs/a.darshan"})) ==
          Names{"a.html", "b-a.html", "a-2.html"});
    CHECK(page_names(rows_of({"index.fathom", "../up.fathom", ".hidden"})) ==
          Names{"index-2.html", "up.html", "hidden.html"});
    CHECK(page_names(rows_of({"javascript:alert(1).fathom", "a b#c?d%20.fathom", "a b#c?d%21.fathom"})) ==
          Names{"javascript_alert_1_.html", "a_b_c_d_20.html", "a_b_c_d_21.html"});
    CHECK(common_folder(rows_of({"/logs/a", "/logs/b/a"})) == "/logs/");
    CHECK(common_folder(rows_of({"/logs/a", "/lots/a"})).empty());
    CHECK(common_folder({}).empty());
}
