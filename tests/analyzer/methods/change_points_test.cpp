// Changes of a level, their chance, and trends.
#include "analyzer/methods/change_points.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace fathom;

namespace {

std::vector<double> normal_values(std::mt19937_64& random, std::size_t count)
{
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (std::size_t at = 0; at < count; ++at) values.push_back(normal(random));
    return values;
}

}  // namespace

TEST_CASE("changes of a level are found where they are, with the medians of both sides")
{
    std::vector<double> values;
    for (int at = 0; at < 12; ++at) values.push_back(1 + 0.01 * (at % 4));
    for (int at = 0; at < 9; ++at) values.push_back(2 + 0.01 * (at % 4));
    for (int at = 0; at < 15; ++at) values.push_back(0.5 + 0.01 * (at % 4));
    const auto found = change_points_of(values);
    REQUIRE(found.size() == 2);
    CHECK(found[0].at == 12);
    CHECK(found[1].at == 21);
    CHECK(found[0].before == Approx(1.015));
    CHECK(found[0].after == Approx(2.01));
    CHECK(found[1].before == Approx(2.01));
    CHECK(found[1].after == Approx(0.51));
    CHECK(found[0].chance <= 0.005);
}

TEST_CASE("values without a change have one by chance as rarely as was asked for")
{
    std::mt19937_64 random(17);
    std::size_t some = 0;
    constexpr std::size_t rounds = 1000;
    const ChangePointChoice choice{.chance = 0.05, .drawings = 1999};
    for (std::size_t round = 0; round < rounds; ++round)
        some += !change_points_of(normal_values(random, 40), choice).empty();
    CHECK(some <= 70);  // 50 are expected, three deviations are 21
    CHECK(some >= 29);
}

TEST_CASE("the chance of a change is that of all orders")
{
    // 2 of 8 places for a block of three at an end of eight values: 2 of the 56 ways to choose three.
    const std::vector<double> values = {5, 5, 5, 1, 1, 1, 1, 1};
    const auto found = change_points_of(values, {.chance = 0.2, .drawings = 20000});
    REQUIRE(found.size() == 1);
    CHECK(found[0].at == 3);
    CHECK(found[0].chance == Approx(2.0 / 56).epsilon(0.1));
    CHECK(change_points_of(values, {.chance = 0.02, .drawings = 20000}).empty());
}

TEST_CASE("single values far away decide nothing")
{
    std::mt19937_64 random(2);
    std::vector<double> values = normal_values(random, 40);
    values[20] = 1e6;
    values[3] = -1e6;
    CHECK(change_points_of(values).empty());
    for (std::size_t at = 25; at < 40; ++at) values[at] += 5;
    const auto found = change_points_of(values);
    REQUIRE(found.size() == 1);
    CHECK(found[0].at == 25);
}

TEST_CASE("few values and values that are all the same have no change")
{
    CHECK(change_points_of({}).empty());
    CHECK(change_points_of(std::vector<double>(50, 3.0)).empty());
    CHECK(change_points_of(std::vector<double>{1, 1, 1, 9, 9, 9, 9}).empty());
    CHECK(change_ranks(std::vector<double>(50, 3.0)).empty());
    CHECK(change_ranks({}).empty());
    CHECK(std::isinf(change_threshold({})));
    CHECK(std::isinf(change_threshold({-1, 0, 1})));
    CHECK(change_statistic({}).largest == 0);
    CHECK(change_statistic(std::vector<double>{1, 2, 3}).largest == 0);
}

TEST_CASE("the threshold of a change says what the chance says")
{
    std::mt19937_64 random(23);
    const ChangePointChoice choice{.chance = 0.1, .drawings = 499};
    std::size_t differ = 0, above = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<double> values = normal_values(random, 30);
        for (std::size_t at = 15; at < 30; ++at) values[at] += 0.4;
        const bool one = change_statistic(change_ranks(values), choice).largest >
                         change_threshold(change_ranks(values), choice);
        differ += one == change_points_of(values, choice).empty();
        above += one;
    }
    CHECK(differ <= 2);
    CHECK(above >= 20);
    CHECK(above <= 180);
}

TEST_CASE("a trend is the median slope, with the chance of Mann and Kendall")
{
    const std::vector<double> x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18};
    const auto trend = trend_of(x, y);
    REQUIRE(trend);
    CHECK(trend->slope == Approx(2));
    // S = 45, variance 10 * 9 * 25 / 18 = 125: z = 44 / 11.18034
    CHECK(trend->chance == Approx(8.303e-5).epsilon(0.001));
    // With ties: y = 1 1 2 2: S = 4, variance (4 * 3 * 13 - 2 * 2 * 1 * 9) / 18 = 6.667, z = 3 / 2.582
    const auto ties = trend_of(std::vector<double>{0, 1, 2, 3}, std::vector<double>{1, 1, 2, 2});
    REQUIRE(ties);
    CHECK(ties->chance == Approx(0.24528).epsilon(0.001));
    CHECK(trend_of(x, std::vector<double>(10, 1.0))->chance == 1);
    CHECK_FALSE(trend_of(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3}));
    CHECK_FALSE(trend_of(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
    std::vector<double> many, rising;
    for (int at = 0; at < 5000; ++at) {
        many.push_back(at);
        rising.push_back(3.0 * at);
    }
    CHECK(trend_of(many, rising)->slope == Approx(3));
}

TEST_CASE("ranks lie evenly around 0, and those of equal values are the same")
{
    const std::vector<double> values = {7, -3, 7, 1e9};
    const auto ranks = change_ranks(values);
    CHECK(ranks == std::vector<double>{0, -0.75, 0, 0.75});
}
