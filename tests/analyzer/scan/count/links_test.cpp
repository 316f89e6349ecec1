// Files with several names, in whatever order these are found.
#include "analyzer/scan/count/links.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace fathom::scan;

namespace {

LinkedFile named(std::uint64_t inode, std::uint32_t depth, std::uint64_t hash, std::uint32_t links)
{
    LinkedFile file;
    file.entry.inode = inode;
    file.entry.links = links;
    file.depth = depth;
    file.path_hash = hash;
    return file;
}

}  // namespace

TEST_CASE("scan: a file counts once, by the same name in whatever order its names come")
{
    std::vector<LinkedFile> names = {named(5, 3, 1, 3), named(5, 2, 9, 3), named(5, 2, 4, 3)};
    const auto before = [](const LinkedFile& a, const LinkedFile& b) {
        return std::pair(a.depth, a.path_hash) < std::pair(b.depth, b.path_hash);
    };
    std::sort(names.begin(), names.end(), before);
    do {
        Links links;
        CHECK(!links.add(LinkedFile(names[0])));
        CHECK(!links.add(LinkedFile(names[1])));
        CHECK(links.size() == 1);
        const auto whole = links.add(LinkedFile(names[2]));
        REQUIRE(whole);
        CHECK(whole->depth == 2);
        CHECK(whole->path_hash == 4);
        CHECK(links.size() == 0);
    } while (std::next_permutation(names.begin(), names.end(), before));
}

TEST_CASE("scan: the same number on two devices is two files")
{
    Links links;
    LinkedFile other = named(5, 1, 1, 2);
    other.entry.device = 1;
    CHECK(!links.add(named(5, 1, 1, 2)));
    CHECK(!links.add(std::move(other)));
    CHECK(links.size() == 2);
}
