// The table of series as CSV and a summary; and files, folders and archives that are read into it.
#include "analyzer/series/write.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "analyzer/series/read.h"

using namespace fathom::series;

namespace {

Table small_table()
{
    Table table;
    table.components = {{"scratch", "oss1", ComponentType::ost, "OST0000", ""},
                        {"scratch", "", ComponentType::job, "a,\"b\"\n\xff", "OST0000"},
                        {"", "n1", ComponentType::host, "n1", ""}};
    table.series = {
        {0, Kind::amount, "bytes_read", {{0, 10, 1024}, {10, 20, 1024}, {30, 1'500'000'000, 0.5}}, 10},
        {1, Kind::level, "own", {{5, 5, -2.5}}, 0}};
    table.problems = {"x: \"broken\""};
    return table;
}

std::string written(void (*write)(const Table&, const Wanted&, const Write&), const Wanted& wanted = {})
{
    std::string text;
    write(small_table(), wanted, [&](std::string_view piece) { text += piece; });
    return text;
}

}  // namespace

TEST_CASE("series as CSV: a row a sample, times in seconds")
{
    CHECK(written(write_csv) ==
          "system,host,type,component,on,quantity,unit,begin,end,value\n"
          "scratch,oss1,ost,OST0000,,bytes_read,bytes,0.000000000,0.000000010,1024\n"
          "scratch,oss1,ost,OST0000,,bytes_read,bytes,0.000000010,0.000000020,1024\n"
          "scratch,oss1,ost,OST0000,,bytes_read,bytes,0.000000030,1.500000000,0.5\n"
          "scratch,,job,\"a,\"\"b\"\"\\n\\xff\",OST0000,own,,0.000000005,0.000000005,-2.5\n");
}

TEST_CASE("a summary of series has samples, gaps, times, total or mean")
{
    const std::string all = written(write_summary);
    CHECK_THAT(all, Catch::Contains("scratch oss1 OST0000 (ost)\n  bytes_read ") &&
                        Catch::Contains("3 samples, 1 gap,") && Catch::Contains("total 2.00 KiB\n") &&
                        Catch::Contains("mean -2.5\n") && Catch::Contains("n1 (host): no samples\n"));
    const std::string some = written(write_summary, {{"own"}, {}});
    CHECK_THAT(some,
               !Catch::Contains("bytes_read") && Catch::Contains("own") && !Catch::Contains("n1 (host)"));
    CHECK_THAT(written(write_summary, {{}, {"OST*"}}),
               Catch::Contains("bytes_read") && !Catch::Contains("own"));
}

TEST_CASE("gaps of amounts are times that no amount covers, of levels long steps")
{
    CHECK(gaps_of({0, Kind::amount, "x", {{0, 10, 1}, {10, 99, 1}}, 10}) == 0);
    CHECK(gaps_of({0, Kind::amount, "x", {{0, 10, 1}, {11, 20, 1}}, 10}) == 1);
    CHECK(gaps_of({0, Kind::level, "x", {{0, 0, 1}, {15, 15, 1}}, 10}) == 0);
    CHECK(gaps_of({0, Kind::level, "x", {{0, 0, 1}, {16, 16, 1}}, 10}) == 1);
}

TEST_CASE("series are read from folders, what no source knows is counted, and no zone is made up")
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("fathom-series-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "below");
    std::ofstream(folder / "below" / "metrics")
        << "1500000000\nx_total 1\ny_total 2\n1500000010\nx_total 5\ny_total 2\n";
    std::ofstream(folder / "notes") << "nothing\n";
    const Table table = read_series({folder.string()}, {});
    CHECK(table.series.size() == 2);
    REQUIRE(table.problems.size() == 1);
    CHECK_THAT(table.problems[0],
               Catch::Contains("1 file below it of no known source") && Catch::Contains("notes"));
    CHECK_THAT(read_series({(folder / "notes").string()}, {}).problems.at(0),
               Catch::Contains("no source is known") && Catch::Contains("; collectd, JSON; collectd, CSV; "));
    CHECK_THROWS_AS(read_series({folder.string()}, {.time_zone = "Nowhere"}), std::invalid_argument);
    std::filesystem::remove_all(folder);
}
