// Slices become fewer and longer, and say the same in sum.
#include "logformat/slice_rows.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

constexpr std::uint64_t begin = shortest_slice_ns * 28'800'000'000;  // in 2027, a multiple of many lengths

Slice slice_at(std::uint64_t number, std::uint64_t layer = 0, std::uint64_t streams = 0)
{
    Slice slice;
    slice.layer = layer;
    slice.streams = streams;
    slice.start = begin + number * shortest_slice_ns;
    slice.length = shortest_slice_ns;
    slice.reads = number + 1;
    slice.bytes_read = 3 * number;
    slice.write_time = 7 + layer;
    return slice;
}

// The sum of each column that is one, for each process, layer and streams.
auto sums_of(std::span<const Slice> slices)
{
    std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t, std::string>, std::uint64_t> sums;
    const Columns columns = columns_of<Slice>();
    for (const Slice& slice : slices)
        for (const Column& column : columns.all())
            if (column.rule == Rule::sum)
                sums[{slice.process, slice.layer, slice.streams, std::string(column.label())}] +=
                    load<std::uint64_t>(&slice, column);
    return sums;
}

void check_aligned(std::span<const Slice> slices)
{
    for (const Slice& slice : slices) {
        CHECK(slice.start % slice.length == 0);
        CHECK(slice.length == slices.front().length);
    }
}

}  // namespace

TEST_CASE("time bins keep their sums and their alignment, however few they become")
{
    std::mt19937_64 random(1);
    std::vector<Slice> made;
    for (std::uint64_t number = 0; number < 3000; number += 1 + random() % 5)
        made.push_back(slice_at(number, random() % 3, random() % 2));
    std::shuffle(made.begin(), made.end(), random);
    for (const std::size_t most : {5000, 500, 50, 10}) {
        INFO("at most " << most);
        std::vector<Slice> slices = made;
        slices.resize(coarsen(slices, most));
        CHECK(slices.size() <= most);
        CHECK(sums_of(slices) == sums_of(made));
        check_aligned(slices);
        for (std::size_t at = 1; at < slices.size(); ++at)
            CHECK(std::tie(slices[at - 1].layer, slices[at - 1].streams, slices[at - 1].start) <
                  std::tie(slices[at].layer, slices[at].streams, slices[at].start));
    }
}

TEST_CASE("time bins get no longer than they must")
{
    std::vector<Slice> slices;
    for (std::uint64_t number = 0; number < 100; ++number) slices.push_back(slice_at(number));
    slices.resize(coarsen(slices, 50));
    REQUIRE(slices.size() == 50);
    CHECK(slices[0].length == 2 * shortest_slice_ns);
    CHECK(slices[1].start == begin + 2 * shortest_slice_ns);
    CHECK(slices[1].reads == 3 + 4);
    slices.resize(coarsen(slices, 49));
    REQUIRE(slices.size() == 25);
    CHECK(slices[24].length == 4 * shortest_slice_ns);
}

TEST_CASE("few time bins, one and none stay as they are")
{
    std::vector<Slice> slices = {slice_at(3), slice_at(900)};
    CHECK(coarsen(slices, 2) == 2);
    CHECK(sample::first_difference(slices[0], slice_at(3)).empty());
    CHECK(sample::first_difference(slices[1], slice_at(900)).empty());
    CHECK(coarsen(std::span(slices).first(1), 1) == 1);
    CHECK(sample::first_difference(slices[0], slice_at(3)).empty());
    CHECK(coarsen({}, 0) == 0);
}

TEST_CASE("time bins of different layers, streams and processes never become one")
{
    std::vector<Slice> slices;
    for (std::uint64_t layer = 0; layer < 3; ++layer)
        for (std::uint64_t streams = 0; streams < 2; ++streams)
            for (std::int64_t process = 0; process < 2; ++process)
                for (const std::uint64_t number : {0, 1, 1'000'000}) {
                    slices.push_back(slice_at(number, layer, streams));
                    slices.back().process = process;
                }
    const auto before = sums_of(slices);
    slices.resize(coarsen(slices, 1));  // more than there can be
    CHECK(slices.size() == 12);
    CHECK(sums_of(slices) == before);
    check_aligned(slices);
}

TEST_CASE("time bins of several lengths come to that of the longest")
{
    std::vector<Slice> slices = {slice_at(0), slice_at(1), slice_at(4), slice_at(5)};
    slices[2].length = 4 * shortest_slice_ns;
    const auto before = sums_of(slices);
    slices.resize(coarsen(slices, 100));
    REQUIRE(slices.size() == 2);
    CHECK(slices[0].length == 4 * shortest_slice_ns);
    CHECK(sums_of(slices) == before);
    check_aligned(slices);
}

TEST_CASE("time bins whose lengths are damaged do no harm")
{
    std::vector<Slice> slices = {slice_at(0), slice_at(1), slice_at(2)};
    slices[0].length = 0;
    slices[1].start = UINT64_MAX;
    slices[2].length = UINT64_MAX;
    CHECK(coarsen(slices, 1) >= 1);
}

TEST_CASE("each process of a job may keep its share of the time bins, and at least 32")
{
    CHECK(slice_rows_of_each(0) == most_slice_rows);
    CHECK(slice_rows_of_each(4) == most_slice_rows / 4);
    CHECK(slice_rows_of_each(1'000'000) == 32);
}
