// Stretches of I/O, in whatever order they are told.
#include "parsers/shared/burst_list.h"

#include <catch2/catch.hpp>

using fathom::BurstList;

namespace {

constexpr std::uint64_t ms = 1'000'000;

}  // namespace

TEST_CASE("stretches that overlap or come close are one burst, in any order")
{
    BurstList bursts;
    bursts.add(100 * ms, 110 * ms);
    bursts.add(10 * ms, 20 * ms);
    bursts.add(110 * ms + ms / 2, 120 * ms);
    bursts.add(15 * ms, 16 * ms);
    REQUIRE(bursts.stretches().size() == 2);
    CHECK(bursts.stretches()[0].start == 10 * ms);
    CHECK(bursts.stretches()[0].end == 20 * ms);
    CHECK(bursts.stretches()[1].end == 120 * ms);
    bursts.add(5 * ms, 200 * ms);
    REQUIRE(bursts.stretches().size() == 1);
    CHECK(bursts.stretches()[0].start == 5 * ms);
    CHECK(bursts.stretches()[0].end == 200 * ms);
    CHECK(bursts.gap() == ms);
}

TEST_CASE("many bursts become few, with longer pauses in them")
{
    BurstList bursts;
    for (std::uint64_t at = 1000; at-- > 0;) bursts.add(at * 10 * ms, at * 10 * ms + ms);
    CHECK(bursts.stretches().size() <= BurstList::most);
    CHECK(bursts.stretches().front().start == 0);
    CHECK(bursts.stretches().back().end == 9990 * ms + ms);
    CHECK(bursts.gap() >= 10 * ms);
    for (std::size_t at = 1; at < bursts.stretches().size(); ++at)
        CHECK(bursts.stretches()[at].start > bursts.stretches()[at - 1].end + bursts.gap());
}
