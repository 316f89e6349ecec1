// What is usual, and what is slow.
#include "analyzer/history/usual.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace fathom::history;

TEST_CASE("history: mean, smallest, largest, deviation and CV of a kind, by hand")
{
    const std::vector<double> seconds = {2, 4, 4, 4, 5, 5, 7, 9};
    const auto found = variance_of(seconds);
    REQUIRE(found);
    CHECK(found->samples == 8);
    CHECK(found->mean == 5);
    CHECK(found->least == 2);
    CHECK(found->most == 9);
    CHECK(*found->deviation == Approx(2.138089935));  // sqrt(32 / 7)
    CHECK(*found->coefficient() == Approx(0.427617987));
    CHECK_FALSE(variance_of({}));
    const std::vector<double> one = {3, std::numeric_limits<double>::quiet_NaN()};
    CHECK(variance_of(one)->samples == 1);
    CHECK_FALSE(variance_of(one)->deviation);
    CHECK_FALSE(variance_of(std::vector<double>{0, 0})->coefficient());
}

TEST_CASE("history: the limit of the usual is that of one more run, in logarithms")
{
    // Logarithms -2 to 2 in steps of 0.5: median 0, median deviation 1.
    std::vector<double> seconds;
    for (int at = -4; at <= 4; ++at) seconds.push_back(std::exp(0.5 * at));
    const auto usual = usual_of(seconds);
    REQUIRE(usual);
    CHECK(usual->numbers.median == Approx(1));
    CHECK(std::log1p(usual->spread) == Approx(1.4826));
    // t(0.995, 8) = 3.355387
    CHECK(std::log(usual->limit) == Approx(3.355387 * 1.4826 * std::sqrt(1 + 1.0 / 9)).epsilon(1e-6));
    seconds.pop_back();
    CHECK(usual_of(seconds));
    seconds.pop_back();
    CHECK_FALSE(usual_of(seconds));
    const std::vector<double> same(20, 10.0);
    CHECK(usual_of(same)->spread == Approx(0.02));
    CHECK(usual_of(same)->limit > 10);
    CHECK(usual_of(same)->limit < 10.7);
}

TEST_CASE("history: a run is slow beyond the limit and beyond all others")
{
    std::vector<double> others;
    for (int at = 0; at < 19; ++at) others.push_back(10 + 0.1 * (at % 5));
    const auto usual = usual_of(others);
    REQUIRE(usual);
    auto found = judge(usual->limit * 1.001, others);
    REQUIRE(found);
    CHECK(found->slow);
    CHECK(found->as_slow == 0);
    CHECK(found->chance() == Approx(0.05));
    CHECK_FALSE(judge(usual->limit * 0.999, others)->slow);
    CHECK(judge(10.2, others)->ratio == Approx(1));
    CHECK(judge(10.4, others)->as_slow == 3);
    // Another one took 20 s: 22 s are nothing new, 25 s are.
    others.push_back(20);
    CHECK_FALSE(judge(19, others)->slow);
    CHECK_FALSE(judge(21, others)->slow);
    CHECK(judge(25, others)->slow);
    CHECK_FALSE(judge(25, std::vector<double>(7, 10.0)));
    CHECK_FALSE(judge(std::numeric_limits<double>::infinity(), others));
    CHECK_FALSE(judge(0, std::vector<double>(10, 0.0))->slow);
}
