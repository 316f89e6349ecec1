// A log that was cut off or altered never passes for a whole one, and never brings the reader down.
#include <catch2/catch.hpp>

#include "tests/logformat/craft.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

// True when the reader notices that something is wrong.
bool noticed(std::span<const std::byte> bytes)
{
    // A copy of the exact size, so that a sanitizer sees the reader step over its end.
    const std::vector<std::byte> exact(bytes.begin(), bytes.end());
    try {
        return !decode_log(exact, "memory").problems.empty();
    } catch (const LogError& error) {
        return std::string_view(error.what()).starts_with("memory: ");
    }
}

// All kinds of blocks in few bytes: a schema of one table, so that thousands of variants are read in a
// second.
std::vector<std::byte> tiny_log()
{
    Bytes schema, rows;
    schema.append_varint(1);
    craft::append_table(schema, "mounts", {{"path", ScalarType::text}, {"type", ScalarType::text}});
    Bytes paths, types;
    for (const std::string_view path : {"/home", "/scratch"}) paths.append_varint(path.size());
    paths.append("/home/scratch");
    types.append_varint(4);
    types.append("ext4");
    craft::append_column(rows, Encoding::values, paths);
    craft::append_column(rows, Encoding::constant, types);
    craft::File file;
    file.schema(schema);
    file.table(0, 2, rows);
    file.end();
    return file.bytes();
}

void check_every_cut(const std::vector<std::byte>& whole, std::size_t step)
{
    REQUIRE_FALSE(noticed(whole));
    std::vector<std::size_t> silent;
    for (std::size_t length = 0; length < whole.size(); length += step)
        if (!noticed(std::span(whole).first(length))) silent.push_back(length);
    CHECK(silent == std::vector<std::size_t>{});
}

void check_every_flip(const std::vector<std::byte>& whole, std::size_t step)
{
    REQUIRE_FALSE(noticed(whole));
    std::vector<std::size_t> silent;
    std::vector<std::byte> altered = whole;
    for (std::size_t bit = 0; bit < whole.size() * 8; bit += step) {
        altered[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        if (!noticed(altered)) silent.push_back(bit);
        altered[bit / 8] = whole[bit / 8];
    }
    CHECK(silent == std::vector<std::size_t>{});
}

}  // namespace

TEST_CASE("a log cut at any byte is noticed")
{
    check_every_cut(tiny_log(), 1);
    check_every_cut(sample::encode(sample::small_log()), 1);
}

TEST_CASE("every flipped bit is noticed")
{
    check_every_flip(tiny_log(), 1);
    check_every_flip(sample::encode(sample::small_log()), 7);  // every byte, its bits in turn
}

TEST_CASE("a block that was taken out is noticed")
{
    const std::vector<std::byte> whole = sample::encode(sample::small_log());
    std::vector<std::size_t> starts;
    for (std::size_t at = file_header_bytes; at < whole.size();) {
        BlockHeader header;
        REQUIRE(read_block_header(std::span(whole).subspan(at), header));
        starts.push_back(at);
        at += block_header_bytes + header.packed;
    }
    starts.push_back(whole.size());
    REQUIRE(starts.size() == table_count + 3);  // schema, tables, end
    for (std::size_t one = 0; one + 1 < starts.size(); ++one) {
        std::vector<std::byte> without(whole.begin(),
                                       whole.begin() + static_cast<std::ptrdiff_t>(starts[one]));
        without.insert(without.end(), whole.begin() + static_cast<std::ptrdiff_t>(starts[one + 1]),
                       whole.end());
        INFO("block " << one);
        CHECK(noticed(without));
    }
}

TEST_CASE("a damaged block is left out and the others are read")
{
    const Log expected = sample::small_log();
    std::vector<std::byte> bytes = sample::encode(expected);
    std::size_t at = file_header_bytes;
    BlockHeader header;
    while (read_block_header(std::span(bytes).subspan(at), header) &&
           !(header.kind == BlockKind::table && header.table == table_number<PosixRecord>()))
        at += block_header_bytes + header.packed;

    SECTION("in its data")
    {
        bytes[at + block_header_bytes + 3] ^= std::byte{4};
    }
    SECTION("in its header")
    {
        bytes[at + 9] ^= std::byte{4};
    }
    SECTION("in its mark")
    {
        bytes[at] = std::byte{'X'};
    }

    const Log log = decode_log(bytes, "job.fathom");
    REQUIRE_FALSE(log.problems.empty());
    CHECK_THAT(log.problems[0], Catch::StartsWith("job.fathom: at byte " + std::to_string(at) + ": "));
    CHECK(log.rows<PosixRecord>().empty());
    REQUIRE(log.rows<StdioRecord>().size() == 1);
    CHECK(sample::first_difference(log.rows<StdioRecord>()[0], expected.rows<StdioRecord>()[0]).empty());
}

TEST_CASE("bytes after the end of a log are named")
{
    std::vector<std::byte> bytes = tiny_log();
    bytes.push_back(std::byte{0});
    const Log log = decode_log(bytes, "memory");
    REQUIRE(log.problems.size() == 1);
    CHECK_THAT(log.problems[0], Catch::Contains("bytes follow the end"));
}

TEST_CASE("other files are not taken for logs")
{
    using namespace std::string_view_literals;
    for (const std::string_view text :
         {"FATHOM1"sv,
          "\x7f"sv
          "ELF"sv,
          "PK\3\4"sv, "{}"sv, "FATHOM1\n"sv,
          "FATHOM1\nFATHOM1\nFATHOM1\nFATHOM1\nFATHOM1\nFATHOM1\nFBLKFBLKFBLK"sv})
        CHECK_THROWS_AS(decode_log(std::as_bytes(std::span(text)), "memory"), LogError);
}
