// Whatever is written comes back, in every column of every table.
#include <algorithm>
#include <catch2/catch.hpp>
#include <zlib.h>

#include "tests/logformat/sample.h"

using namespace fathom;
using namespace fathom::sample;

namespace {

// Writes the rows, reads them back and compares them column by column. Names come back in the order of their
// paths.
template <class Row>
void check_round_trip(std::vector<Row> rows, std::string_view table)
{
    Log log;
    log.rows<Row>() = rows;
    if constexpr (std::is_same_v<Row, FileName>)
        std::sort(rows.begin(), rows.end(), [](const FileName& a, const FileName& b) {
            return a.path != b.path ? a.path < b.path : a.file < b.file;
        });
    const Log back = decode_log(encode(log), "memory");
    INFO("table " << table);
    CHECK(back.problems.empty());
    CHECK(back.not_recorded.empty());
    REQUIRE(back.rows<Row>().size() == rows.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const std::string difference = first_difference(rows[at], back.rows<Row>()[at]);
        if (!difference.empty()) FAIL("row " << at << " differs in " << difference);
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t most_unsigned = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t least_signed = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_signed = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("every column of every table comes back with its own value")
{
    each_row_type([](auto type, std::string_view name) {
        using Row = decltype(type);
        Log texts;
        std::vector<Row> rows;
        for (std::uint64_t number = 0; number < 5; ++number) rows.push_back(distinct_row<Row>(number, texts));
        check_round_trip(rows, name);
    });
}

TEST_CASE("a log without rows is whole")
{
    const Log back = decode_log(encode(Log{}), "memory");
    CHECK(back.problems.empty());
    each_row_type([&](auto type, std::string_view) { CHECK(back.rows<decltype(type)>().empty()); });
}

TEST_CASE("extremes survive: alone, side by side and repeated")
{
    const std::string long_text(100'000, 'x');
    const std::string with_zeros("a\0b\0", 4);
    const std::vector<Value> extremes = {
        {0, 0, 0.0, ""},
        {most_unsigned, least_signed, infinity, long_text},
        {1, -1, -infinity, with_zeros},
        {most_unsigned - 1, most_signed, std::numeric_limits<double>::quiet_NaN(), "\xff\xfe\x80 not UTF-8"},
        {std::uint64_t{1} << 63, 1, -0.0, "\n\t "},
        {0x7f, -64, std::numeric_limits<double>::denorm_min(), "ä"},
        {0x80, 64, std::numeric_limits<double>::max(), std::string_view("\0", 1)},
        {0, 0, std::bit_cast<double>(std::uint64_t{0xfff8000000000123}), ""},
    };
    each_row_type([&](auto type, std::string_view name) {
        using Row = decltype(type);
        const auto row_of = [](const Value& value) {
            Row row;
            const Columns columns = columns_of<Row>();
            for (const Column& column : columns.all()) set(&row, column, value);
            return row;
        };
        std::vector<Row> all;
        for (const Value& value : extremes) {
            all.push_back(row_of(value));
            check_round_trip<Row>({row_of(value)}, name);
            check_round_trip<Row>({row_of(value), row_of(value), row_of(value)}, name);
        }
        check_round_trip(all, name);
    });
}

TEST_CASE("70,000 rows fill several blocks and keep their order")
{
    each_row_type([](auto type, std::string_view name) {
        using Row = decltype(type);
        Log texts;
        const Row one = distinct_row<Row>(7, texts);
        const Columns columns = columns_of<Row>();
        std::vector<Row> rows(70'000, one);
        for (std::size_t at = 0; at < rows.size(); ++at)  // the first column, and another one in turn
            for (const std::size_t column : {std::size_t{0}, at % columns.count})
                if (columns.column[column].type != ScalarType::text)
                    store(&rows[at], columns.column[column],
                          static_cast<std::uint64_t>(at * 0x9e3779b97f4a7c15));
        check_round_trip(rows, name);
    });
}

TEST_CASE("texts too long for one block are spread over several")
{
    // No two of them begin alike.
    constexpr std::size_t length = 5u << 20, count = most_raw_bytes / length + 3;
    std::string letters;
    while (letters.size() < length + count) letters += static_cast<char>(letters.size() % 128);
    std::vector<FileName> names;
    for (std::size_t at = 0; at < count; ++at)
        names.push_back({at, 0, std::string_view(letters).substr(at, length)});
    check_round_trip(names, "names");
}

TEST_CASE("blocks of several writers may stand one behind the other")
{
    Log texts;
    Bytes first, second, last;
    Encoder one(first), two(second), end(last);
    one.begin();
    const std::vector rows = {distinct_row<PosixRecord>(1, texts), distinct_row<PosixRecord>(2, texts)};
    one.rows(std::span<const PosixRecord>(rows).first(1));
    two.rows(std::span<const PosixRecord>(rows).last(1));
    end.end(one.blocks() + two.blocks());

    Bytes all;
    for (const Bytes* part : {&first, &second, &last}) all.append(part->view());
    const Log back = decode_log(all.view(), "memory");
    CHECK(back.problems.empty());
    REQUIRE(back.rows<PosixRecord>().size() == 2);
    CHECK(first_difference(back.rows<PosixRecord>()[1], rows[1]).empty());
}

TEST_CASE("a log stays readable after others are appended and gone")
{
    Log all;
    for (int part = 0; part < 3; ++part) {
        const std::vector<std::byte> bytes = encode(small_log());
        all.append(decode_log(bytes, "memory"));
    }
    const Log expected = small_log();
    each_row_type([&](auto type, std::string_view name) {
        using Row = decltype(type);
        INFO("table " << name);
        REQUIRE(all.rows<Row>().size() == 3);
        for (const Row& row : all.rows<Row>()) CHECK(first_difference(row, expected.rows<Row>()[0]).empty());
    });
}

TEST_CASE("a fact is found by its name, the first where several share it")
{
    Log log;
    log.add_fact("command", "one");
    log.add_fact("command", "two");
    CHECK(log.fact("command") == "one");
    CHECK_FALSE(log.fact("Command").has_value());
}

TEST_CASE("the bytes of two bursts are those that docs/FORMAT.md shows")
{
    const Burst bursts[] = {{3, 100, 200}, {3, 99, 200}};
    Bytes block;
    Encoder encoder(block);
    encoder.rows(std::span<const Burst>(bursts));
    BlockHeader header;
    REQUIRE(read_block_header(block.view(), header));
    std::vector<unsigned char> raw(header.raw);
    uLongf size = raw.size();
    REQUIRE(uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(block.data() + block_header_bytes),
                       header.packed) == Z_OK);
    CHECK(raw == std::vector<unsigned char>{2, 3, 1, 6, 6, 2, 3, 1, 0x64, 0x63, 1, 2, 1, 0xc8});
}
