// Special functions, five distributions, distances and Q-Q points: by hand, by their definitions, and by R.
#include "analyzer/methods/distributions.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analyzer/methods/empirical.h"
#include "analyzer/methods/special_functions.h"
#include "tests/analyzer/methods/no_numbers.h"
#include "tests/analyzer/methods/reference.h"
#include "tests/stopwatch.h"

using namespace fathom;
using fathom::testing::infinity;
using fathom::testing::not_a_number;
using fathom::testing::reference;

namespace {

Approx close_to(double value)
{
    return Approx(value).epsilon(1e-11).margin(1e-300);
}

}  // namespace

TEST_CASE("digamma and trigamma have their known values")
{
    constexpr double euler = 0.57721566490153286;
    CHECK(digamma(1) == close_to(-euler));
    CHECK(digamma(0.5) == close_to(-euler - 2 * std::log(2)));
    CHECK(digamma(5) == close_to(-euler + 1 + 1. / 2 + 1. / 3 + 1. / 4));
    CHECK(digamma(1e6) == close_to(std::log(1e6) - 0.5e-6));
    CHECK(trigamma(1) == close_to(std::acos(-1) * std::acos(-1) / 6));
    CHECK(trigamma(0.5) == close_to(std::acos(-1) * std::acos(-1) / 2));
    CHECK(trigamma(3) == close_to(std::acos(-1) * std::acos(-1) / 6 - 1 - 1. / 4));
    for (const double none : {0., -1., not_a_number}) {
        CHECK(std::isnan(digamma(none)));
        CHECK(std::isnan(trigamma(none)));
    }
}

TEST_CASE("the incomplete gamma function has its closed forms on both sides of its shape")
{
    for (const double x : {1e-8, 0.1, 0.9, 1.5, 3., 20., 200.}) {
        INFO(x);
        CHECK(gamma_share(1, x) == close_to(-std::expm1(-x)));
        CHECK(gamma_share(0.5, x) == close_to(std::erf(std::sqrt(x))));
        CHECK(1 - gamma_share(3, x) == Approx(std::exp(-x) * (1 + x + x * x / 2)).margin(1e-12));
    }
    CHECK(gamma_share(2, 0) == 0);
    CHECK(gamma_share(2, -1) == 0);
    CHECK(gamma_share(2, infinity) == 1);
    CHECK(gamma_share(1e8, 1e8) == Approx(0.5).margin(1e-4));
    CHECK(std::isnan(gamma_share(0, 1)));
    CHECK(std::isnan(gamma_share(1, not_a_number)));
}

TEST_CASE("quantiles of the normal distribution give back their shares, far into both tails")
{
    CHECK(normal_quantile(0.975) == close_to(1.959963984540054));
    CHECK(normal_quantile(0.5) == Approx(0).margin(1e-15));
    for (const double p : {1e-300, 1e-20, 1e-3, 0.3}) {
        CHECK(normal_share(normal_quantile(p)) == Approx(p).epsilon(1e-9));
        CHECK(normal_quantile(1 - p) == -normal_quantile(1 - (1 - p)));
    }
    CHECK(normal_quantile(0) == -infinity);
    CHECK(normal_quantile(1) == infinity);
    CHECK(std::isnan(normal_quantile(-0.1)));
    CHECK(std::isnan(normal_quantile(not_a_number)));
}

TEST_CASE("quantile and share of each distribution undo each other")
{
    const Distribution all[] = {{Family::exponential, 2.5, 0}, {Family::gamma, 0.3, 2},
                                {Family::gamma, 40, 0.1},      {Family::weibull, 0.7, 3},
                                {Family::weibull, 5, 3},       {Family::lognormal, -4, 0.3},
                                {Family::normal, -2, 3}};
    for (const Distribution& one : all)
        for (const double p : {1e-6, 0.01, 0.5, 0.99, 1 - 1e-6}) {
            INFO(name_of(one.family) << " " << p);
            CHECK(one.share(one.quantile(p)) == Approx(p).epsilon(1e-9));
        }
    for (const Distribution& one : all) {
        CHECK(one.quantile(0) == (one.family == Family::normal ? -infinity : 0));
        CHECK(one.quantile(1) == infinity);
        CHECK(std::isnan(one.quantile(1.1)));
        CHECK(std::isnan(one.share(not_a_number)));
    }
}

TEST_CASE("the density of each distribution is the slope of its share")
{
    const Distribution all[] = {{Family::exponential, 2.5, 0},
                                {Family::gamma, 3, 2},
                                {Family::weibull, 1.7, 3},
                                {Family::lognormal, 0.4, 0.3},
                                {Family::normal, 1.2, 0.5}};
    for (const Distribution& one : all)
        for (const double x : {0.4, 1.1, 1.9}) {
            INFO(name_of(one.family) << " " << x);
            const double slope = (one.share(x + 1e-5) - one.share(x - 1e-5)) / 2e-5;
            CHECK(std::exp(one.log_density(x)) == Approx(slope).epsilon(1e-5));
        }
    CHECK(Distribution{Family::gamma, 3, 2}.log_density(-1) == -infinity);
}

TEST_CASE("estimates that have a closed form are those that one works out by hand")
{
    const std::vector<double> samples{1, 2, 3, 6};
    const auto exponential = fitted(Family::exponential, samples);
    CHECK(exponential->distribution.first == close_to(1. / 3));
    // sum(log(1/3) - x/3) = -4 log 3 - 4
    CHECK(exponential->log_likelihood == close_to(-4 * std::log(3) - 4));
    CHECK(exponential->akaike() == close_to(2 + 8 * std::log(3) + 8));
    const auto normal = fitted(Family::normal, samples);
    CHECK(normal->distribution.first == close_to(3));
    CHECK(normal->distribution.second == close_to(std::sqrt(14. / 4)));
    const auto lognormal = fitted(Family::lognormal, std::vector<double>{std::exp(1), std::exp(3)});
    CHECK(lognormal->distribution.first == close_to(2));
    CHECK(lognormal->distribution.second == close_to(1));
    CHECK(lognormal->akaike() == close_to(4 - 2 * lognormal->log_likelihood));
}

TEST_CASE("no other shape makes samples of a gamma or Weibull distribution likelier")
{
    std::mt19937_64 random(7);
    for (const double shape : {0.05, 0.6, 1., 8., 900.}) {
        std::vector<double> of_gamma, of_weibull;
        std::gamma_distribution<double> gamma(shape, 3);
        std::weibull_distribution<double> weibull(shape, 3);
        for (int one = 0; one < 2000; ++one) {
            of_gamma.push_back(std::max(gamma(random), 1e-200));
            of_weibull.push_back(weibull(random));
        }
        INFO(shape);
        for (const auto& [family, samples] :
             {std::pair(Family::gamma, of_gamma), std::pair(Family::weibull, of_weibull)}) {
            const auto best = fitted(family, samples);
            REQUIRE(best);
            CHECK(best->distribution.first == Approx(shape).epsilon(0.1));
            for (const double first : {0.999, 1.001})
                for (const double second : {0.999, 1.001}) {
                    const Distribution other{family, best->distribution.first * first,
                                             best->distribution.second * second};
                    double likelihood = 0;
                    for (const double x : samples) likelihood += other.log_density(x);
                    CHECK(likelihood < best->log_likelihood);
                }
        }
    }
}

TEST_CASE("what has no likeliest distribution has none")
{
    for (const Family family : families) {
        CHECK_FALSE(fitted(family, {}));
        CHECK_FALSE(fitted(family, std::vector<double>{3}));
        CHECK_FALSE(fitted(family, std::vector<double>(100, 3)));
        CHECK_FALSE(fitted(family, std::vector<double>{1, 2, not_a_number}));
        CHECK_FALSE(fitted(family, std::vector<double>{1, 2, infinity}));
        CHECK(fitted(family, std::vector<double>{0, 1, 2}).has_value() == (family == Family::normal));
        CHECK(fitted(family, std::vector<double>{-1, 1, 2}).has_value() == (family == Family::normal));
    }
}

TEST_CASE("distributions are fitted to a million samples in good time", "[million]")
{
    std::mt19937_64 random(3);
    std::gamma_distribution<double> gamma(2, 5);
    std::vector<double> samples;
    for (int one = 0; one < 1'000'000; ++one) samples.push_back(gamma(random));
    for (const Family family : families) {
        bool found = false;
        CHECK(testing::seconds_of([&] { found = fitted(family, samples).has_value(); }) < testing::good_time);
        CHECK(found);
    }
}

TEST_CASE("distances are the greatest differences of shares, on both sides of each step")
{
    const auto even = [](double x) { return std::clamp(x, 0.0, 1.0); };
    CHECK(distance_from(std::vector<double>{0.5}, even) == close_to(0.5));
    CHECK(distance_from(std::vector<double>{0.1, 0.2, 0.3}, even) == close_to(0.7));
    CHECK(distance_from(std::vector<double>{0.8, 0.9, 1.0}, even) == close_to(0.8));
    CHECK(distance_between(std::vector<double>{1, 2, 3, 4}, std::vector<double>{3, 4, 5, 6}) ==
          close_to(0.5));
    CHECK(distance_between(std::vector<double>{1, 1, 2}, std::vector<double>{1, 2, 1}) == 0);
    CHECK(distance_between(std::vector<double>{1}, std::vector<double>{2, 3}) == 1);
    CHECK(std::isnan(distance_between({}, std::vector<double>{1})));
    CHECK(std::isnan(distance_from({}, even)));
    CHECK(std::isnan(distance_from(std::vector<double>{0.1, not_a_number}, even)));
}

TEST_CASE("points of a Q-Q plot are quantiles at the middles of equal shares")
{
    const auto by_hand = quantile_pairs([](double p) { return 10 * p; }, std::vector<double>{4, 1, 3, 2});
    REQUIRE(by_hand.size() == 4);
    for (std::size_t at = 0; at < 4; ++at) {
        CHECK(by_hand[at].of_first == close_to(1.25 + 2.5 * static_cast<double>(at)));
        CHECK(by_hand[at].of_second == static_cast<double>(at + 1));
    }
    std::vector<double> thousand;
    for (int one = 0; one < 1000; ++one) thousand.push_back(one);
    const auto few = quantile_pairs([](double p) { return 1000 * p - 0.5; }, thousand, 10);
    REQUIRE(few.size() == 10);
    for (const QuantilePair& pair : few) CHECK(pair.of_first == Approx(pair.of_second));
    CHECK(quantile_pairs(thousand, thousand).size() == 512);
    CHECK(quantile_pairs([](double p) { return p; }, thousand).size() == 512);
    const auto same = quantile_pairs(thousand, thousand, 100);
    REQUIRE(same.size() == 100);
    for (const QuantilePair& pair : same) CHECK(pair.of_first == pair.of_second);
    CHECK(quantile_pairs(thousand, std::vector<double>{}).empty());
    CHECK(quantile_pairs(std::vector<double>{}, thousand).empty());
    CHECK(quantile_pairs(std::vector<double>{not_a_number}, thousand).empty());
}

TEST_CASE("waiting times are fitted as R fits them")
{
    const testing::Reference r = reference("waiting-times");
    const std::vector<double>& samples = r.columns.at(0);
    const char* const names[] = {"exponential_rate", "gamma", "weibull", "lognormal", "normal"};
    for (std::size_t at = 0; at < families.size(); ++at) {
        INFO(names[at]);
        const auto one = fitted(families[at], samples);
        REQUIRE(one);
        const auto& expected = r.expected.at(names[at]);
        const double first = expected.is_array() ? expected.at(0).get<double>() : expected.get<double>();
        CHECK(one->distribution.first == Approx(first).epsilon(1e-5));
        if (expected.is_array())
            CHECK(one->distribution.second == Approx(expected.at(1).get<double>()).epsilon(1e-5));
        CHECK(one->log_likelihood ==
              Approx(r.expected.at("log_likelihood").at(at).get<double>()).epsilon(1e-9));
        CHECK(one->distance == Approx(r.expected.at("ks_statistic").at(at).get<double>()).epsilon(1e-5));
    }
}
