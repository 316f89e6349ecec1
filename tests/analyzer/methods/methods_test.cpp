// Rates, windows, spreads and slices, worked by hand.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "analyzer/methods/concentration.h"
#include "analyzer/methods/intervals.h"
#include "analyzer/methods/rate.h"
#include "analyzer/methods/spread.h"
#include "analyzer/methods/time_grid.h"

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
    CHECK(rate_by_slowest_rank(std::vector<RankIo>{{7, 0}, {7, 0}}, 1).slowest == 0);
    CHECK_FALSE(rate_of(0, 1, 1).defined);
    CHECK_FALSE(rate_of(1, 0, 1).defined);
    CHECK_FALSE(rate_of(1, 1, 0).defined);
    CHECK(rate_of(1, 0, 1).per_node == 0);
    CHECK(rate_of(1, 1, 0).has_total);
    CHECK(rate_of(3u << 20, 1'000'000'000, 1).per_node == Approx(3));
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
    CHECK(union_length({{0, 5}, {0, 3}}) == 5);
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
    CHECK(spread_of(std::vector<std::uint64_t>{1, 9, 9}).where == 1);  // the first of equals
}

TEST_CASE("a grid begins at a multiple of its length and doubles until it is short enough")
{
    const TimeGrid grid = grid_over(1005, 1995, 10, 1000);
    CHECK(grid.start == 1000);
    CHECK(grid.length == 10);
    CHECK(grid.slices == 100);
    const TimeGrid coarse = grid_over(1005, 1995, 10, 40);
    CHECK(coarse.length == 40);
    CHECK(coarse.start == 1000);
    CHECK(coarse.slices == 25);
    // What ends on a boundary has nothing behind it.
    CHECK(grid_over(1000, 2000, 10, 1000).slices == 100);
    CHECK(grid_over(1000, 2001, 10, 1000).slices == 101);
}

TEST_CASE("a grid of an instant is one time bin, and one across a boundary two")
{
    CHECK(grid_over(7, 7, 10, 200).slices == 1);
    CHECK(grid_over(0, 0, 10, 200).slices == 1);
    CHECK(grid_over(10, 10, 10, 200).start == 10);
    CHECK(grid_over(9, 12, 10, 200).slices == 2);
    CHECK(grid_over(12, 9, 10, 200).slices == 1);  // damaged
    CHECK(grid_over(0, ~std::uint64_t{0}, 0, 200).slices <= 200);
    CHECK(grid_over(0, ~std::uint64_t{0}, ~std::uint64_t{0}, 200).slices <= 200);
}

TEST_CASE("an instant outside of a grid belongs to the time bin next to it")
{
    const TimeGrid grid{100, 10, 5};
    CHECK(grid.slice_of(99) == 0);
    CHECK(grid.slice_of(100) == 0);
    CHECK(grid.slice_of(109) == 0);
    CHECK(grid.slice_of(110) == 1);
    CHECK(grid.slice_of(149) == 4);
    CHECK(grid.slice_of(150) == 4);
}

TEST_CASE("half of an amount lies in the fewest time bins that hold it")
{
    CHECK(concentration_of(std::vector<double>{1, 6, 2, 3}).half == 1);
    CHECK(concentration_of(std::vector<double>{1, 6, 2, 3}).largest == 1);
    CHECK(concentration_of(std::vector<double>{2, 2, 2, 2, 2}).half == 3);
    CHECK(concentration_of(std::vector<double>{0, 5, 0}).half == 1);
    CHECK(concentration_of(std::vector<double>{0, 0}).half == 0);
    CHECK(concentration_of({}).half == 0);
    CHECK(concentration_of(std::vector<double>{4, 5, 6}).sum == 15);
}
