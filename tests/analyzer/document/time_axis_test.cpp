// Ticks of an axis of time, and where slices lie on it.
#include "analyzer/document/drawing/time_axis.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>

using namespace fathom::report;

namespace {

std::string labels(double end, std::size_t most)
{
    std::string all;
    for (const fathom::report::Tick& tick : time_ticks({0, 1, 1, end}, most)) all += tick.label + ",";
    return all;
}

}  // namespace

TEST_CASE("ticks are round and all in one unit")
{
    CHECK(labels(0.3, 4) == "0 s,0.1 s,0.2 s,0.3 s,");
    CHECK(labels(33, 4) == "0 s,15 s,30 s,");
    CHECK(labels(60, 5) == "0 s,15 s,30 s,45 s,60 s,");
    CHECK(labels(700, 6) == "0 min,5 min,10 min,");
    CHECK(labels(86400, 5) == "0 h,6 h,12 h,18 h,24 h,");
    CHECK(labels(40 * 86400.0, 5) == "0 d,10 d,20 d,30 d,40 d,");
}

TEST_CASE("ticks of an axis by UTC are at round times of day, with dates where a day begins")
{
    const auto by_clock = [](std::uint64_t began, double end, std::size_t most) {
        std::string all;
        for (const fathom::report::Tick& tick : time_ticks({0, 1, 1, end, began * 1'000'000'000}, most))
            all += fmt::format("{} at {}, ", tick.label, tick.at);
        return all;
    };
    constexpr std::uint64_t midnight = 1'774'915'200;  // 2026-03-31 00:00:00 UTC
    CHECK(by_clock(midnight - 1800, 7200, 5) ==
          "23:30 at 0, 03-31 at 1800, 00:30 at 3600, 01:00 at 5400, 01:30 at 7200, ");
    CHECK(by_clock(midnight + 100, 86400, 3) == "12:00 at 43100, 04-01 at 86300, ");
    CHECK(by_clock(midnight, 4 * 86400.0, 5) ==
          "03-31 at 0, 04-01 at 86400, 04-02 at 172800, 04-03 at 259200, 04-04 at 345600, ");
    CHECK(by_clock(midnight + 5, 30, 4) == "00:00:10 at 5, 00:00:20 at 15, 00:00:30 at 25, ");
    CHECK(heading_of({0, 1, 1, 1, midnight * 1'000'000'000}) == "from 2026-03-31 00:00:00 UTC");
    CHECK(heading_of({}) == "since the job's start");
    CHECK(from_words({0, 60, 2, 120, midnight * 1'000'000'000}, 1) == "from 2026-03-31 00:01:00 UTC");
}

TEST_CASE("there is a tick where there is no time, and no more than asked for")
{
    CHECK(time_ticks({}, 5).size() == 1);
    CHECK(time_ticks({0, 1, 1, 1e12}, 0).size() <= 2);
    for (const double end : {0.001, 0.9, 7.0, 61.0, 3601.0, 1e5, 1e7})
        for (const std::size_t most : {2, 5, 8}) CHECK(time_ticks({0, 1, 1, end}, most).size() <= most);
}

TEST_CASE("the first and the last time bin are cut off at the job's start and end")
{
    const TimeAxis axis{-0.75, 1, 4, 3};
    CHECK(begin_of(axis, 0) == 0);
    CHECK(end_of(axis, 0) == 0.25);
    CHECK(begin_of(axis, 3) == 2.25);
    CHECK(end_of(axis, 3) == 3);
}
