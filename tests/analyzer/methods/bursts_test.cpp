// The wavelet transform, the bursts of a series, their period, and the Gini coefficient, worked by hand.
#include "analyzer/methods/bursts.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analyzer/methods/gini.h"
#include "analyzer/methods/wavelet.h"
#include "tests/analyzer/methods/no_numbers.h"

using namespace fathom;
using fathom::testing::not_a_number;

namespace {

std::vector<double> square(std::size_t length, std::size_t first, std::size_t on, std::size_t off,
                           double high, double low = 0)
{
    std::vector<double> series(length, low);
    for (std::size_t at = first; at < length; ++at)
        if ((at - first) % (on + off) < on) series[at] = high;
    return series;
}

std::vector<Stretch> expected(std::size_t length, std::size_t first, std::size_t on, std::size_t off)
{
    std::vector<Stretch> all;
    for (std::size_t at = first; at < length; at += on + off) all.push_back({at, std::min(at + on, length)});
    return all;
}

}  // namespace

TEST_CASE("Haar's transform of four values by hand, and back")
{
    std::vector<double> values = {1, 3, 6, 2};
    haar_transform(values);
    CHECK(values[0] == Approx(6));   // (1 + 3 + 6 + 2) / 2
    CHECK(values[1] == Approx(-2));  // (1 + 3 - 6 - 2) / 2
    CHECK(values[2] == Approx(-2 / std::sqrt(2)));
    CHECK(values[3] == Approx(4 / std::sqrt(2)));
    haar_inverse(values);
    CHECK(values[0] == Approx(1));
    CHECK(values[1] == Approx(3));
    CHECK(values[2] == Approx(6));
    CHECK(values[3] == Approx(2));
}

TEST_CASE("the noise of normal values is their standard deviation, also upon steps")
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 3);
    std::vector<double> series;
    for (std::size_t at = 0; at < 5000; ++at) series.push_back((at / 100 % 2 == 0 ? 0 : 500) + noise(random));
    CHECK(noise_of(series) == Approx(3).epsilon(0.05));
    CHECK(noise_of(square(100, 3, 7, 5, 10)) == 0);
    CHECK(noise_of(std::vector<double>{}) == 0);
    CHECK(noise_of(std::vector<double>{5}) == 0);
}

TEST_CASE("what is removed from a noisy step is mostly the noise")
{
    std::mt19937_64 random(8);
    std::normal_distribution<double> noise(0, 1);
    std::vector<double> series;
    for (std::size_t at = 0; at < 300; ++at) series.push_back((at < 128 ? 10 : 50) + noise(random));
    const std::vector<double> smooth = without_noise(series);
    REQUIRE(smooth.size() == 300);
    for (std::size_t at = 0; at < 300; ++at) CHECK(std::fabs(smooth[at] - (at < 128 ? 10 : 50)) < 2.5);
    CHECK(without_noise({}).empty());
    CHECK(without_noise(std::vector<double>{4}) == std::vector<double>{4});
    CHECK(without_noise(std::vector<double>{4, not_a_number, 4}) == std::vector<double>{4, 0, 4});
}

TEST_CASE("steps up and down are drawn together by the threshold, worked by hand")
{
    // Neighbours differ by 2, 38 and 2: the noise is 2 / sqrt(2) / 0.6745, and of four values the threshold
    // is that times sqrt(2 ln 4). It takes away the fine details, and half of it from each side of the step.
    const double half = 2 / std::sqrt(2) / 0.6744897501960817 * std::sqrt(2 * std::log(4)) / 2;
    const std::vector<double> up = without_noise(std::vector<double>{10, 12, 50, 52}),
                              down = without_noise(std::vector<double>{50, 52, 10, 12});
    for (const std::size_t at : {0, 1}) {
        CHECK(up[at] == Approx(11 + half));
        CHECK(up[at + 2] == Approx(51 - half));
        CHECK(down[at] == Approx(51 - half));
        CHECK(down[at + 2] == Approx(11 + half));
    }
}

TEST_CASE("a clean square wave has exactly its bursts, wherever it begins and however long it is")
{
    for (const std::size_t length : {40UL, 100UL, 128UL, 777UL})
        for (std::size_t first = 0; first < 9; ++first)
            for (const auto& [on, off] : {std::pair{1UL, 2UL}, {2UL, 2UL}, {3UL, 5UL}, {10UL, 4UL}})
                CHECK(bursts_of(square(length, first, on, off, 250)) == expected(length, first, on, off));
}

TEST_CASE("a gap of one time bin is no end")
{
    CHECK(bursts_of(std::vector<double>{0, 5, 5, 0, 5, 0, 0, 5, 0}) == std::vector<Stretch>{{1, 5}, {7, 8}});
}

TEST_CASE("one burst over the whole run is one, noisy or not")
{
    CHECK(bursts_of(std::vector<double>(50, 3)) == std::vector<Stretch>{{0, 50}});
    CHECK(bursts_of(std::vector<double>{3}) == std::vector<Stretch>{{0, 1}});
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> noise(50, 150);
    std::vector<double> series;
    for (std::size_t at = 0; at < 500; ++at) series.push_back(noise(random));
    CHECK(bursts_of(series) == std::vector<Stretch>{{0, 500}});
}

TEST_CASE("nothing has no bursts, and what is no amount counts as nothing")
{
    CHECK(bursts_of({}).empty());
    CHECK(bursts_of(std::vector<double>(64, 0)).empty());
    CHECK(bursts_of(std::vector<double>{not_a_number, -5, not_a_number}).empty());
    CHECK(bursts_of(std::vector<double>{0, 0, not_a_number, 7, 0, 0}) == std::vector<Stretch>{{3, 4}});
}

TEST_CASE("bursts stand out of a trickle, and of noise few are made up")
{
    CHECK(bursts_of(square(200, 5, 4, 16, 1000, 20)) == expected(200, 5, 4, 16));
    std::mt19937_64 random(10);
    std::normal_distribution<double> noise(0, 10);
    std::vector<double> series = square(512, 64, 32, 96, 1000, 100), pure(512);
    for (double& one : series) one += noise(random);
    for (double& one : pure) one = std::fabs(noise(random));
    CHECK(bursts_of(series) == expected(512, 64, 32, 96));
    CHECK(bursts_of(pure).size() <= 3);
}

TEST_CASE("small checkpoints are bursts beside a large input")
{
    std::vector<double> series(200, 0);
    for (std::size_t at = 0; at < 20; ++at) series[at] = 1000;
    for (std::size_t at = 40; at < 200; at += 20) series[at] = 100;
    CHECK(bursts_of(series).size() == 9);
}

TEST_CASE("a period is the median distance of the starts of bursts that resemble each other")
{
    const std::vector<double> starts = {0, 10, 15.1, 20, 25, 30};
    const std::vector<double> amounts = {900, 100, 110, 95, 100, 120};
    const auto period = period_of(starts, amounts);
    REQUIRE(period);
    CHECK(period->bursts == 5);  // the first is of another kind
    CHECK(period->median == Approx(5));
    CHECK(period->low == Approx(4.975));  // distances 5.1 4.9 5 5
    CHECK(period->high == Approx(5.025));
}

TEST_CASE("two bursts, irregular ones and ones that differ have no period")
{
    CHECK_FALSE(period_of({}, {}));
    CHECK_FALSE(period_of(std::vector<double>{0, 5}, std::vector<double>{1, 1}));
    CHECK_FALSE(period_of(std::vector<double>{0, 1, 9, 11, 30}, std::vector<double>{1, 1, 1, 1, 1}));
    CHECK_FALSE(period_of(std::vector<double>{0, 5, 10, 15}, std::vector<double>{1, 10, 100, 1000}));
    CHECK_FALSE(period_of(std::vector<double>{0, 5, 10}, std::vector<double>{1, 1}));
}

TEST_CASE("the Gini coefficient goes from all alike to one has all")
{
    CHECK(gini_of({}) == 0);
    CHECK(gini_of({7}) == 0);
    CHECK(gini_of({0, 0, 0}) == 0);
    CHECK(gini_of({5, 5, 5, 5}) == Approx(0).margin(1e-12));
    CHECK(gini_of({0, 0, 12, 0}) == Approx(0.75));
    CHECK(gini_of({4, 1, 3, 2}) == Approx(0.25));  // differences of pairs: 10 of 2 * 4 * 10 / 2
}

TEST_CASE("amounts may be far below 1: what is beside them counts as nothing")
{
    CHECK(Stretch{3, 7}.length() == 4);
    CHECK(bursts_of(std::vector<double>{0, 0.5, 0.5, 0, 0, 0, 0.5, 0}) ==
          std::vector<Stretch>{{1, 3}, {6, 7}});
    CHECK(bursts_of(std::vector<double>{not_a_number, -1, 0.5, 0.5, not_a_number, 0, 0}) ==
          std::vector<Stretch>{{2, 4}});
}

TEST_CASE(
    "at least half and at most twice the median amount resembles, and half of all bursts are not the most")
{
    const std::vector<double> starts{0, 5, 10, 15, 20};
    CHECK(period_of(starts, std::vector<double>{10, 5, 10, 20, 10})->bursts == 5);
    CHECK(period_of(starts, std::vector<double>{10, 4.9, 10, 20.1, 10})->bursts == 3);
    // Of six three: nothing. Of seven four: a period.
    const std::vector<double> six{0, 5, 10, 15, 20, 25}, seven{0, 5, 10, 15, 20, 25, 30};
    CHECK_FALSE(period_of(six, std::vector<double>{10, 10, 10, 100, 1000, 10000}));
    CHECK(period_of(seven, std::vector<double>{10, 10, 10, 10, 100, 1000, 10000})->bursts == 4);
    CHECK(period_of(std::vector<double>{0, 5, 10}, std::vector<double>{1, 1, 1})->median == 5);
}

TEST_CASE("quartiles of the distances may lie apart by half of the median, and no further")
{
    // Distances 3 4 4 5 5: type 7 has the quartiles 4 and 5, the median 4.
    const std::vector<double> ones(6, 1);
    const auto period = period_of(std::vector<double>{0, 3, 7, 11, 16, 21}, ones);
    REQUIRE(period);
    CHECK(period->low == 4);
    CHECK(period->median == 4);
    CHECK(period->high == 5);
    // 4 4 4 6 6: apart by 2, half of 4. 4 4 4 7 7: by 3.
    CHECK(period_of(std::vector<double>{0, 4, 8, 12, 18, 24}, ones));
    CHECK_FALSE(period_of(std::vector<double>{0, 4, 8, 12, 19, 26}, ones));
}
