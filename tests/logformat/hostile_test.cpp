// Blocks with valid checksums that lie about what they hold.
#include <catch2/catch.hpp>
#include <functional>
#include <sys/resource.h>

#include "tests/logformat/craft.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

constexpr std::uint16_t burst_table = table_number<Burst>();
constexpr std::uint64_t greatest = UINT64_MAX;

// A file of our schema, whatever `hostile` adds, and an end.
Log read_with(const std::function<void(craft::File&)>& hostile)
{
    craft::File file;
    file.our_schema();
    hostile(file);
    file.end();
    return decode_log(file.bytes(), "memory");
}

// One column of bursts by hand, the two others zeros.
Bytes& with_first_column(Bytes& raw, Encoding encoding, const Bytes& values)
{
    craft::append_column(raw, encoding, values);
    for (int column = 0; column < 2; ++column) craft::append_column(raw, Encoding::zeros, Bytes{});
    return raw;
}

std::uint64_t peak_kib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("a block that lies about its sizes is left out")
{
    Bytes one;
    craft::append_numbers(one, Encoding::values, {zigzag(1)});
    craft::append_numbers(one, Encoding::values, {1});
    craft::append_numbers(one, Encoding::values, {1});
    const std::vector<std::byte> packed = craft::compressed(one.view());
    const std::uint64_t raw = one.size(), size = packed.size();

    const struct {
        const char* what;
        BlockHeader header;
    } cases[] = {
        {"rows", {BlockKind::table, burst_table, greatest, raw, size, 0}},
        {"rows just beyond the limit", {BlockKind::table, burst_table, most_rows + 1, raw, size, 0}},
        {"more rows than bytes", {BlockKind::table, burst_table, raw + 1, raw, size, 0}},
        {"more rows than values", {BlockKind::table, burst_table, 2, raw, size, 0}},
        {"no rows", {BlockKind::table, burst_table, 0, raw, size, 0}},
        {"raw bytes", {BlockKind::table, burst_table, 1, greatest, size, 0}},
        {"raw bytes, one too many", {BlockKind::table, burst_table, 1, raw + 1, size, 0}},
        {"raw bytes, one too few", {BlockKind::table, burst_table, 1, raw - 1, size, 0}},
        {"packed bytes", {BlockKind::table, burst_table, 1, raw, greatest, 0}},
        {"packed bytes, one too many", {BlockKind::table, burst_table, 1, raw, size + 1, 0}},
        {"packed bytes, one too few", {BlockKind::table, burst_table, 1, raw, size - 1, 0}},
        {"a table that the schema lacks", {BlockKind::table, 999, 1, raw, size, 0}},
        {"a schema that is none", {BlockKind::schema, 0, 1, raw, size, 0}},
    };
    for (const auto& one_case : cases) {
        INFO(one_case.what);
        BlockHeader header = one_case.header;
        header.checksum = checksum_of(packed);
        const Log log = read_with([&](craft::File& file) { file.lying_block(header, packed); });
        CHECK_FALSE(log.problems.empty());
        CHECK(log.rows<Burst>().empty());
    }
    CHECK(read_with([&](craft::File& file) { file.table(burst_table, 1, one); }).problems.empty());
}

TEST_CASE("a column that does not fit what it claims is left out")
{
    const struct {
        const char* what;
        Encoding encoding;
        std::vector<std::uint8_t> bytes;
    } cases[] = {
        {"an unknown encoding", static_cast<Encoding>(5), {1, 1, 1}},
        {"zeros with values", Encoding::zeros, {1, 1, 1}},
        {"too few values", Encoding::values, {1, 1}},
        {"too many values", Encoding::values, {1, 1, 1, 1}},
        {"a plane too few", Encoding::values, {3, 1, 1}},
        {"a plane too many", Encoding::values, {1, 1, 1, 1, 1}},
        {"no planes, not even which", Encoding::values, {}},
        {"two constants", Encoding::constant, {1, 1, 1}},
        {"no constant", Encoding::constant, {}},
        {"numbers with shared beginnings", Encoding::shared, {1, 1, 1}},
        {"ids of a signed column", Encoding::ids, {1, 1, 1}},
    };
    for (const auto& one : cases) {
        INFO(one.what);
        Bytes values, raw;
        for (const std::uint8_t byte : one.bytes) values.append_byte(byte);
        const Log log = read_with([&](craft::File& file) {
            file.table(burst_table, 2, with_first_column(raw, one.encoding, values));
        });
        CHECK_FALSE(log.problems.empty());
        CHECK(log.rows<Burst>().empty());
    }
}

TEST_CASE("a text that claims to be longer than its block is left out")
{
    for (const std::uint64_t length : {std::uint64_t{6}, std::uint64_t{1} << 32, greatest}) {
        Bytes values, raw;
        values.append_varint(length);
        values.append("short");
        craft::append_column(raw, Encoding::values, values);
        for (int column = 0; column < 2; ++column) craft::append_column(raw, Encoding::zeros, Bytes{});
        const Log log = read_with([&](craft::File& file) { file.table(table_number<Mount>(), 1, raw); });
        CHECK_FALSE(log.problems.empty());
        CHECK(log.rows<Mount>().empty());
    }
}

TEST_CASE("a schema that claims more tables or columns than it has is damaged")
{
    for (const std::uint64_t claim : {std::uint64_t{2}, greatest}) {
        Bytes tables, columns;
        tables.append_varint(claim);
        craft::append_table(tables, "bursts", {{"process", ScalarType::i64}});
        columns.append_varint(1);
        craft::append_text(columns, "bursts");
        craft::append_text(columns, "");
        columns.append_varint(claim);
        craft::append_text(columns, "process");
        for (const Bytes* schema : {&tables, &columns}) {
            craft::File file;
            file.schema(*schema);
            file.end();
            CHECK_THROWS_WITH(decode_log(file.bytes(), "memory"), Catch::Contains("no readable schema"));
        }
    }
}

TEST_CASE("a column that the schema names twice does no harm")
{
    Bytes schema, rows;
    schema.append_varint(1);
    craft::append_table(schema, "bursts", {{"process", ScalarType::i64}, {"process", ScalarType::i64}});
    craft::append_numbers(rows, Encoding::values, {zigzag(3)});
    craft::append_numbers(rows, Encoding::values, {zigzag(4)});
    craft::File file;
    file.schema(schema);
    file.table(0, 1, rows);
    file.end();
    const Log log = decode_log(file.bytes(), "memory");
    REQUIRE(log.rows<Burst>().size() == 1);
    CHECK(log.rows<Burst>()[0].process == 4);
}

TEST_CASE("decompression bombs cost memory in proportion to the file")
{
    // A million rows of a kilobyte from some kilobytes, again and again.
    Bytes raw, ids;
    ids.append_byte(1);
    for (std::uint64_t row = 0; row < most_rows; ++row) ids.append_byte(0);
    craft::append_column(raw, Encoding::values, ids);
    const std::size_t others = columns_of<PosixRecord>().count - 1;
    for (std::size_t column = 0; column < others; ++column)
        craft::append_column(raw, Encoding::zeros, Bytes{});
    const std::vector<std::byte> packed = craft::compressed(raw.view());
    constexpr int times = 100;
    std::uint64_t file_size = 0;
    const std::uint64_t before = peak_kib();
    const Log log = read_with([&](craft::File& file) {
        for (int at = 0; at < times; ++at)
            file.block({BlockKind::table, table_number<PosixRecord>(), most_rows, raw.size(), 0, 0}, packed);
        file_size = file.bytes().size();
    });
    CHECK_FALSE(log.problems.empty());
    CHECK_THAT(log.problems[0], Catch::Contains("too large"));
    CHECK(log.rows<PosixRecord>().size() * sizeof(PosixRecord) <= most_expanded(file_size));
    // Growing a vector holds the old rows beside the new ones for a moment.
    CHECK((peak_kib() - before) * 1024 <= 3 * most_expanded(file_size));
}

TEST_CASE("a file of nothing but block marks is one problem, found in one pass")
{
    craft::File file;
    file.our_schema();
    std::vector<std::byte> bytes = file.bytes();
    for (int at = 0; at < 1'000'000; ++at)
        for (const char letter : block_mark) bytes.push_back(static_cast<std::byte>(letter));
    CHECK(decode_log(bytes, "memory").problems.size() == 2);  // that, and the missing end
}
