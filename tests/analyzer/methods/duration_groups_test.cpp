// Groups of durations that are known one by one: worked by hand, at the edges, and beside those of a
// histogram.
#include "analyzer/methods/duration_groups.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "logformat/duration_bins.h"
#include "tests/analyzer/methods/reference.h"
#include "tests/stopwatch.h"

using namespace fathom;
using testing::LargerSets;
using testing::SmallSets;

namespace {

// So many from about so long on, each a hundredth of that longer than the one before, ten in a turn.
void add(std::vector<double>& durations, std::size_t count, double about)
{
    for (std::size_t at = 0; at < count; ++at)
        durations.push_back(about * (1 + static_cast<double>(at % 10) / 100));
}

struct Histogram {
    std::vector<HistogramBin> bins;
    std::uint64_t time = 0, longest = 0;
};

Histogram histogram_of(const std::vector<double>& seconds)
{
    Histogram all;
    std::map<std::size_t, std::uint64_t> counts;
    for (const double one : seconds) {
        const auto duration = static_cast<std::uint64_t>(one * 1e9);
        ++counts[bins::bin_of(duration).number()];
        all.time += duration;
        all.longest = std::max(all.longest, duration);
    }
    for (const auto& [number, count] : counts)
        all.bins.push_back({bins::at_least(number), bins::at_least(number) + bins::width(number), count});
    return all;
}

void check_same(const DurationGroups& raw, const DurationGroups& from_bins)
{
    REQUIRE(from_bins.clusters.size() == raw.clusters.size());
    // A bin is 3.1 % wide, which is 0.0135 powers of ten; the grid's step comes on top of it.
    const double near = 0.0135 + 2 * (raw.found.density.at[1] - raw.found.density.at[0]);
    for (std::size_t one = 0; one < raw.clusters.size(); ++one) {
        CHECK(from_bins.found.peaks[one] == Approx(raw.found.peaks[one]).margin(near));
        CHECK(from_bins.clusters[one].time == Approx(raw.clusters[one].time).epsilon(0.05));
        CHECK(from_bins.clusters[one].median == Approx(raw.clusters[one].median).epsilon(0.032));
    }
    CHECK(from_bins.all.operations == raw.all.operations);
    CHECK(from_bins.all.time == Approx(raw.all.time).epsilon(0.001));
}

}  // namespace

TEST_CASE("groups of durations have their exact counts, times and medians")
{
    // 100 µs to 109 µs, ten of each; 10 ms to 10.9 ms, six of each; one second: an outlier.
    std::vector<double> durations;
    add(durations, 100, 100e-6);
    add(durations, 60, 10e-3);
    durations.push_back(1);
    std::shuffle(durations.begin(), durations.end(), std::mt19937_64(8));
    const auto groups = groups_of(durations);
    REQUIRE(groups);
    REQUIRE(groups->clusters.size() == 2);
    CHECK(groups->clusters[0].operations == 100);
    CHECK(groups->clusters[0].time == Approx(10 * 1045e-6));
    CHECK(groups->clusters[0].mean() == Approx(104.5e-6));
    CHECK(groups->clusters[0].median == Approx(104e-6));  // the 50th of 100
    CHECK(groups->clusters[1].operations == 60);
    CHECK(groups->clusters[1].median == Approx(10.4e-3));
    CHECK(groups->outliers.operations == 1);
    CHECK(groups->outliers.median == 1);
    CHECK(groups->kept.operations == 160);
    CHECK(groups->kept.time + groups->outliers.time == Approx(groups->all.time));
    CHECK(groups->usual.operations == 100);
    CHECK(groups->slow.operations == 61);
    CHECK(std::pow(10, groups->found.peaks[0]) == Approx(104.5e-6).epsilon(0.05));
    CHECK(std::pow(10, groups->found.splits[0]) > 109e-6);
    CHECK(std::pow(10, groups->found.splits[0]) < 10e-3);
    check_same(*groups, *groups_of(histogram_of(durations).bins, histogram_of(durations).time,
                                   histogram_of(durations).longest));
}

TEST_CASE("durations that are all equal, and a single one, are one group without outliers")
{
    for (const std::vector<double>& durations :
         {std::vector<double>(1000, 3e-4), std::vector<double>{0.5}, std::vector<double>{1}}) {
        const auto groups = groups_of(durations);
        REQUIRE(groups);
        CHECK(groups->clusters.size() == 1);
        CHECK(groups->clusters[0].operations == durations.size());
        CHECK(groups->clusters[0].median == durations[0]);
        CHECK(groups->outliers.operations == 0);
    }
}

TEST_CASE("a duration of zero counts as a nanosecond in the shape, and as zero in the sums")
{
    CHECK(log_of_duration(0) == -9);
    const auto zeros = groups_of(std::vector<double>(100, 0));
    REQUIRE(zeros);
    CHECK(zeros->clusters.size() == 1);
    CHECK(zeros->all.time == 0);
    std::vector<double> durations(100, 0);
    add(durations, 100, 1e-3);
    const auto groups = groups_of(durations);
    REQUIRE(groups->clusters.size() == 2);
    CHECK(groups->clusters[0].operations == 100);
    CHECK(groups->clusters[0].time == 0);
}

TEST_CASE("there are no groups of nothing, of what is no number, or of negative durations")
{
    CHECK_FALSE(groups_of(std::vector<double>{}));
    CHECK_FALSE(groups_of(std::vector<double>{1e-3, std::nan("")}));
    CHECK_FALSE(groups_of(std::vector<double>{1e-3, INFINITY}));
    CHECK_FALSE(groups_of(std::vector<double>{1e-3, -1e-3}));
}

TEST_CASE("ticks of a clock are not taken for clusters, nor are the steps of a trace's scale")
{
    // Around 40 ns, in whole ns: five values, 2.5 % apart, a fiftieth of a bandwidth without the rule.
    std::mt19937_64 random(5);
    std::normal_distribution<double> narrow(40, 1);
    std::vector<double> ticks, steps;
    for (std::size_t one = 0; one < 200'000; ++one) {
        const double duration = narrow(random);
        ticks.push_back(std::round(duration) * 1e-9);
        steps.push_back(static_cast<double>(bins::middle(
                            bins::bin_of(static_cast<std::uint64_t>(duration * 2500)).number())) *
                        1e-9);
    }
    CHECK(groups_of(ticks)->clusters.size() == 1);
    CHECK(groups_of(steps, 1.0 / 32)->clusters.size() == 1);
}

TEMPLATE_TEST_CASE("the reference has the same clusters from durations and from a histogram", "", SmallSets,
                   LargerSets)
{
    for (const std::string& name : TestType::densities()) {
        const std::optional<testing::Reference> r = testing::reference<TestType>(name);
        if (!r) return;
        INFO(name);
        const std::vector<double>& seconds = r->columns.at(0);
        const Histogram histogram = histogram_of(seconds);
        const auto raw = groups_of(seconds),
                   from_bins = groups_of(histogram.bins, histogram.time, histogram.longest);
        REQUIRE(raw);
        REQUIRE(from_bins);
        check_same(*raw, *from_bins);
        for (std::size_t one = 0; one < raw->found.splits.size(); ++one)
            CHECK(from_bins->found.splits[one] == Approx(raw->found.splits[one]).margin(0.06));
        CHECK(from_bins->found.cutoff == Approx(raw->found.cutoff).margin(0.06));
    }
}

TEST_CASE("a million durations are grouped in good time", "[million]")
{
    std::mt19937_64 random(9);
    std::lognormal_distribution<double> fast(std::log(1e-4), 0.2), slow(std::log(2e-3), 0.2);
    std::vector<double> durations;
    for (std::size_t at = 0; at < 1'000'000; ++at)
        durations.push_back(at % 3 == 0 ? slow(random) : fast(random));
    std::size_t clusters = 0;
    CHECK(testing::seconds_of([&] { clusters = groups_of(durations)->clusters.size(); }) <
          testing::good_time);
    CHECK(clusters == 2);
}

TEST_CASE("the mean of no operations is 0, and of one it is its time")
{
    CHECK(DurationGroup{}.mean() == 0);
    CHECK(DurationGroup{1, 5, 5}.mean() == 5);
}

TEST_CASE("of two groups with as many operations the quicker one is the usual")
{
    std::vector<double> durations;
    add(durations, 100, 100e-6);
    add(durations, 100, 10e-3);
    const auto groups = groups_of(durations);
    REQUIRE(groups);
    REQUIRE(groups->clusters.size() == 2);
    CHECK(groups->quick.operations == 0);
    CHECK(groups->usual.operations == 100);
    CHECK(groups->slow.operations == 100);
}

TEST_CASE("what is quicker than the usual group is apart from it")
{
    std::vector<double> durations;
    add(durations, 50, 100e-6);
    add(durations, 300, 10e-3);
    add(durations, 30, 1);
    const auto groups = groups_of(durations);
    REQUIRE(groups);
    REQUIRE(groups->clusters.size() == 3);
    CHECK(groups->quick.operations == 50);
    CHECK(groups->usual.operations == 350);
    CHECK(groups->slow.operations == 30);
    CHECK(groups->quick.time == Approx(5 * 1045e-6));
}
