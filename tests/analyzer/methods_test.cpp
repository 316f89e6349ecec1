// Rates, windows and spreads, worked by hand.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "analyzer/methods/intervals.h"
#include "analyzer/methods/rate.h"
#include "analyzer/methods/spread.h"

using namespace fathom;

TEST_CASE("the rate divides all bytes by the slowest rank's time and the nodes")
{
    // 3 ranks, 300 MiB in all; the slowest takes 6 s; 2 nodes: 300 / 6 / 2 = 25 MiB/s/CN.
    const std::array<RankIo, 3> ranks = {
        {{100u << 20, 4'000'000'000}, {150u << 20, 6'000'000'000}, {50u << 20, 2'000'000'000}}};
    const Rate rate = rate_by_slowest_rank(ranks, 2);
    REQUIRE(rate.defined);
    CHECK(rate.per_node == Approx(25));
    CHECK(rate.total == Approx(50));
    CHECK(rate.slowest == 1);
    CHECK(rate.bytes == 300u << 20);
    CHECK(rate.time == 6'000'000'000);
}

TEST_CASE("there is no rate without ranks, bytes, time or nodes")
{
    CHECK_FALSE(rate_by_slowest_rank({}, 1).defined);
    CHECK_FALSE(rate_of(0, 1, 1).defined);
    CHECK_FALSE(rate_of(1, 0, 1).defined);
    CHECK_FALSE(rate_of(1, 1, 0).defined);
    CHECK(rate_of(1, 0, 1).per_node == 0);
}

TEST_CASE("bytes count at the lowest layer that moved them")
{
    CHECK(lowest_layer_bytes(
              {.posix_direct = 1, .posix_beneath_mpiio = 10, .stdio_direct = 100, .mpiio = 9}) == 111);
    CHECK(lowest_layer_bytes({.posix_direct = 1, .stdio_direct = 100, .mpiio = 9}) == 110);
    CHECK(lowest_layer_bytes({.stdio_beneath_mpiio = 5, .mpiio = 9}) == 5);
}

TEST_CASE("the union of intervals counts what overlaps once")
{
    CHECK(union_length({}) == 0);
    CHECK(union_length({{10, 20}}) == 10);
    CHECK(union_length({{30, 40}, {10, 20}, {15, 35}}) == 30);
    CHECK(union_length({{10, 50}, {20, 30}, {50, 60}}) == 50);
    CHECK(union_length({{10, 20}, {100, 101}}) == 11);
    CHECK(union_length({{20, 10}}) == 0);  // a damaged one
}

TEST_CASE("a spread knows where the largest value is")
{
    const std::vector<std::uint64_t> values = {3, 9, 0};
    const Spread spread = spread_of(values);
    CHECK(spread.largest == 9);
    CHECK(spread.smallest == 0);
    CHECK(spread.where == 1);
    CHECK(spread.mean == Approx(4));
    CHECK(spread_of({}).mean == 0);
}
