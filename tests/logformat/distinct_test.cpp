// How well a kilobyte counts different things.
#include "logformat/distinct.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>

using namespace fathom;

TEST_CASE("nothing seen is none, and seeing a thing again changes nothing")
{
    const auto count = std::make_unique<DistinctCount>();
    CHECK(count->estimate() == 0);
    for (int times = 0; times < 1000; ++times) count->see(0x123456789abcdef0);
    CHECK(count->estimate() == Approx(1).epsilon(0.01));
}

TEST_CASE("few and many different things are counted to a few percent")
{
    std::mt19937_64 random(7);
    for (const int n : {10, 100, 1000, 5000, 100'000, 1'000'000}) {
        double worst = 0, mean = 0;
        constexpr int trials = 8;
        for (int trial = 0; trial < trials; ++trial) {
            const auto count = std::make_unique<DistinctCount>();
            for (int at = 0; at < n; ++at) count->see(random());
            const double error = count->estimate() / n - 1;
            worst = std::max(worst, std::abs(error));
            mean += error / trials;
        }
        INFO(n << " things");
        CHECK(worst < 4 * 0.033);
        CHECK(std::abs(mean) < 0.04);
    }
}
