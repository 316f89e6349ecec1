// Histograms, slices and traces take little room in a log, and come back.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>
#include <zlib.h>

#include "logformat/blocks/block.h"
#include "logformat/duration_bins.h"
#include "logformat/path_id.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

template <class Row>
void check_same_rows(const Log& log, const Log& expected)
{
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Row>().size() == expected.rows<Row>().size());
    for (std::size_t at = 0; at < expected.rows<Row>().size(); ++at) {
        const std::string difference =
            sample::first_difference(log.rows<Row>()[at], expected.rows<Row>()[at]);
        if (!difference.empty()) FAIL("row " << at << " differs in " << difference);
    }
}

// Bytes of the blocks of one table for each of its rows, and the encoding of the first column of the first.
struct Cost {
    double bytes_per_row = 0;
    Encoding first_column{};
};
template <class Row>
Cost cost_of(const std::vector<std::byte>& log)
{
    BlockHeader header;
    double bytes = 0, rows = 0;
    Cost cost;
    for (std::size_t at = file_header_bytes; read_block_header(std::span(log).subspan(at), header);
         at += block_header_bytes + header.packed) {
        if (header.kind != BlockKind::table || header.table != table_number<Row>()) continue;
        bytes += static_cast<double>(block_header_bytes + header.packed);
        if (rows == 0) {
            std::vector<unsigned char> raw(header.raw);
            uLongf size = raw.size();
            REQUIRE(uncompress(raw.data(), &size,
                               reinterpret_cast<const Bytef*>(log.data() + at + block_header_bytes),
                               header.packed) == Z_OK);
            cost.first_column = static_cast<Encoding>(raw[0] & 0x1f);
        }
        rows += static_cast<double>(header.rows);
    }
    cost.bytes_per_row = bytes / rows;
    return cost;
}

template <class Row>
double check_round_trip(const Log& log)
{
    const std::vector<std::byte> bytes = sample::encode(log);
    check_same_rows<Row>(decode_log(bytes, "memory"), log);
    return cost_of<Row>(bytes).bytes_per_row;
}

Log log_of_shapes(const std::vector<std::string>& codes, bool ids_of_codes = true)
{
    Log log;
    for (const std::string& code : codes)
        log.rows<TraceShape>().push_back(
            {ids_of_codes ? path_id(code) : log.rows<TraceShape>().size(), log.keep(code)});
    return log;
}

// A name for each file and a place in each of them, in some order.
Log log_of_places(std::size_t files, const std::vector<std::size_t>& order)
{
    Log log;
    for (std::size_t at = 0; at < files; ++at) {
        const std::string_view path = log.keep("/scratch/run/data." + std::to_string(at));
        log.rows<FileName>().push_back({path_id(path), 0, path});
    }
    for (const std::size_t at : order)
        log.rows<TracePlace>().push_back({3, 0, log.rows<FileName>()[at].file, 0});
    return log;
}

std::vector<std::size_t> in_order(std::size_t count)
{
    std::vector<std::size_t> order(count);
    for (std::size_t at = 0; at < count; ++at) order[at] = at;
    return order;
}

}  // namespace

TEST_CASE("codes come back whatever their bytes are, through every encoding of texts")
{
    std::mt19937_64 random(1);
    std::string large(1 << 20, '\0'), noise(5000, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    for (std::size_t at = 0; at < large.size(); at += 977) large[at] = static_cast<char>(random());
    const std::string not_text("\xff\xfe\x80\0\0\xc3", 6);
    const struct {
        const char* what;
        std::vector<std::string> codes;
    } cases[] = {
        {"none", {}},
        {"one that is empty", {""}},
        {"several that are", {"", "", ""}},
        {"one", {not_text}},
        {"several that are the same", {not_text, not_text, not_text}},
        {"beginnings in common", {noise, noise + not_text, noise.substr(0, 4000), noise + "x"}},
        {"nothing in common", {"", not_text, noise, "a"}},
        {"a mebibyte", {large}},
        {"a mebibyte among others", {"", large, not_text, large + not_text, ""}},
    };
    for (const auto& one : cases) {
        INFO(one.what);
        for (const bool ids_of_codes : {true, false})
            check_same_rows<TraceShape>(
                decode_log(sample::encode(log_of_shapes(one.codes, ids_of_codes)), "memory"),
                log_of_shapes(one.codes, ids_of_codes));
        Log times;
        for (const std::string& code : one.codes)
            times.rows<TraceTimes>().push_back({1, 2, 3, 4, 0.37, times.keep(code)});
        check_same_rows<TraceTimes>(decode_log(sample::encode(times), "memory"), times);
    }
}

TEST_CASE("ids of shapes that follow from their codes take no room")
{
    std::vector<std::string> codes;
    for (std::uint64_t at = 0; at < 1000; ++at) codes.push_back("shape " + std::to_string(at * at));
    const auto with = cost_of<TraceShape>(sample::encode(log_of_shapes(codes)));
    CHECK(with.first_column == Encoding::ids);
    CHECK(with.bytes_per_row < 6);
    Log other = log_of_shapes(codes);
    other.rows<TraceShape>().back().shape ^= 1;
    const std::vector<std::byte> bytes = sample::encode(other);
    CHECK(cost_of<TraceShape>(bytes).first_column == Encoding::values);
    check_same_rows<TraceShape>(decode_log(bytes, "memory"), other);
}

TEST_CASE("places name their files by where those are among the names, in whatever order")
{
    const std::size_t files = 10'000;
    Log log = log_of_places(files, in_order(files));
    std::sort(log.rows<TracePlace>().begin(), log.rows<TracePlace>().end(),
              [&](const TracePlace& a, const TracePlace& b) { return a.file < b.file; });
    CHECK(check_round_trip<TracePlace>(log) < 1.9);  // 10,000 take 13.3 bits
    std::mt19937_64 random(2);
    std::vector<std::size_t> several;
    for (int at = 0; at < 20'000; ++at) several.push_back(random() % files);
    CHECK(check_round_trip<TracePlace>(log_of_places(files, several)) < 1.9);
    CHECK(check_round_trip<TracePlace>(log_of_places(files, std::vector<std::size_t>(5000, 77))) < 0.05);
}

TEST_CASE("a place in each file, in the order of their names, costs next to nothing")
{
    const std::size_t files = 10'000;
    Log log = log_of_places(files, in_order(files));
    std::map<std::string_view, std::uint64_t> by_path;
    for (const FileName& name : log.rows<FileName>()) by_path[name.path] = name.file;
    log.rows<TracePlace>().clear();
    for (const auto& [path, file] : by_path) log.rows<TracePlace>().push_back({3, 0, file, 0});
    CHECK(check_round_trip<TracePlace>(log) < 0.02);
}

TEST_CASE("places come back where their files are in several blocks of names, or have no name")
{
    const std::size_t files = 70'000;
    check_round_trip<TracePlace>(log_of_places(files, in_order(files)));
    Log log = log_of_places(100, in_order(100));
    log.rows<TracePlace>()[50].file = 12345;
    check_round_trip<TracePlace>(log);
    log.rows<FileName>().clear();
    check_round_trip<TracePlace>(log);
}

TEST_CASE("time bins of processes that are busy all the time take some bytes each")
{
    std::mt19937_64 random(3);
    Log log;
    for (std::int64_t process = 0; process < 64; ++process)
        for (std::uint64_t at = 0; at < 256; ++at) {
            Slice slice;
            slice.process = process;
            slice.length = shortest_slice_ns;
            slice.start = shortest_slice_ns * (28'800'000'000 + at);
            slice.writes = 100 + random() % 10;
            slice.bytes_written = slice.writes << 20;
            slice.write_time = 50'000'000 + random() % 5'000'000;
            slice.metadata = random() % 3;
            slice.metadata_time = slice.metadata * (1000 + random() % 1000);
            log.rows<Slice>().push_back(slice);
        }
    const double bytes = check_round_trip<Slice>(log);
    CAPTURE(bytes);
    CHECK(bytes < 6.5);
}

TEST_CASE("a bin of a histogram takes about two bytes")
{
    std::mt19937_64 random(4);
    Log log;
    for (std::uint64_t kind = 0; kind < 20; ++kind) {
        const OperationClass of{kind % 2, 0, kind % 11, kind / 2};
        const std::size_t first = bins::bin_of(500 + random() % 10'000).number();
        for (std::size_t at = 0; at < 60; ++at) {
            const double from_middle = (static_cast<double>(at) - 20) / 10;
            const auto count = static_cast<std::uint64_t>(1e4 * std::exp(-from_middle * from_middle));
            if (count == 0) continue;
            log.rows<DurationBin>().push_back({of, bins::at_least(first + at), bins::at_least(first + at + 1),
                                               count + random() % (count / 20 + 1)});
        }
    }
    const double bytes = check_round_trip<DurationBin>(log);
    CAPTURE(bytes);
    CHECK(bytes < 3);
}
