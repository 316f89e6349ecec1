#include "analyzer/methods/quartiles.h"

#include <catch2/catch.hpp>
#include <limits>

#include "analyzer/methods/exact_mean.h"

using namespace fathom;

namespace {

std::vector<double> all_of(const FiveNumbers& box)
{
    return {box.least, box.q1, box.median, box.q3, box.most};
}

}  // namespace

TEST_CASE("quartiles lie between the two nearest values in proportion, as in R")
{
    // quantile(1:4), quantile(c(1, 2, 4, 8, 16)), quantile(c(3, 5)) of R.
    CHECK(all_of(*five_numbers_of({4, 2, 3, 1})) == std::vector<double>{1, 1.75, 2.5, 3.25, 4});
    CHECK(all_of(*five_numbers_of({16, 1, 8, 2, 4})) == std::vector<double>{1, 2, 4, 8, 16});
    CHECK(all_of(*five_numbers_of({5, 3})) == std::vector<double>{3, 3.5, 4, 4.5, 5});
    CHECK(all_of(*five_numbers_of({-7})) == std::vector<double>{-7, -7, -7, -7, -7});
    CHECK(five_numbers_of({5, 3})->spread() == 1);
}

TEST_CASE("quartiles: what is not finite is passed over")
{
    const double nothing = std::numeric_limits<double>::quiet_NaN(),
                 endless = std::numeric_limits<double>::infinity();
    CHECK_FALSE(five_numbers_of({}));
    CHECK_FALSE(five_numbers_of({nothing, endless}));
    CHECK(five_numbers_of({nothing, 2, -endless})->values == 1);
}

TEST_CASE("a mean is the same in whatever order its values come")
{
    ExactMean up, down;
    CHECK_FALSE(up.mean());
    for (int at = 0; at < 1000; ++at) {
        up.add(1e6 / (1 + at));
        down.add(1e6 / (1000 - at));
    }
    CHECK(*up.mean() == *down.mean());
    CHECK(up.values() == 1000);
}

TEST_CASE("a mean keeps billionths beside large values, and passes over what is not finite")
{
    ExactMean mean;
    mean.add(1e12);
    mean.add(-1e12);
    mean.add(3e-9);
    mean.add(std::numeric_limits<double>::quiet_NaN());
    mean.add(std::numeric_limits<double>::infinity());
    mean.add(2e12);
    CHECK(*mean.mean() == Approx(1e-9));
    CHECK(mean.values() == 3);
}
