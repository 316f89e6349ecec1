// Sums of the commonest sizes, against what the records say.
#include "analyzer/job/size_sums.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace fathom;

namespace {

CommonSizes of(std::initializer_list<CommonSizes::Slot> slots)
{
    CommonSizes sizes;
    std::copy(slots.begin(), slots.end(), sizes.slot.begin());
    return sizes;
}

}  // namespace

TEST_CASE("sizes of many records are added up exactly, in whatever order they come")
{
    std::vector<CommonSizes> records;
    for (std::uint64_t at = 0; at < 20; ++at)
        records.push_back(of({{96, 2, 0}, {1000 + at, 3, 0}, {2000 + at, 3, 0}}));
    SizeSums sums, backwards, halves, second;
    for (std::size_t at = 0; at < records.size(); ++at) {
        sums.add(records[at]);
        backwards.add(records[records.size() - 1 - at]);
        (at < 10 ? halves : second).add(records[at]);
    }
    halves.add(second);
    for (const SizeSums* one : {&sums, &backwards, &halves}) {
        const auto commonest = one->commonest();
        REQUIRE(commonest.size() == 41);
        CHECK(commonest[0].size == 96);
        CHECK(commonest[0].count == 40);
        CHECK(commonest[1].size == 2019);
        CHECK(commonest[40].size == 1000);
        CHECK(commonest[40].count == 3);
    }
    CHECK(sums.commonest_in(SizeHistogram::class_of(96)).size() == 1);
    CHECK(SizeSums().commonest().empty());
}

TEST_CASE("the commonest size is the one with most accesses for certain")
{
    SizeSums sums;
    sums.add(of({{100, 50, 49}, {200, 3, 0}}));
    sums.add(of({{100, 50, 49}, {300, 3, 3}}));
    const auto commonest = sums.commonest();
    REQUIRE(commonest.size() == 3);
    CHECK(commonest[0].size == 200);
    CHECK(commonest[1].size == 100);
    CHECK(commonest[1].count == 100);
    CHECK(commonest[1].error == 98);
    CHECK(commonest[2].size == 300);
}
