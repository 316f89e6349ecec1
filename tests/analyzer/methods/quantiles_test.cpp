// Quantiles of binned durations: worked by hand, and held against those of the durations themselves.
#include "analyzer/methods/quantiles.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "logformat/duration_bins.h"

using namespace fathom;

namespace {

std::vector<HistogramBin> binned(const std::vector<std::uint64_t>& durations)
{
    std::vector<HistogramBin> bins;
    std::vector<std::uint64_t> sorted = durations;
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint64_t duration : sorted) {
        const std::size_t number = bins::bin_of(duration).number();
        const std::uint64_t at_least = bins::at_least(number);
        if (bins.empty() || bins.back().at_least != at_least)
            bins.push_back({at_least, at_least + bins::width(number), 0});
        ++bins.back().operations;
    }
    return bins;
}

}  // namespace

TEST_CASE("a quantile is the middle of the bin of the ceil(p n)-th duration")
{
    // Ten durations: 4 in [100, 110), 5 in [200, 220), 1 in [1000, 1100).
    const std::vector<HistogramBin> bins = {{100, 110, 4}, {200, 220, 5}, {1000, 1100, 1}};
    CHECK(quantile(bins, 1080, 0) == 104);
    CHECK(quantile(bins, 1080, 1) == 104);
    CHECK(quantile(bins, 1080, 400) == 104);
    CHECK(quantile(bins, 1080, 401) == 209);
    CHECK(quantile(bins, 1080, 500) == 209);
    CHECK(quantile(bins, 1080, 900) == 209);
    CHECK(quantile(bins, 1080, 901) == 1080);  // the last one is known exactly
    CHECK(quantile(bins, 1080, 1000) == 1080);
    // The least is the first, though it stands alone.
    CHECK(quantile(std::vector<HistogramBin>{{100, 110, 1}, {200, 220, 5}}, 210, 0) == 104);
}

TEST_CASE("there is no quantile of nothing")
{
    CHECK_FALSE(quantile({}, 5, 500).has_value());
    CHECK_FALSE(quantile(std::vector<HistogramBin>{{1, 2, 0}}, 5, 500).has_value());
}

TEST_CASE("of one bin all quantiles but the last are its middle, and none is above the longest")
{
    const std::vector<HistogramBin> bins = {{1000, 1032, 1000}};
    CHECK(quantile(bins, 1030, 500) == 1015);
    CHECK(quantile(bins, 1003, 500) == 1003);
    CHECK(quantile(bins, 1003, 999) == 1003);
    CHECK(quantile(std::vector<HistogramBin>{{7, 8, 1}}, 7, 500) == 7);
    CHECK(quantile(std::vector<HistogramBin>{{9, 9, 2}}, 20, 500) == 9);  // a damaged bin
}

TEST_CASE("as many operations as 64 bits count do not overflow")
{
    const std::uint64_t many = ~std::uint64_t{0} / 2;
    const std::vector<HistogramBin> bins = {{100, 101, many}, {200, 201, many}};
    CHECK(quantile(bins, 200, 499) == 100);
    CHECK(quantile(bins, 200, 501) == 200);
}

TEST_CASE("quantiles from bins are within 1.6 % of those of the durations")
{
    std::mt19937_64 random(20261121);
    std::lognormal_distribution<double> spread(10, 2);
    std::vector<std::uint64_t> durations;
    for (int at = 0; at < 9999; ++at) durations.push_back(static_cast<std::uint64_t>(spread(random)));
    const std::vector<HistogramBin> bins = binned(durations);
    std::sort(durations.begin(), durations.end());
    for (const unsigned per_mille : {1U, 100U, 250U, 500U, 900U, 990U, 999U, 1000U}) {
        const auto place =
            static_cast<std::size_t>(std::ceil(static_cast<double>(durations.size()) * per_mille / 1000));
        const auto exact = static_cast<double>(durations[place - 1]);
        const auto value = quantile(bins, durations.back(), per_mille);
        REQUIRE(value.has_value());
        CHECK(std::fabs(static_cast<double>(*value) - exact) <= 0.016 * exact);
    }
}
