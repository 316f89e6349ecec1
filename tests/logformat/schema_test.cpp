// Logs of other versions of ours: readers bind columns by name, and say what is not there.
#include <catch2/catch.hpp>

#include "tests/logformat/craft.h"
#include "tests/logformat/sample.h"

using namespace fathom;

TEST_CASE("a counter that we do not know is passed over")
{
    Bytes schema, rows;
    schema.append_varint(1);
    craft::append_table(schema, "bursts",
                        {{"process", ScalarType::i64},
                         {"colour", ScalarType::u64},
                         {"mood", ScalarType::text},
                         {"start", ScalarType::u64},
                         {"weight", ScalarType::f64},
                         {"end", ScalarType::u64}});
    craft::append_numbers(rows, Encoding::values, {zigzag(3), zigzag(-4)});
    craft::append_numbers(rows, Encoding::values, {77, 78});
    Bytes moods;
    for (const unsigned length : {3u, 2u}) moods.append_varint(length);
    moods.append("sadso");
    craft::append_column(rows, Encoding::values, moods);
    craft::append_numbers(rows, Encoding::values, {zigzag(100), zigzag(-1)}, as_differences);
    craft::append_column(rows, Encoding::zeros, Bytes{});
    craft::append_numbers(rows, Encoding::constant, {200});
    craft::File file;
    file.schema(schema);
    file.table(0, 2, rows);
    file.end();

    const Log log = decode_log(file.bytes(), "memory");
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Burst>().size() == 2);
    CHECK(log.rows<Burst>()[0].process == 3);
    CHECK(log.rows<Burst>()[1].process == -4);
    CHECK(log.rows<Burst>()[0].start == 100);
    CHECK(log.rows<Burst>()[1].start == 99);
    CHECK(log.rows<Burst>()[1].end == 200);
    CHECK_FALSE(log.not_recorded.contains("bursts.end"));
}

TEST_CASE("a counter that the log lacks is not recorded, rather than zero")
{
    Bytes schema, rows;
    schema.append_varint(1);
    craft::append_table(schema, "bursts", {{"process", ScalarType::i64}, {"start", ScalarType::u64}});
    craft::append_numbers(rows, Encoding::values, {zigzag(3)});
    craft::append_numbers(rows, Encoding::values, {100});
    craft::File file;
    file.schema(schema);
    file.table(0, 1, rows);
    file.end();

    const Log log = decode_log(file.bytes(), "memory");
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Burst>().size() == 1);
    CHECK(log.rows<Burst>()[0].end == 0);
    CHECK(log.not_recorded.contains("bursts.end"));
    CHECK_FALSE(log.not_recorded.contains("bursts.start"));
    CHECK(log.not_recorded.contains("posix.reads"));  // the whole table is missing
}

TEST_CASE("a counter of another type is not ours")
{
    Bytes schema, rows;
    schema.append_varint(1);
    craft::append_table(schema, "bursts", {{"process", ScalarType::i64}, {"start", ScalarType::f64}});
    craft::append_numbers(rows, Encoding::values, {zigzag(3)});
    Bytes start;
    start.append_f64(1.5);
    craft::append_column(rows, Encoding::values, start);
    craft::File file;
    file.schema(schema);
    file.table(0, 1, rows);
    file.end();

    const Log log = decode_log(file.bytes(), "memory");
    REQUIRE(log.rows<Burst>().size() == 1);
    CHECK(log.rows<Burst>()[0].start == 0);
    CHECK(log.not_recorded.contains("bursts.start"));
}

TEST_CASE("a table that we do not know is passed over, whatever its number")
{
    Bytes schema, strange, rows;
    schema.append_varint(2);
    craft::append_table(schema, "sea creatures", {{"arms", ScalarType::u64}});
    craft::append_table(schema, "bursts", {{"process", ScalarType::i64}});
    craft::append_numbers(strange, Encoding::values, {8, 8, 10});
    craft::append_numbers(rows, Encoding::values, {zigzag(5)});
    craft::File file;
    file.schema(schema);
    file.table(0, 3, strange);
    file.table(1, 1, rows);
    file.end();

    const Log log = decode_log(file.bytes(), "memory");
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Burst>().size() == 1);
    CHECK(log.rows<Burst>()[0].process == 5);
}

TEST_CASE("a block of a kind that we do not know is passed over, even when it is not compressed")
{
    craft::File file;
    file.our_schema();
    const std::string_view text = "not a zlib stream";
    file.block({static_cast<BlockKind>(9), 0, 1, text.size(), 0, 0}, std::as_bytes(std::span(text)));
    file.end();
    CHECK(decode_log(file.bytes(), "memory").problems.empty());
}

TEST_CASE("a log of another format version names itself as such")
{
    craft::File file(0, format_version + 1);
    file.our_schema();
    file.end();
    CHECK_THROWS_WITH(decode_log(file.bytes(), "new.fathom"),
                      Catch::Contains("new.fathom") && Catch::Contains("another version"));
}

TEST_CASE("our own schema stands in for a lost one when the header names it")
{
    std::vector<std::byte> bytes = sample::encode(sample::small_log());
    bytes[file_header_bytes + block_header_bytes + 5] ^= std::byte{1};  // inside the schema block
    const Log log = decode_log(bytes, "memory");
    CHECK(log.problems.size() == 1);
    REQUIRE(log.rows<PosixRecord>().size() == 1);
    CHECK(sample::first_difference(log.rows<PosixRecord>()[0], sample::small_log().rows<PosixRecord>()[0])
              .empty());

    std::byte* hash = bytes.data() + 16;
    put(hash, schema_hash() + 1);
    std::byte* sum = bytes.data() + 24;
    put(sum, checksum_of(std::span(bytes).first(24)));
    CHECK_THROWS_WITH(decode_log(bytes, "memory"), Catch::Contains("no readable schema"));
}

TEST_CASE("a log lacks columns that there are, whatever a fact of it says")
{
    Log log;
    for (const char* const column :
         {"posix.reads", "posix.reads\x1b]0;x", "posix", "nothing.at_all", "posix."})
        log.add_fact(missing_column_fact, column);
    Bytes bytes;
    Encoder encoder(bytes);
    encode_log(log, encoder);
    CHECK(decode_log(bytes.view(), "memory").not_recorded == ColumnSet{"posix.reads"});
}

TEST_CASE("what two appended logs lack between them is not recorded")
{
    Log one, other;
    one.not_recorded = {"posix.reads"};
    other.not_recorded = {"posix.writes"};
    one.append(std::move(other));
    CHECK(one.not_recorded == ColumnSet{"posix.reads", "posix.writes"});
}
