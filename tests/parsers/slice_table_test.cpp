// Slices of time that operations are shared out over, whatever times the operations have.
#include "parsers/shared/slice_table.h"

#include <catch2/catch.hpp>

using namespace fathom;

// Other tests of this folder have things of the same names.
namespace slice_tables {
namespace {

constexpr std::uint64_t s = 1'000'000'000, start = 1'700'000'000 * s;

struct Sums {
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0, time = 0;
};

Sums sums_of(const std::vector<Slice>& rows)
{
    Sums sums;
    for (const Slice& row : rows) {
        CHECK(row.length == rows.front().length);
        CHECK(row.start % row.length == 0);
        sums.reads += row.reads;
        sums.writes += row.writes;
        sums.bytes_read += row.bytes_read;
        sums.bytes_written += row.bytes_written;
        sums.time += row.read_time + row.write_time;
    }
    return sums;
}

}  // namespace

TEST_CASE("an operation counts where it began, and its bytes and time where they were")
{
    SliceTable table(4096);
    table.add_operation({3, 0, 0, SliceSums::writes}, start, start + shortest_slice_ns * 4, 1001);
    const auto rows = table.take_rows();
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].writes == 1);
    CHECK(rows[1].writes == 0);
    CHECK(rows[0].bytes_written == 250);
    CHECK(rows[3].bytes_written == 251);
    CHECK(rows[2].write_time == shortest_slice_ns);
    CHECK(rows[2].process == 3);
    CHECK(sums_of(rows).bytes_written == 1001);
}

TEST_CASE("an operation that took no time is in one time bin")
{
    SliceTable table(4096);
    table.add_operation({}, start, start, 7);
    const auto rows = table.take_rows();
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].reads == 1);
    CHECK(rows[0].bytes_read == 7);
}

TEST_CASE("time bins double where there would be too many, and nothing is lost")
{
    SliceTable table(64);
    for (std::uint64_t at = 0; at < 10'000; ++at)
        table.add_operation(
            {static_cast<std::int64_t>(at % 2), 0, 0, at % 3 == 0 ? SliceSums::writes : SliceSums::reads},
            start + at * s, start + at * s + s / 2, 4096);
    const auto rows = table.take_rows();
    CHECK(rows.size() <= 64);
    CHECK(rows.size() > 16);
    const Sums sums = sums_of(rows);
    CHECK(sums.reads + sums.writes == 10'000);
    CHECK(sums.bytes_read + sums.bytes_written == 4096 * 10'000);
    CHECK(sums.time == 10'000 * s / 2);
}

TEST_CASE("operations of years, side by side, take bounded time and keep their bytes")
{
    constexpr std::uint64_t year = 31'536'000 * s, operations = 20'000;
    SliceTable table(4096);
    for (std::uint64_t at = 0; at < operations; ++at)
        table.add_operation({0, 2, 0, SliceSums::writes}, start + at, start + at + 40 * year,
                            ~std::uint64_t{0} >> 20);
    const auto rows = table.take_rows();
    CHECK(rows.size() <= 64);  // so many steps an operation; with all 4,096 slices it would be a minute
    CHECK(sums_of(rows).bytes_written == operations * (~std::uint64_t{0} >> 20));
}

TEST_CASE("bytes that went at an even pace are no operations")
{
    SliceTable table(4096);
    table.at_least(s * 3 / 4);
    table.add_bytes({0, 1, 1, SliceSums::reads}, start + s / 2, start + s / 2 + s, 100);
    const auto rows = table.take_rows();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].length == s);
    CHECK(rows[0].streams == 1);
    CHECK(rows[0].reads == 0);
    CHECK(rows[0].read_time == 0);
    CHECK(rows[0].bytes_read == 50);
    CHECK(rows[1].bytes_read == 50);
}

}  // namespace slice_tables
