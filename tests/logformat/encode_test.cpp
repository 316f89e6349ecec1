// Columns take the room that their numbers need, and come back from whatever stands for them.
#include "logformat/blocks/encode.h"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <random>

#include "logformat/blocks/numbers.h"
#include "logformat/path_id.h"
#include "tests/logformat/craft.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

constexpr std::uint16_t bursts = table_number<Burst>(), names = table_number<FileName>(),
                        posix = table_number<PosixRecord>();

// Names whose ids follow from them, and a record for each, of calls that come one after the other.
Log log_of_files(std::size_t count)
{
    std::mt19937_64 random(1);
    Log log;
    std::uint64_t now = 1'795'000'000'000'000'000;
    for (std::size_t at = 0; at < count; ++at) {
        const std::string_view path = log.keep("/scratch/run/data." + std::to_string(at));
        log.rows<FileName>().push_back({path_id(path), 0, path});
        PosixRecord record;
        record.file = path_id(path);
        record.opens = record.closes = record.writes = 1;
        record.first_open = now += 1000 + random() % 256;
        record.last_open = now += 1000 + random() % 256;
        record.first_write = now += 1000 + random() % 256;
        record.last_write = now += record.write_time = 1000 + random() % 256;
        record.first_close = now += 1000 + random() % 256;
        record.last_close = now += 1000 + random() % 256;
        record.bytes_written = 4096;
        log.rows<PosixRecord>().push_back(record);
    }
    return log;
}

// Each row under the id that it was written with, wherever it is now.
void check_same_records(const Log& log, const Log& expected)
{
    CHECK(log.problems.empty());
    REQUIRE(log.rows<PosixRecord>().size() == expected.rows<PosixRecord>().size());
    std::map<std::uint64_t, const PosixRecord*> by_file;
    for (const PosixRecord& record : expected.rows<PosixRecord>()) by_file[record.file] = &record;
    for (const PosixRecord& record : log.rows<PosixRecord>()) {
        REQUIRE(by_file.count(record.file) == 1);
        const std::string difference = sample::first_difference(record, *by_file[record.file]);
        if (!difference.empty()) FAIL("differs in " << difference);
    }
}

// The blocks of a log: where each begins, and its header.
std::vector<std::pair<std::size_t, BlockHeader>> blocks_of(std::span<const std::byte> log)
{
    std::vector<std::pair<std::size_t, BlockHeader>> blocks;
    BlockHeader header;
    for (std::size_t at = file_header_bytes; read_block_header(log.subspan(at), header);
         at += block_header_bytes + header.packed)
        blocks.emplace_back(at, header);
    return blocks;
}

// Two bursts from columns by hand.
Log two_bursts(const std::function<void(Bytes&)>& columns)
{
    Bytes raw;
    columns(raw);
    craft::File file;
    file.our_schema();
    file.table(bursts, 2, raw);
    file.end();
    return decode_log(file.bytes(), "memory");
}

// A column of two small numbers that are remainders of others.
void append_remainders(Bytes& raw, std::initializer_list<std::uint64_t> terms)
{
    raw.append_byte(static_cast<std::uint8_t>(Encoding::values) | as_remainders);
    raw.append_varint(terms.size());
    for (const std::uint64_t term : terms) raw.append_varint(term);
    raw.append_varint(3);
    for (const int byte : {1, 2, 4}) raw.append_byte(static_cast<std::uint8_t>(byte));
}

}  // namespace

TEST_CASE("files cost what is new in them: no ids, little of their paths, instants as differences")
{
    const Log log = log_of_files(20'000);
    const std::vector<std::byte> bytes = sample::encode(log);
    CHECK(static_cast<double>(bytes.size()) / 20'000 < 8);  // six of them nobody can foretell
    check_same_records(decode_log(bytes, "memory"), log);
}

TEST_CASE("records of more files than fit into a block find their names again")
{
    const Log log = log_of_files(70'000);
    check_same_records(decode_log(sample::encode(log), "memory"), log);
}

TEST_CASE("records without names, and several of a name, come back")
{
    Log log = log_of_files(100);
    log.rows<PosixRecord>().resize(100);
    log.rows<FileName>().erase(log.rows<FileName>().begin() + 20, log.rows<FileName>().begin() + 30);
    const Log back = decode_log(sample::encode(log), "memory");
    check_same_records(back, log);

    Log twice = log_of_files(3);
    for (std::int64_t process = 0; process < 3; ++process) {
        PosixRecord record = twice.rows<PosixRecord>()[1];
        record.process = process;
        twice.rows<PosixRecord>().push_back(record);
    }
    const Log again = decode_log(sample::encode(twice), "memory");
    CHECK(again.problems.empty());
    REQUIRE(again.rows<PosixRecord>().size() == 6);
    CHECK(again.rows<PosixRecord>()[2].file == again.rows<PosixRecord>()[1].file);
    CHECK(again.rows<PosixRecord>()[4].process == 2);
}

TEST_CASE("ids that do not follow from their paths are kept")
{
    Log log = log_of_files(50);
    log.rows<FileName>()[7].file = 12345;
    log.rows<PosixRecord>()[7].file = 12345;
    check_same_records(decode_log(sample::encode(log), "memory"), log);
}

TEST_CASE("records whose names are damaged are left out with them")
{
    std::vector<std::byte> bytes = sample::encode(log_of_files(10));
    for (const auto& [at, header] : blocks_of(bytes))
        if (header.kind == BlockKind::table && header.table == names)
            bytes[at + block_header_bytes + 5] ^= std::byte{1};
    const Log log = decode_log(bytes, "memory");
    CHECK(log.problems.size() == 2);
    CHECK(log.rows<FileName>().empty());
    CHECK(log.rows<PosixRecord>().empty());
}

TEST_CASE("records take the last names before them, and no others")
{
    const std::vector<std::byte> one = sample::encode(log_of_files(10)),
                                 other = sample::encode(log_of_files(11));
    // The names of the other log in the place of this one's.
    std::vector<std::byte> mixed(one.begin(), one.begin() + file_header_bytes);
    const auto add = [&](const std::vector<std::byte>& from, std::uint16_t table) {
        for (const auto& [at, header] : blocks_of(from))
            if (header.table == table && header.kind == BlockKind::table)
                mixed.insert(
                    mixed.end(), from.begin() + static_cast<std::ptrdiff_t>(at),
                    from.begin() + static_cast<std::ptrdiff_t>(at + block_header_bytes + header.packed));
    };
    add(other, names);
    add(one, posix);
    CHECK(decode_log(mixed, "memory").rows<PosixRecord>().empty());
    add(one, names);
    add(one, posix);
    CHECK(decode_log(mixed, "memory").rows<PosixRecord>().size() == 10);
}

TEST_CASE("remainders are added to the columns that they name")
{
    const Log log = two_bursts([](Bytes& raw) {
        craft::append_numbers(raw, Encoding::values, {zigzag(3), zigzag(4)});
        craft::append_numbers(raw, Encoding::values, {100, 50}, as_differences);
        append_remainders(raw, {1});
    });
    REQUIRE(log.problems.empty());
    CHECK(log.rows<Burst>()[0].start == 50);
    CHECK(log.rows<Burst>()[1].start == 75);
    CHECK(log.rows<Burst>()[0].end == 51);
    CHECK(log.rows<Burst>()[1].end == 77);
}

TEST_CASE("remainders of what there is not are damage")
{
    const auto with_terms = [](std::initializer_list<std::uint64_t> terms) {
        return two_bursts([&](Bytes& raw) {
            craft::append_numbers(raw, Encoding::values, {zigzag(3), zigzag(4)});
            craft::append_numbers(raw, Encoding::values, {1, 2});
            append_remainders(raw, terms);
        });
    };
    CHECK(with_terms({0, 1}).problems.empty());
    CHECK_FALSE(with_terms({2}).problems.empty());  // itself
    CHECK_FALSE(with_terms({UINT64_MAX}).problems.empty());
    CHECK_FALSE(with_terms({0, 0, 0, 0, 0, 0, 0, 0, 0}).problems.empty());
}

TEST_CASE("positions beyond the names, and of names that are not there, are damage")
{
    for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{200}}) {
        Bytes raw;
        raw.append_byte(static_cast<std::uint8_t>(Encoding::values) | as_positions);
        raw.append_varint(0);
        raw.append_varint(2);
        raw.append_byte(1);
        raw.append_byte(static_cast<std::uint8_t>(position));
        for (std::size_t column = 1; column < columns_of<PosixRecord>().count; ++column)
            craft::append_column(raw, Encoding::zeros, Bytes{});
        craft::File file;
        file.our_schema();
        file.table(posix, 1, raw);
        file.end();
        CHECK_FALSE(decode_log(file.bytes(), "memory").problems.empty());
    }
}

TEST_CASE("texts that share more than there is are damage, and so is a flood of them")
{
    const auto paths = [](std::uint64_t rows, const std::function<void(Bytes&)>& texts) {
        Bytes raw, values;
        texts(values);
        craft::append_column(raw, Encoding::shared, values);
        for (int column = 0; column < 2; ++column) craft::append_column(raw, Encoding::zeros, Bytes{});
        craft::File file;
        file.our_schema();
        file.table(table_number<Mount>(), rows, raw);
        file.end();
        return decode_log(file.bytes(), "memory");
    };
    const auto two = [&](std::uint64_t shared, std::uint64_t length) {
        return paths(2, [&](Bytes& values) {
            for (const std::uint64_t number : {std::uint64_t{0}, shared, std::uint64_t{3}, length})
                values.append_varint(number);
            values.append("abcdef");
        });
    };
    const Log good = two(2, 3);
    REQUIRE(good.problems.empty());
    CHECK(good.rows<Mount>()[1].path == "abdef");
    CHECK_FALSE(two(4, 3).problems.empty());
    CHECK_FALSE(two(UINT64_MAX, 3).problems.empty());
    CHECK_FALSE(two(2, 4).problems.empty());
    CHECK_FALSE(two(2, UINT64_MAX).problems.empty());

    constexpr std::uint64_t rows = 1 << 16, length = 1 << 20;  // 64 GiB from a megabyte
    const Log flood = paths(rows, [](Bytes& values) {
        for (std::uint64_t row = 0; row < rows; ++row) values.append_varint(row == 0 ? 0 : length);
        for (std::uint64_t row = 0; row < rows; ++row) values.append_varint(row == 0 ? length : 0);
        for (std::uint64_t letter = 0; letter < length; ++letter) values.append("x");
    });
    CHECK_FALSE(flood.problems.empty());
    CHECK(flood.rows<Mount>().empty());
}

TEST_CASE("an id depends on every byte of its path and on its length")
{
    const std::string path = "/scratch/a/path/of/some/length";
    for (std::size_t at = 0; at < path.size(); ++at) {
        std::string other = path;
        other[at] ^= 1;
        CHECK(path_id(other) != path_id(path));
        CHECK(path_id(path.substr(0, at)) != path_id(path));
    }
    CHECK(path_id(std::string("a\0", 2)) != path_id("a"));
    CHECK(path_id("/scratch/run/data.7") ==
          0xba82096305553644);  // as docs/FORMAT.md tells it, in other words
}

TEST_CASE("the estimate of what numbers take is near what they take")
{
    std::mt19937_64 random(3);
    for (const std::uint64_t range : {std::uint64_t{1}, std::uint64_t{20}, std::uint64_t{5000}, UINT64_MAX}) {
        std::vector<std::uint64_t> numbers(20'000);
        for (std::uint64_t& number : numbers) number = random() % range;
        Bytes raw, packed;
        const unsigned mask = planes_of(numbers, true);
        std::vector<Cut> cuts;
        for (unsigned plane = 0; plane < 8; ++plane) {
            if ((mask >> plane & 1) == 0) continue;
            cuts.push_back({raw.size(), false});
            append_plane(raw, numbers, plane);
        }
        Packer packer;
        REQUIRE(packer.pack(packed, raw.view(), cuts));
        INFO("numbers below " << range);
        CHECK(static_cast<double>(packed_bits(numbers)) / 8 ==
              Approx(static_cast<double>(packed.size())).epsilon(0.08).margin(300));
    }
}
