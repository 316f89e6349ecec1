// A CSV that grows: begun, gone on with, repaired, refused; and the lines of a probe.
#include "analyzer/timing/probe/growing_csv.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "analyzer/timing/probe/probe_row.h"
#include "analyzer/timing/probe/row_writer.h"
#include "analyzer/timing/probe/time_words.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

constexpr std::string_view header = "a,b\n";

void save(const std::string& path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::string content(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("lengths of time are read as people write them")
{
    CHECK(parse_time("60s") == 60'000'000'000);
    CHECK(parse_time("5min") == 300'000'000'000);
    CHECK(parse_time("5 min") == 300'000'000'000);
    CHECK(parse_time("12h") == 43'200'000'000'000);
    CHECK(parse_time("200ms") == 200'000'000);
    CHECK(parse_time("0.2s") == 200'000'000);
    CHECK(parse_time("1.5h") == 5'400'000'000'000);
    CHECK(parse_time("2d") == 172'800'000'000'000);
    CHECK(parse_time("3") == 3'000'000'000);
    for (const char* wrong :
         {"", "s", "0", "0s", "-1s", "nan", "inf", "5 parsecs", "1s2", "1e30s", "101000d"})
        CHECK_FALSE(parse_time(wrong));
}

TEST_CASE("a row has microseconds and nanoseconds, and texts are quoted where they must be")
{
    ProbeRow row{1'700'000'000'123'456'789, "/a,\"b\"\n", "write", 1048576, 0.012345678, "direct", ""};
    CHECK(csv_line(row) == "1700000000.123456,\"/a,\"\"b\"\" \",write,1048576,0.012345678,direct,\n");
    row.target = "/a";
    row.latency.reset();
    row.error = "No space left on device";
    CHECK(csv_line(row) == "1700000000.123456,/a,write,1048576,,direct,No space left on device\n");
}

TEST_CASE("a new file gets its header with the first lines, and a later run goes on")
{
    const Temporary folder;
    const std::string path = folder.path("p.csv");
    {
        GrowingCsv csv(path, header);
        CHECK_FALSE(csv.goes_on());
        CHECK(content(path).empty());
        CHECK(csv.append("1,2\n"));
        CHECK(csv.append("3,4\n5,6\n"));
        CHECK(content(path) == "a,b\n1,2\n3,4\n5,6\n");
        CHECK_THROWS_WITH(GrowingCsv(path, header), Contains("another probe is writing it"));
    }
    GrowingCsv again(path, header);
    CHECK(again.goes_on());
    CHECK(again.bytes_cut_off() == 0);
    CHECK(again.append("7,8\n"));
    CHECK(content(path) == "a,b\n1,2\n3,4\n5,6\n7,8\n");
}

TEST_CASE("a torn last line is cut off, and nothing else")
{
    const Temporary folder;
    const std::string path = folder.path("p.csv");
    const auto repaired = [&](std::string_view before) {
        save(path, before);
        GrowingCsv csv(path, header);
        csv.append("9,9\n");
        return content(path);
    };
    CHECK(repaired("a,b\n1,2\n3,") == "a,b\n1,2\n9,9\n");
    CHECK(repaired("a,b\n1") == "a,b\n9,9\n");
    CHECK(repaired("a,b\n") == "a,b\n9,9\n");
    CHECK(repaired("a,") == "a,b\n9,9\n");
    CHECK(repaired("") == "a,b\n9,9\n");
    CHECK(repaired(std::string("a,b\n1,2\n3,4\0\0\0\0\n", 17)) == "a,b\n1,2\n9,9\n");
}

TEST_CASE("a file with another header is refused, and loses nothing")
{
    const Temporary folder;
    const std::string path = folder.path("p.csv");
    for (const std::string other : {"time,what\n1,2\n", "a,bc\n", "x", "a,b,c", "no lines at all"}) {
        save(path, other);
        CHECK_THROWS_WITH(GrowingCsv(path, header), Contains("its first line is not that of a probe (a,b)"));
        CHECK(content(path) == other);
    }
    CHECK_THROWS_WITH(GrowingCsv(folder.path("no/such.csv"), header), Contains("No such file"));
}

TEST_CASE("rows that could not be written are reported, and the rest of a line is not left behind")
{
    // /dev/full has room for nothing.
    GrowingCsv csv("/dev/full", header);
    CHECK_FALSE(csv.append("1,2\n"));
    std::vector<std::string> said;
    RowWriter rows(csv, 0, [&](std::string_view line) { said.emplace_back(line); });
    rows.add("1,2\n");
    CHECK_FALSE(rows.finish());
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0], Contains("/dev/full: rows cannot be written: No space left on device"));
}

TEST_CASE("rows are written whole by a thread of its own")
{
    const Temporary folder;
    GrowingCsv csv(folder.path("p.csv"), header);
    RowWriter rows(csv, 1, [](std::string_view) {});
    std::string expected(header);
    for (int at = 0; at < 500; ++at) {
        const std::string line = std::to_string(at) + ",x\n";
        rows.add(line);
        expected += line;
    }
    CHECK(rows.finish());
    CHECK(content(folder.path("p.csv")) == expected);
}
