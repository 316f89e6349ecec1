// Cuts between states to start with, and how long a path stayed in each.
#include "analyzer/methods/start_labels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analyzer/methods/waiting_times.h"
#include "tests/analyzer/methods/no_numbers.h"
#include "tests/stopwatch.h"

using namespace fathom;
using fathom::testing::infinity;
using fathom::testing::not_a_number;

namespace {

// Hills at these places, as many samples each.
std::vector<double> hills(const std::vector<double>& places, std::size_t each, double width)
{
    std::mt19937_64 random(11);
    std::vector<double> samples;
    for (const double place : places) {
        std::normal_distribution<double> around(place, width);
        for (std::size_t one = 0; one < each; ++one) samples.push_back(around(random));
    }
    return samples;
}

}  // namespace

TEST_CASE("the minima between the hills of the density cut them apart")
{
    for (const std::vector<double>& places :
         {std::vector<double>{0, 3}, {0, 3, 6}, {0, 3, 5, 9}, {0, 2, 4, 6, 8}}) {
        const auto cuts = start_splits(hills(places, 500, 0.3), places.size());
        REQUIRE(cuts);
        CHECK(cuts->basis == SplitBasis::minima);
        REQUIRE(cuts->splits.size() + 1 == places.size());
        for (std::size_t at = 0; at < places.size(); ++at) CHECK(cuts->of(places[at]) == at);
    }
}

TEST_CASE("a split belongs to the part below it")
{
    const auto cuts = start_splits(hills({0, 3}, 500, 0.3), 2);
    CHECK(cuts->of(cuts->splits[0]) == 0);
    CHECK(cuts->of(std::nextafter(cuts->splits[0], 9)) == 1);
}

TEST_CASE("of too many minima the deepest remain")
{
    // Between the first two hills it is shallow, before the last deep.
    const auto two = start_splits(hills({0, 1.2, 6}, 2000, 0.3), 2);
    REQUIRE(two->splits.size() == 1);
    CHECK(two->splits[0] > 2);
    CHECK(two->splits[0] < 5.5);
    CHECK(two->basis == SplitBasis::minima);
    const auto one = start_splits(hills({0, 1.2, 6}, 2000, 0.3), 1);
    CHECK(one->splits.empty());
}

TEST_CASE("where the density has too few minima the cuts leave the least sum of squares")
{
    // By hand: {0, 1, 2} and {10, 11} have 2 + 0.5, and no other cut has less.
    const auto few = start_splits(std::vector<double>{0, 1, 2, 10, 11}, 4);
    REQUIRE(few);
    REQUIRE(few->splits.size() == 3);
    // {0, 1} {2} {10} {11}, {0} {1, 2} {10} {11} and {0} {1} {2} {10, 11} all have 0.5.
    std::vector<std::size_t> parts;
    for (const double one : {0., 1., 2., 10., 11.}) parts.push_back(few->of(one));
    CHECK(parts.front() == 0);
    CHECK(parts.back() == 3);
    std::vector<double> even;
    for (int one = 0; one < 10000; ++one) even.push_back(one);
    const auto thirds = start_splits(even, 3);
    REQUIRE(thirds->splits.size() == 2);
    CHECK(thirds->basis == SplitBasis::least_squares);
    CHECK(thirds->splits[0] == Approx(10000. / 3).margin(60));
    CHECK(thirds->splits[1] == Approx(20000. / 3).margin(60));
}

TEST_CASE("as many different samples as states are a state each, fewer have no cuts")
{
    const auto each = start_splits(std::vector<double>{5, 1, 3, 3, 1}, 3);
    REQUIRE(each);
    CHECK(each->of(1) == 0);
    CHECK(each->of(3) == 1);
    CHECK(each->of(5) == 2);
    CHECK_FALSE(start_splits(std::vector<double>{5, 1, 3, 3, 1}, 4));
    CHECK_FALSE(start_splits(std::vector<double>(100, 2.5), 2));
    CHECK(start_splits(std::vector<double>(100, 2.5), 1));
    CHECK_FALSE(start_splits({}, 1));
    CHECK_FALSE(start_splits(std::vector<double>{1, 2}, 0));
    CHECK_FALSE(start_splits(std::vector<double>{1, not_a_number, 2}, 2));
    CHECK_FALSE(start_splits(std::vector<double>{1, std::numeric_limits<double>::infinity(), 2}, 2));
}

TEST_CASE("a million samples are cut in good time", "[million]")
{
    const std::vector<double> samples = hills({0, 3, 6}, 333'333, 0.4);
    std::size_t splits = 0;
    CHECK(testing::seconds_of([&] { splits = start_splits(samples, 3)->splits.size(); }) <
          testing::good_time);
    CHECK(splits == 2);
}

TEST_CASE("a stay lasts from the middle before its first sample to that behind its last")
{
    const std::vector<double> times{0, 1, 2, 4, 6, 7, 8};
    const std::vector<std::size_t> path{0, 0, 1, 1, 0, 2, 2};
    const auto stays = stays_of(times, path, 3);
    REQUIRE(stays);
    // Changes at 1.5, 5 and 6.5; what was under way at the beginning or the end is no whole stay.
    CHECK((*stays)[0].whole == std::vector<double>{1.5});
    CHECK((*stays)[1].whole == std::vector<double>{3.5});
    CHECK((*stays)[2].whole.empty());
    CHECK((*stays)[0].visits == 2);
    CHECK((*stays)[1].visits == 1);
    CHECK((*stays)[2].visits == 1);
    CHECK((*stays)[0].samples == 3);
}

TEST_CASE("a stay does not last over a time in which nobody looked")
{
    const std::vector<double> times{0, 1, 2, 100, 101, 102};
    const std::vector<std::size_t> path{0, 1, 1, 1, 1, 0};
    const std::vector<std::size_t> stretches{3};
    const auto stays = stays_of(times, path, 2, stretches);
    CHECK((*stays)[1].whole.empty());
    CHECK((*stays)[1].visits == 2);
    CHECK(stays_of(times, path, 2)->at(1).whole == std::vector<double>{101});
}

TEST_CASE("there are no stays of what is no path")
{
    const std::vector<double> times{0, 1, 2};
    CHECK_FALSE(stays_of(times, std::vector<std::size_t>{0, 1}, 2));
    CHECK_FALSE(stays_of(times, std::vector<std::size_t>{0, 1, 2}, 2));
    CHECK_FALSE(stays_of(std::vector<double>{0, not_a_number, 2}, std::vector<std::size_t>{0, 1, 1}, 2));
    CHECK_FALSE(stays_of(std::vector<double>{0, 2, 1}, std::vector<std::size_t>{0, 1, 1}, 2));
    CHECK_FALSE(stays_of(times, std::vector<std::size_t>{0, 1, 1}, 2, std::vector<std::size_t>{3}));
    CHECK(stays_of({}, {}, 2)->size() == 2);
}

TEST_CASE("a dip of four hundredths between two hills is no minimum, one of eighteen is")
{
    // The density 1 - part cos(4 pi x) from 0 to 1: hills at 1/4 and 3/4, between them (1 - part) / (1 +
    // part).
    const auto hilly = [](double part) {
        std::vector<double> samples;
        for (int one = 0; one < 20'000; ++one) {
            const double even = (one + 0.5) / 20'000, turn = 4 * std::acos(-1);
            samples.push_back(even + part * std::sin(turn * even) / turn);
        }
        return samples;
    };
    CHECK(start_splits(hilly(0.02), 2)->basis == SplitBasis::least_squares);
    CHECK(start_splits(hilly(0.1), 2)->basis == SplitBasis::minima);
    CHECK(start_splits(hilly(0.1), 2)->splits.at(0) == Approx(0.5).margin(0.01));
}
