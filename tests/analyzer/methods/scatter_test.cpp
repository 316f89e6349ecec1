// Points that stand for many in a drawing.
#include "analyzer/methods/scatter.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>

using namespace fathom;

TEST_CASE("few points are all drawn, but for those that are not finite")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> x = {1, 2, nan, 4, 5}, y = {1, INFINITY, 3, 4, 4};
    CHECK(spread_out(x, y) == std::vector<std::size_t>{0, 3, 4});
    CHECK(spread_out({}, {}).empty());
}

TEST_CASE("of many points one is drawn for each place that has any")
{
    std::vector<double> x, y;
    for (int i = 0; i < 100'000; ++i) {
        x.push_back(i);
        y.push_back(i % 3);
    }
    const auto chosen = spread_out(x, y, 100, 10);
    CHECK(chosen.size() == 300);
    CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == 300);
    // A million equal ones are one.
    CHECK(spread_out(std::vector<double>(1'000'000, 7), std::vector<double>(1'000'000, 7)) ==
          std::vector<std::size_t>{0});
}

TEST_CASE("a page has places for 240 points beside each other and 60 above each other")
{
    std::vector<double> rising, level(100'000, 3);
    for (int i = 0; i < 100'000; ++i) rising.push_back(i);
    CHECK(spread_out(rising, level).size() == 240);
    CHECK(spread_out(level, rising).size() == 60);
}

TEST_CASE("of each place the first point is drawn, and an eighth of the places is few")
{
    // Eight columns, one row: one point is few, two are many.
    const std::vector<double> x = {0, 0.1, 7.9, 8}, y(4, 1);
    CHECK(spread_out(x, y, 8, 1) == std::vector<std::size_t>{0, 2});
    CHECK(spread_out(x, y, 8, 4) == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(spread_out(x, y, 8, 3) == std::vector<std::size_t>{0, 2});
    // Wherever they lie.
    CHECK(spread_out(std::vector<double>{100, 100.1, 107.9, 108}, y, 8, 1) == std::vector<std::size_t>{0, 2});
}
