// Records that are packed are the same as rows.
#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>

#include "analyzer/job/files.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

// More than one shape of them in each layer: some with a number of its own in every column, most with few.
Log some_records()
{
    Log log;
    const auto add = [&]<class Row>(Row) {
        for (std::uint64_t at = 0; at < 9000; ++at) {
            Row row;
            if (at >= 4000 && at < 4200) row = sample::distinct_row<Row>(at, log);
            row.file = 1 + at * 0x9e3779b97f4a7c15;
            row.process = at % 3 == 0 ? reduced : static_cast<std::int64_t>(at % 300);
            row.opens = 1;
            row.bytes_written = at * at;
            row.first_open = 1'800'000'000'000'000'000 + at;
            row.time.squares = at % 7 == 0 ? 0.25 * static_cast<double>(at) : 0;
            log.rows<Row>().push_back(row);
        }
    };
    add(PosixRecord{});
    add(StdioRecord{});
    add(MpiioRecord{});
    return log;
}

template <class Value>
bool same(const Value& a, const Value& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_numbers(const RecordView& packed, const RecordView& row)
{
    bool all = packed.file == row.file && packed.process == row.process && packed.layer == row.layer &&
               packed.bytes() == row.bytes() && packed.time() == row.time() &&
               packed[&Transfers::slowest_write].size == row[&Transfers::slowest_write].size &&
               same(packed.as<Transfers>(), row.as<Transfers>()) &&
               same(packed.as<Sharing>(), row.as<Sharing>());
    if (row.has_pattern()) all = all && same(packed.as<Pattern>(), row.as<Pattern>());
    with_counters(row, [&]<class Counters>(const Counters& counters) {
        all = all && same(packed.as<Counters>(), counters);
    });
    return all;
}

}  // namespace

TEST_CASE("packed records: every number is that of the row")
{
    const std::vector<std::byte> bytes = sample::encode(some_records());
    const Log rows = decode_log(bytes, "memory"), packed = decode_log(bytes, "memory", {}, {.from = 9000});
    CHECK(packed.problems.empty());
    CHECK(count_records(packed) == 27'000);
    CHECK(packed.packed<PosixRecord>().size() == 9000);
    const std::vector<RecordView> views = records_of(packed), expected = records_of(rows);
    REQUIRE(views.size() == expected.size());
    std::size_t differ = 0;
    for (std::size_t at = 0; at < views.size(); ++at) differ += !same_numbers(views[at], expected[at]);
    CHECK(differ == 0);
    // What the view of a row says is what the row has.
    const MpiioRecord& last = rows.rows<MpiioRecord>().back();
    CHECK(views.back()[&MpiioRecord::bytes_written] == last.bytes_written);
    CHECK(views.back()[&MpiioRecord::time].squares == last.time.squares);
}

TEST_CASE("packed records: few are rows, and who asks a log of many for rows is told")
{
    const std::vector<std::byte> bytes = sample::encode(some_records());
    const Log few = decode_log(bytes, "memory", {}, {.from = 9001});
    CHECK(few.rows<PosixRecord>().size() == 9000);
    CHECK(few.packed<PosixRecord>().empty());
    const Log many = decode_log(bytes, "memory", {}, {.from = 1});
    CHECK_THROWS_AS(many.rows<StdioRecord>(), std::logic_error);
}

TEST_CASE("packed records: logs of several come together")
{
    const std::vector<std::byte> bytes = sample::encode(some_records());
    Log both = decode_log(bytes, "memory", {}, {.from = 1});
    both.append(decode_log(bytes, "memory", {}, {.from = 1}));
    CHECK(both.records<StdioRecord>() == 18'000);
    CHECK(records_of(both).size() == 54'000);
}

TEST_CASE("packed records: columns that an older log lacks are as in a new row")
{
    PackedRows packed;
    std::vector<NumbersOfColumn> columns(3);
    columns[0].rows = {5, 7, 6};
    columns[1].same = static_cast<std::uint64_t>(-1);
    columns[2].rows = {0, ~std::uint64_t{0}, 1};
    packed.add(columns, 3);
    std::vector<std::uint64_t> seen;
    packed.each([&](const RowShape& shape, const std::byte* row) {
        for (std::size_t at = 0; at < 4; ++at) seen.push_back(shape.number(row, at));
    });
    constexpr std::uint64_t all = ~std::uint64_t{0};
    CHECK(seen == std::vector<std::uint64_t>{5, all, 0, 0, 7, all, all, 0, 6, all, 1, 0});
}
