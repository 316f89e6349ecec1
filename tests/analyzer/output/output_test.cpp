// Files appear whole or not at all.
#include "analyzer/output/output.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/analyzer/temporary.h"

using namespace fathom;
using Catch::Contains;

namespace {

std::string content_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("saving replaces a file and leaves nothing else behind")
{
    const testing::Temporary folder;
    save(folder.path("a"), "one");
    save(folder.path("a"), "two");
    CHECK(content_of(folder.path("a")) == "two");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path("")), {}) == 1);
}

TEST_CASE("saving says which file and what to do")
{
    const testing::Temporary folder;
    CHECK_THROWS_WITH(save(folder.path("no/a"), "x"),
                      Contains("no/a") && Contains("create the folder first"));
    CHECK_THROWS_WITH(save(folder.path(""), "x"), Contains("folder"));
    CHECK_THROWS_WITH(save("/dev/full", std::string(10, 'x')),
                      Contains("/dev/full") && Contains("free some space"));
}
