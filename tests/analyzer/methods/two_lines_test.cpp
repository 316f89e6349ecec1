// Lines of time over size: worked by hand, held against R, and where there is little to go by.
#include "analyzer/methods/two_lines.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/analyzer/methods/no_numbers.h"
#include "tests/analyzer/methods/reference.h"

using namespace fathom;
using fathom::testing::infinity;
using fathom::testing::not_a_number;

namespace {

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("two lines worked by hand: the larger sizes' line goes on from the page")
{
    // Up to 4096: (0, 1), (2048, 3), (4096, 2). Mean (2048, 2); slope (2048 * 1) / (2 * 2048^2) = 1 / 4096,
    // so that 1.5 at 0 and 2.5 at 4096. Above: (8192, 4.5), (12288, 8.5): from (4096, 2.5) they are
    // (4096, 2) and (8192, 6): slope (4096 * 2 + 8192 * 6) / (4096^2 + 8192^2) = 14 / (5 * 4096).
    const auto lines = fit_two_lines(Numbers{4096, 0, 2048, 12288, 8192}, Numbers{2, 1, 3, 8.5, 4.5});
    REQUIRE(lines);
    CHECK(lines->small->slope == Approx(1.0 / 4096));
    CHECK(lines->small->intercept == Approx(1.5));
    CHECK(lines->large->slope == Approx(14.0 / 5 / 4096));
    CHECK(lines->large->at(4096) == Approx(2.5));
    CHECK(*lines->at(4096) == Approx(2.5));
    CHECK(*lines->at(8192) == Approx(2.5 + 2.8));
    CHECK(*lines->at(0) == Approx(1.5));
}

TEST_CASE("relative misfit weighs each time by its own length")
{
    // Level lines: of 1 and 3 the mean, (1/1 + 3/9) / (1/1 + 1/9) = 1.2 with weights 1 / y^2.
    const Numbers sizes{8, 8}, times{1, 3};
    CHECK(fit_two_lines(sizes, times)->small->intercept == Approx(2));
    CHECK(fit_two_lines(sizes, times, Misfit::relative)->small->intercept == Approx(1.2));
}

TEST_CASE("errors of a line worked by hand")
{
    const TwoLines lines{Line{2, 0}, Line{0, 0.001}};
    const auto error = error_of(lines, Numbers{1, 2, 10000}, Numbers{1, 4, 8});
    REQUIRE(error);
    CHECK(error->absolute == Approx((1 + 2 + 2) / 3.0));
    CHECK(error->relative == Approx((1 + 0.5 + 0.25) / 3.0));
    CHECK(!error_of({Line{1, 0}, std::nullopt}, Numbers{5000}, Numbers{1}));
    CHECK(!error_of(lines, {}, {}));
}

TEST_CASE("sizes on one side of the page make one line, and the other sizes have none")
{
    const auto small = fit_two_lines(Numbers{1, 4096}, Numbers{1, 2});
    REQUIRE(small);
    CHECK(small->small);
    CHECK(!small->large);
    CHECK(!small->at(4097));
    const auto large = fit_two_lines(Numbers{8192, 16384}, Numbers{3, 5});
    REQUIRE(large);
    CHECK(!large->small);
    CHECK(!large->at(4096));
    CHECK(*large->at(32768) == Approx(9));
}

TEST_CASE("one size makes a level line, alone or many times over")
{
    CHECK(*fit_two_lines(Numbers{64}, Numbers{3})->at(4096) == Approx(3));
    CHECK(*fit_two_lines(Numbers{0.1, 0.1, 0.1}, Numbers{1, 2, 6})->at(4096) == Approx(3));
    CHECK(*fit_two_lines(Numbers{1048576}, Numbers{3})->at(1 << 24) == Approx(3));
    // Held at the page by the first line, one larger size is enough for a slope.
    CHECK(*fit_two_lines(Numbers{64, 8192}, Numbers{3, 5})->at(12288) == Approx(7));
}

TEST_CASE("equal times make level lines")
{
    const auto lines = fit_two_lines(Numbers{1, 64, 4096, 8192, 65536}, Numbers{7, 7, 7, 7, 7});
    CHECK(lines->small->slope == Approx(0).margin(1e-15));
    CHECK(*lines->at(1e9) == Approx(7));
}

TEST_CASE("a line may begin below 0 and may fall, a time is never below 0")
{
    const auto rising = fit_two_lines(Numbers{1024, 2048}, Numbers{1, 3});
    CHECK(rising->small->intercept == Approx(-1));
    CHECK(*rising->at(1) == 0);
    CHECK(*rising->at(1024) == Approx(1));
    CHECK(*fit_two_lines(Numbers{8192, 16384}, Numbers{2, 1})->at(1e6) == 0);
}

TEST_CASE("what is no size or no time makes no lines")
{
    for (const double bad : {not_a_number, infinity, -1.0})
        CHECK(!fit_two_lines(Numbers{1, bad}, Numbers{1, 2}));
    for (const double bad : {not_a_number, infinity, -1.0, 0.0})
        CHECK(!fit_two_lines(Numbers{1, 2}, Numbers{1, bad}));
    CHECK(!fit_two_lines({}, {}));
    CHECK(!fit_two_lines(Numbers{1, 2}, Numbers{1}));
    const TwoLines lines{Line{1, 0}, Line{1, 0}};
    for (const double bad : {not_a_number, infinity, -1.0}) CHECK(!lines.at(bad));
}

TEST_CASE("lines are those of R")
{
    const auto [columns, expected] = fathom::testing::reference("linear-model");
    Numbers limits;
    for (const double limit : columns.at(1)) limits.push_back(1.1 * limit);
    REQUIRE(limits.size() == 23);
    const auto lines = fit_two_lines(columns.at(0), limits);
    REQUIRE(lines);
    CHECK(lines->small->intercept == Approx(expected["small_intercept"].get<double>()).epsilon(1e-10));
    CHECK(lines->small->slope == Approx(expected["small_slope"].get<double>()).epsilon(1e-10));
    CHECK(lines->large->intercept == Approx(expected["large_intercept"].get<double>()).epsilon(1e-10));
    CHECK(lines->large->slope == Approx(expected["large_slope"].get<double>()).epsilon(1e-10));
}

TEST_CASE("there is a line where either of the two is")
{
    CHECK_FALSE(TwoLines{}.any());
    CHECK(TwoLines{Line{1, 0}, std::nullopt}.any());
    CHECK(TwoLines{std::nullopt, Line{1, 0}}.any());
}
