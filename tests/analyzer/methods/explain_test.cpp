// Which model explains a duration, and where the limit of one kind of operation lies.
#include "analyzer/methods/explain.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "analyzer/methods/density.h"
#include "analyzer/methods/outlier_limit.h"
#include "analyzer/methods/two_lines.h"
#include "tests/analyzer/methods/no_numbers.h"
#include "tests/stopwatch.h"

using namespace fathom;
using fathom::testing::infinity;
using fathom::testing::not_a_number;

namespace {

using Predicted = std::vector<std::optional<double>>;

}  // namespace

TEST_CASE("the least limit that is not passed explains a duration")
{
    const Predicted limits{5, 2, std::nullopt, 9};
    CHECK(first_limit(limits, 1) == 1);
    CHECK(first_limit(limits, 2) == 1);
    CHECK(first_limit(limits, 2.1) == 0);
    CHECK(first_limit(limits, 8) == 3);
    CHECK(first_limit(limits, 9.1) == 4);
    CHECK(first_limit(Predicted{3, 3}, 3) == 0);
}

TEST_CASE("the nearest model is so by the ratio of times")
{
    const Predicted models{1, std::nullopt, 100, 0};
    CHECK(nearest_model(models, 9) == 0);
    CHECK(nearest_model(models, 11) == 2);
    CHECK(nearest_model(models, 10) == 0);
    CHECK(nearest_model(models, 1e9) == 2);
    CHECK(nearest_model(models, 0) == 0);
    CHECK(nearest_model(Predicted{3, 2, 4}, 0) == 1);
    CHECK(nearest_model(Predicted{0.25, 2}, 1) == 1);
    CHECK(nearest_model(Predicted{3, 3}, 1) == 0);
}

TEST_CASE("nothing explains what no model speaks of, nor what is no duration")
{
    CHECK(!first_limit({}, 1));
    CHECK(!nearest_model({}, 1));
    CHECK(!first_limit(Predicted{std::nullopt}, 1));
    CHECK(!nearest_model(Predicted{std::nullopt, 0}, 1));
    for (const double bad : {not_a_number, infinity, -1.0}) {
        CHECK(!first_limit(Predicted{1}, bad));
        CHECK(!nearest_model(Predicted{1}, bad));
    }
}

TEST_CASE("the limit of durations is the cutoff of their density")
{
    std::mt19937_64 random(20261122);
    std::lognormal_distribution<float> usual(std::log(1e-4f), 0.2f);
    std::vector<float> seconds;
    std::vector<double> logs;
    for (int one = 0; one < 2000; ++one) seconds.push_back(usual(random));
    seconds.insert(seconds.end(), {0.1f, 0.2f, 0.3f});
    for (const float one : seconds) logs.push_back(std::log10(static_cast<double>(one)));
    const auto limit = outlier_limit(seconds);
    REQUIRE(limit);
    CHECK(std::log10(limit->seconds) == Approx(clusters_of(logs)->cutoff));
    CHECK(limit->operations == 2003);
    CHECK(limit->median == Approx(1e-4).epsilon(0.02));
    std::uint64_t beyond = 0;
    for (const float one : seconds) beyond += static_cast<double>(one) > limit->seconds;
    CHECK(limit->outliers == beyond);
    CHECK(beyond >= 3);
    CHECK(beyond < 100);
}

TEST_CASE("durations that are all the same are their own limit")
{
    const auto limit = outlier_limit(std::vector<float>{0.5f, 0.5f, 0.5f});
    REQUIRE(limit);
    CHECK(limit->seconds == Approx(0.5));
    CHECK(limit->outliers == 0);
    CHECK(outlier_limit(std::vector<float>{2})->median == Approx(2));
    // A clock that tells no nanosecond.
    CHECK(outlier_limit(std::vector<float>{0, 0})->seconds == Approx(1e-9));
    const auto some = outlier_limit(std::vector<float>{0, 0, 0, 1e-7f, 1e-7f, 2e-7f});
    REQUIRE(some);
    CHECK(some->seconds > 2e-7);
    CHECK(std::isfinite(some->seconds));
}

TEST_CASE("what is no duration has no limit")
{
    CHECK(!outlier_limit({}));
    for (const double bad : {not_a_number, infinity, -1.0})
        CHECK(!outlier_limit(std::vector<float>{1, static_cast<float>(bad)}));
}

TEST_CASE("a million operations are explained, and have their limit, in good time", "[million]")
{
    std::mt19937_64 random(7);
    std::lognormal_distribution<float> usual(std::log(1e-4f), 0.5f);
    std::vector<float> seconds(1'000'000);
    for (float& one : seconds) one = usual(random);
    const std::vector<TwoLines> models(12, {Line{1e-5, 1e-10}, Line{1e-5, 1e-10}});
    std::size_t found = 0;
    Predicted predicted(models.size());
    const auto explain_all = [&] {
        for (const float one : seconds) {
            for (std::size_t model = 0; model < models.size(); ++model)
                predicted[model] = models[model].at(1024);
            found += first_limit(predicted, static_cast<double>(one)).has_value();
            found += nearest_model(predicted, static_cast<double>(one)).has_value();
        }
    };
    CHECK(testing::seconds_of(explain_all) < testing::good_time);
    CHECK(found == 2 * seconds.size());
    std::uint64_t limited = 0;
    CHECK(testing::seconds_of([&] { limited = outlier_limit(seconds)->operations; }) < testing::good_time);
    CHECK(limited == seconds.size());
}
