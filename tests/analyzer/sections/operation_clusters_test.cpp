// Clusters of operations from a log's histograms: worked by hand, and what the report says of them.
#include <catch2/catch.hpp>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/job/class_sizes.h"
#include "analyzer/methods/duration_groups.h"
#include "analyzer/sections/sections.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

constexpr std::uint64_t micro = 1000, milli = 1'000'000;

// So many that take about as long: one per cent more, from one to the next of eleven.
void add(std::vector<std::uint64_t>& durations, std::size_t count, std::uint64_t about)
{
    for (std::size_t at = 0; at < count; ++at) durations.push_back(about + about * (at % 11) / 100);
}

std::string clusters_text(const Log& log)
{
    return section_text(operation_clusters(Job(log), {}));
}

// Writes of 1 MiB into one file, with their sizes on record.
void writes(Synthetic& made, const std::vector<std::uint64_t>& durations)
{
    made.operations(Layer::posix, Kind::write, SizeHistogram::class_of(mib), durations);
    auto& row = made.io<PosixRecord>(made.file("/out"), 0, {.bytes_written = durations.size() * mib});
    row.writes = durations.size();
    row.write_size = {};
    row.write_size.add(mib, durations.size());
    row.common_size.add(mib, durations.size());
}

}  // namespace

TEST_CASE("groups have the counts, the time and the medians of their bins")
{
    // 100 of about 1 µs, 50 of about 100 µs, one of 1 s: an outlier.
    const std::vector<HistogramBin> bins = {
        {1000, 1024, 100}, {100'000, 102'400, 50}, {999'000'000, 1'020'000'000, 1}};
    const std::uint64_t time = 100 * 1011 + 50 * 101'199 + 1'000'000'000;
    const auto groups = groups_of(bins, time, 1'000'000'000);
    REQUIRE(groups);
    REQUIRE(groups->clusters.size() == 2);
    CHECK(groups->clusters[0].operations == 100);
    CHECK(groups->clusters[0].median == Approx(1011e-9));
    CHECK(groups->clusters[0].mean() == Approx(1011e-9).epsilon(0.02));
    CHECK(groups->clusters[1].operations == 50);
    CHECK(groups->clusters[1].median == Approx(101'199e-9));
    CHECK(groups->outliers.operations == 1);
    CHECK(groups->outliers.median == 1);
    CHECK(groups->all.operations == 151);
    CHECK(groups->all.time == Approx(static_cast<double>(time) / 1e9));
    CHECK(groups->kept.operations == 150);
    CHECK(groups->usual.operations == 100);
    CHECK(groups->slow.operations == 51);
    CHECK(groups->quick.operations == 0);
    CHECK(groups->kept.time + groups->outliers.time == Approx(groups->all.time));
}

TEST_CASE("of one operation there is one group, of none there are none, and damaged bins do no harm")
{
    const auto one = groups_of(std::vector<HistogramBin>{{7, 8, 1}}, 7, 7);
    REQUIRE(one);
    CHECK(one->clusters.size() == 1);
    CHECK(one->all.median == Approx(7e-9));
    CHECK(one->outliers.operations == 0);
    CHECK(groups_of(std::vector<HistogramBin>{{0, 1, 5}}, 0, 0)->clusters[0].operations == 5);
    CHECK_FALSE(groups_of({}, 5, 5));
    CHECK_FALSE(groups_of(std::vector<HistogramBin>{{7, 8, 0}}, 7, 7));
    CHECK_FALSE(
        groups_of(std::vector<HistogramBin>{{100, 5000, 1}, {200, 210, 1}}, 300, 300));  // not in order
    const std::uint64_t most = ~std::uint64_t{0};
    CHECK(groups_of(std::vector<HistogramBin>{{5, 6, most}, {most - 1, most, most}}, most, most));
}

TEST_CASE("where few operations cost much of the time, a sentence says which and how much")
{
    Synthetic made;
    made.ranks(1);
    std::vector<std::uint64_t> durations;
    add(durations, 970, 100 * micro);
    add(durations, 30, 20 * milli);
    writes(made, durations);
    const std::string text = clusters_text(made.log);
    CHECK_THAT(
        text,
        Contains("POSIX: 3 % of the writes of 1 MiB (30 of 1,000) took 199 times as long as the others"));
    CHECK_THAT(text, Contains("86.0 % of the time of all"));
    CHECK_THAT(text, Contains("the size of each"));
    CHECK_THAT(text, !Contains("In no class"));
}

TEST_CASE("where most are slow, the sentence says what the quick ones took")
{
    Synthetic made;
    made.ranks(1);
    std::vector<std::uint64_t> durations;
    add(durations, 100, 10 * micro);
    add(durations, 900, 10 * milli);
    writes(made, durations);
    CHECK_THAT(clusters_text(made.log), Contains("10 % of the writes of 1 MiB (100 of 1,000) took only") &&
                                            Contains("999 times as long"));
}

TEST_CASE("operations that all took about as long are one group, and nothing is made of them")
{
    Synthetic made;
    made.ranks(1);
    std::vector<std::uint64_t> durations;
    add(durations, 1000, milli);
    writes(made, durations);
    const std::string text = clusters_text(made.log);
    CHECK_THAT(text, Contains("In no class of operations"));
    CHECK_THAT(text, Contains("952 MiB/s") || Contains("953 MiB/s"));
    CHECK_THAT(text, !Contains("1 of "));
}

TEST_CASE("a few operations are no distribution")
{
    Synthetic made;
    made.ranks(1);
    made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(49, milli));
    CHECK(operation_clusters(Job(made.log), {}).empty());
    made.operations(Layer::stdio, Kind::open, 0, std::vector<std::uint64_t>(50, milli));
    made.operations(Layer::posix, Kind::other, 0, std::vector<std::uint64_t>(99, milli));
    CHECK_THAT(clusters_text(made.log), Contains("stdio open") && !Contains("POSIX other"));
}

TEST_CASE("the size of a class is taken from bytes, else from the commonest sizes, else not known")
{
    Synthetic made;
    made.ranks(1);
    auto& row = made.io<PosixRecord>(made.file("/out"), 0, {});
    row.reads = 10;
    row.bytes_read = 10 * 3000;
    row.read_size.count[2] = 10;
    row.writes = 110;
    row.write_size.count[3] = 100;
    row.write_size.count[4] = 10;
    row.common_size.add(50'000, 95);
    row.common_size.add(60'000, 3);
    const OperationClass reads{0, 0, static_cast<std::uint64_t>(Kind::read), 2};
    const OperationClass writes_of{0, 0, static_cast<std::uint64_t>(Kind::write), 3};
    const OperationClass others{0, 0, static_cast<std::uint64_t>(Kind::write), 4};
    const ClassSizes sizes(made.log);
    REQUIRE(sizes.of(reads));
    CHECK(sizes.of(reads)->bytes == 3000);
    CHECK_FALSE(sizes.of(reads)->same);
    REQUIRE(sizes.of(writes_of));
    CHECK(sizes.of(writes_of)->bytes == Approx((95 * 50'000. + 3 * 60'000) / 98));
    CHECK_FALSE(sizes.of(others));
    CHECK_FALSE(sizes.of({0, 0, static_cast<std::uint64_t>(Kind::open), 0}));
    CHECK_FALSE(sizes.of({9, 0, 0, 0}));
    CHECK_FALSE(sizes.of({0, 0, 0, 77}));
}
