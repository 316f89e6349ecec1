// Density clusters: worked by hand, held against R, and the same from samples as from a log's histograms.
#include "analyzer/methods/density.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "logformat/duration_bins.h"
#include "tests/analyzer/methods/no_numbers.h"
#include "tests/analyzer/methods/reference.h"
#include "tests/stopwatch.h"

using namespace fathom;
using fathom::testing::infinity;
using testing::LargerSets;
using testing::SmallSets;

namespace {

std::vector<double> logs(const std::vector<double>& seconds)
{
    std::vector<double> all;
    for (const double one : seconds) all.push_back(std::log10(one));
    return all;
}

// Two thirds near 100 µs, the rest near 2 ms, five near 1 s.
std::vector<double> two_kinds(std::size_t n)
{
    std::mt19937_64 random(20261121);
    std::lognormal_distribution<double> fast(std::log(1e-4), 0.2), slow(std::log(2e-3), 0.2);
    std::vector<double> seconds;
    for (std::size_t at = 0; at + 5 < n; ++at) seconds.push_back(at % 3 == 0 ? slow(random) : fast(random));
    seconds.insert(seconds.end(), {0.9, 1.0, 1.0, 1.1, 1.2});
    return seconds;
}

// As a log keeps them: bins of nanoseconds, their middles for all in them.
std::vector<Weighted> binned(const std::vector<double>& seconds)
{
    std::map<std::size_t, double> histogram;
    for (const double one : seconds)
        ++histogram[bins::bin_of(static_cast<std::uint64_t>(one * 1e9)).number()];
    std::vector<Weighted> all;
    for (const auto& [number, count] : histogram)
        all.push_back({std::log10(static_cast<double>(bins::middle(number)) / 1e9), count});
    return all;
}

std::vector<double> sizes_of(const Clusters& clusters, const std::vector<double>& samples)
{
    std::vector<double> sizes(clusters.peaks.size() + 1);
    for (const double one : samples) ++sizes[clusters.of(one)];
    return sizes;
}

}  // namespace

TEST_CASE("the bandwidth is twice nrd0, with quartiles between the samples")
{
    // 1 2 3 4 10: sd = sqrt(50 / 4) = 3.5355, quartiles 2 and 4; 2 / 1.34 = 1.4925 is less.
    const auto density = density_of(std::vector<Weighted>{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {10, 1}});
    REQUIRE(density);
    CHECK(density->bandwidth == Approx(2 * 0.9 * (2 / 1.34) * std::pow(5, -0.2)));
    CHECK(density->at.size() == 512);
    CHECK(density->at.front() == Approx(1 - 3 * density->bandwidth));
    CHECK(density->at.back() == Approx(10 + 3 * density->bandwidth));
    CHECK(density_of(std::vector<Weighted>{{1, 1}, {10, 1}}, 7)->bandwidth == 7);
}

TEST_CASE("a weight is as many samples")
{
    const auto once = density_of(std::vector<Weighted>{{1, 3}, {2, 1}, {5, 4}, {7, 2}});
    std::vector<Weighted> each;
    for (const double value : {1., 1., 1., 2., 5., 5., 5., 5., 7., 7.}) each.push_back({value, 1});
    const auto apart = density_of(each);
    CHECK(once->bandwidth == Approx(apart->bandwidth));
    CHECK(once->samples == 10);
    for (std::size_t point = 0; point < 512; point += 37)
        CHECK(once->is[point] == Approx(apart->is[point]).margin(1e-9));
}

TEST_CASE("the density of one sample is the kernel, and it is one cluster")
{
    const auto clusters = clusters_of(std::vector<double>{-3});
    REQUIRE(clusters);
    CHECK(clusters->density.bandwidth == Approx(2 * 0.9 * 3));
    CHECK(clusters->density.highest() == Approx(1 / (5.4 * std::sqrt(2 * 3.14159265))).epsilon(1e-4));
    REQUIRE(clusters->peaks.size() == 1);
    CHECK(clusters->peaks[0] == Approx(-3).margin(0.04));
    CHECK(clusters->splits.empty());
    CHECK(clusters->of(-3) == 0);
    CHECK(clusters_of(std::vector<double>{0})->density.bandwidth == Approx(1.8));
}

TEST_CASE("samples that are all equal are one cluster")
{
    const auto clusters = clusters_of(std::vector<double>(1000, 0.1));
    REQUIRE(clusters);
    CHECK(clusters->density.bandwidth == Approx(2 * 0.9 * 0.1 * std::pow(1000, -0.2)));
    CHECK(clusters->peaks.size() == 1);
    CHECK(clusters->of(0.1) == 0);
    CHECK(clusters->of(0.1 + 3 * clusters->density.bandwidth) == 1);  // an outlier
    CHECK(clusters_of(std::vector<double>(1000, 0))->peaks.size() == 1);
}

TEST_CASE("where more than half are equal the bandwidth is of the standard deviation")
{
    const auto density = density_of(std::vector<Weighted>{{0, 8}, {1, 2}});
    CHECK(density->bandwidth == Approx(2 * 0.9 * std::sqrt(1.6 / 9) * std::pow(10, -0.2)));
}

TEST_CASE("there are no clusters of nothing, of what is no number, or of samples in no order")
{
    CHECK_FALSE(clusters_of(std::vector<double>{}));
    CHECK_FALSE(clusters_of(std::vector<double>{1, std::nan(""), 2}));
    CHECK_FALSE(clusters_of(std::vector<double>{1, infinity}));
    CHECK_FALSE(clusters_of(std::vector<Weighted>{{1, 0}}));
    CHECK_FALSE(clusters_of(std::vector<Weighted>{{1, -1}}));
    CHECK_FALSE(clusters_of(std::vector<Weighted>{{1, std::nan("")}}));
    CHECK_FALSE(clusters_of(std::vector<Weighted>{{2, 1}, {1, 1}}));
    for (const double none : {0.0, -1.0, infinity})
        CHECK_FALSE(clusters_of(std::vector<Weighted>{{1, 3}, {2, none}, {3, 2}}));
    CHECK_FALSE(clusters_of(std::vector<Weighted>{{std::nan(""), 1}, {1, 1}}, 0.5));
    CHECK_FALSE(clusters_of(std::vector<double>{-1e308, 1e308}));  // their distance is no number
}

TEST_CASE("a hill of less than a twentieth of the highest is none")
{
    std::vector<double> samples(1000, 0);
    for (std::size_t one = 0; one < samples.size(); ++one) samples[one] = static_cast<double>(one % 10) / 100;
    samples.insert(samples.end(), 10, 5.0);
    CHECK(clusters_of(samples)->peaks.size() == 1);
    CHECK(sizes_of(*clusters_of(samples), samples) == std::vector<double>{1000, 10});
    samples.insert(samples.end(), 200, 5.0);
    CHECK(clusters_of(samples)->peaks.size() == 2);
    CHECK(sizes_of(*clusters_of(samples), samples) == std::vector<double>{1000, 210, 0});
}

TEST_CASE("samples and histograms have the same clusters")
{
    const std::vector<double> seconds = two_kinds(20000);
    const double finest = 2 * std::log10(33.0 / 32);
    const auto raw = clusters_of(logs(seconds), finest);
    const auto weighted = clusters_of(binned(seconds), finest);
    REQUIRE(raw->peaks.size() == 2);
    REQUIRE(weighted->peaks.size() == 2);
    for (std::size_t cluster = 0; cluster < 2; ++cluster)
        CHECK(weighted->peaks[cluster] == Approx(raw->peaks[cluster]).margin(0.02));
    CHECK(weighted->splits[0] == Approx(raw->splits[0]).margin(0.1));
    CHECK(weighted->cutoff == Approx(raw->cutoff).margin(0.02));
    const std::vector<double> sizes = sizes_of(*raw, logs(seconds));
    std::vector<double> in_bins(3);
    for (const Weighted& bin : binned(seconds)) in_bins[weighted->of(bin.value)] += bin.weight;
    for (std::size_t cluster = 0; cluster < 3; ++cluster)
        CHECK(std::fabs(in_bins[cluster] - sizes[cluster]) <= 0.002 * 20000);
    CHECK(sizes[2] >= 5);
}

TEST_CASE("a histogram of many operations that took about as long is not taken apart bin by bin")
{
    std::mt19937_64 random(1);
    std::normal_distribution<double> narrow(1e-4, 3e-6);
    std::vector<double> seconds;
    for (std::size_t one = 0; one < 300000; ++one) seconds.push_back(narrow(random));
    CHECK(clusters_of(binned(seconds), 2 * std::log10(33.0 / 32))->peaks.size() == 1);
    CHECK(clusters_of(logs(seconds))->peaks.size() == 1);
}

TEST_CASE("clusters of a million samples are found in good time", "[million]")
{
    const std::vector<double> samples = logs(two_kinds(1'000'000));
    std::size_t peaks = 0;
    CHECK(testing::seconds_of([&] { peaks = clusters_of(samples)->peaks.size(); }) < testing::good_time);
    CHECK(peaks == 2);
}

TEMPLATE_TEST_CASE("density and clusters are those that R finds", "", SmallSets, LargerSets)
{
    for (const std::string& name : TestType::densities()) {
        const std::optional<testing::Reference> r = testing::reference<TestType>(name);
        if (!r) return;
        INFO(name);
        const auto& expected = r->expected;
        const std::vector<double> samples = logs(r->columns.at(0));
        const auto clusters = clusters_of(samples);
        REQUIRE(clusters);
        CHECK(clusters->density.bandwidth == Approx(expected.at("bw").get<double>()).epsilon(1e-9));
        const double highest = clusters->density.highest();
        double worst = 0;
        for (std::size_t point = 0; point < 512; ++point) {
            CHECK(clusters->density.at[point] == Approx(expected.at("grid_x").at(point).get<double>()));
            worst = std::max(worst, std::fabs(clusters->density.is[point] -
                                              expected.at("grid_y").at(point).get<double>()));
        }
        // R before 4.4 sums samples in bins that lie a little beside its grid, which costs it 1.3e-3.
        CHECK(worst < 2e-3 * highest);
        for (std::size_t point = 0; point < 512; point += 51) {
            double sum = 0;
            for (const double one : samples)
                sum += std::exp(
                    -std::pow((one - clusters->density.at[point]) / clusters->density.bandwidth, 2) / 2);
            sum /= static_cast<double>(samples.size()) * clusters->density.bandwidth * std::sqrt(2 * M_PI);
            CHECK(std::fabs(clusters->density.is[point] - sum) < 2e-4 * highest);
        }
        const double step = clusters->density.at[1] - clusters->density.at[0];
        const auto same_places = [&](const std::vector<double>& ours, const nlohmann::json& theirs) {
            REQUIRE(ours.size() == theirs.size());
            for (std::size_t one = 0; one < ours.size(); ++one)
                CHECK(std::fabs(ours[one] - theirs.at(one).get<double>()) <= 1.01 * step);
        };
        same_places(clusters->peaks, expected.at("cluster_maxima"));
        same_places(clusters->splits, expected.at("split_points"));
        CHECK(std::fabs(clusters->cutoff - expected.at("cutoff").get<double>()) <= 1.01 * step);
        std::vector<double> sizes = expected.at("cluster_sizes");
        sizes.push_back(expected.at("n_outliers"));
        const std::vector<double> ours = sizes_of(*clusters, samples);
        REQUIRE(ours.size() == sizes.size());
        for (std::size_t one = 0; one < sizes.size(); ++one)
            CHECK(std::fabs(ours[one] - sizes[one]) <= 0.001 * static_cast<double>(samples.size()));
    }
}
