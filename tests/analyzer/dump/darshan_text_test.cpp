// The texts of Darshan's logs: numbers as printf has them, and what is known of a record before its
// operations.
#include "analyzer/dump/darshan_text.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "analyzer/dump/darshan_lines.h"
#include "parsers/darshan/writer.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

void check_as_printf(double value, int decimals)
{
    char expected[512], printed[512];
    const auto size =
        static_cast<std::size_t>(std::snprintf(expected, sizeof expected, "%.*f", decimals, value));
    REQUIRE(std::string(printed, print_real(printed, value, decimals)) == std::string(expected, size));
}

std::string traces_of(const std::string& path)
{
    const darshan::File file(path);
    std::string all;
    CHECK(dump_darshan_dxt_text(file, [&](std::string_view piece) {
              all += piece;
              return true;
          }).empty());
    return all;
}

// A log of one file that these writes are of.
std::string traced_log(const Temporary& folder, std::int64_t rank,
                       const std::vector<darshan::DxtSegment>& writes)
{
    const std::string path = folder.path("traced.darshan");
    darshan::JobRecord job;
    job.processes = 1;
    job.end = 10;
    darshan::Writer writer(path, job);
    writer.add_name(1, "/scratch/out");
    writer.add(darshan::Module::dxt_posix,
               darshan::DxtRecord{.id = 1,
                                  .rank = rank,
                                  .host = "node1",
                                  .writes = static_cast<std::int64_t>(writes.size()),
                                  .has_threads = true});
    for (const darshan::DxtSegment& one : writes) writer.add(one);
    writer.finish();
    return path;
}

}  // namespace

TEST_CASE("times in the texts of Darshan's logs are rounded as printf does")
{
    for (const int decimals : {4, 6}) {
        for (const double value : {0.0,
                                   -0.0,
                                   1.0,
                                   0.5,
                                   0.00005,
                                   0.00015,
                                   0.0000005,
                                   2.5e-7,
                                   0.99995,
                                   9.99995,
                                   99999.99995,
                                   999999.99995,
                                   1e9,
                                   1e15,
                                   1e18,
                                   1e300,
                                   -1.5,
                                   -0.00001,
                                   5e-324,
                                   1e-9,
                                   123456.78905,
                                   1760000000.123456789,
                                   0.1,
                                   0.2,
                                   1 / 3.0,
                                   1048576.00005,
                                   std::numeric_limits<double>::infinity(),
                                   std::nan("")})
            check_as_printf(value, decimals);
        std::mt19937_64 bits(7);
        for (int round = 0; round < 20'000; ++round) {
            const auto number = static_cast<double>(bits() % 2'000'000'000);
            check_as_printf(number / 1e9, decimals);
            check_as_printf(number / 2e5, decimals);  // halves of the last decimal, as near as there are
            check_as_printf(number * 1e3, decimals);
        }
    }
}

TEST_CASE(
    "numbers in traces of Darshan are right-aligned, and those wider than their columns move what follows")
{
    const std::vector<darshan::DxtSegment> writes = {
        {true, 0, 1, 0, 0.25, 7},
        {true, 999'999'999'999'999, 4096, 999'999.99995, 1'000'000, 8},
        {true, 1'000'000'000'000'000, 10'000'000'000'000'000, 1234567.5, 12345678.5, 123'456'789'012},
        {true, std::numeric_limits<std::int64_t>::min(), -1, -1, 1e15,
         std::numeric_limits<std::uint64_t>::max()}};
    for (const std::int64_t rank : {std::int64_t{0}, std::int64_t{9'999'999}, std::int64_t{123'456'789}}) {
        const Temporary folder;
        const std::string text = traces_of(traced_log(folder, rank, writes));
        for (std::size_t at = 0; at < writes.size(); ++at) {
            const darshan::DxtSegment& one = writes[at];
            char line[300];
            std::snprintf(line, sizeof line, "\n X_POSIX%8ld%7s%9zu%16ld%16ld%12.4f%12.4f   %lu\n", rank,
                          "write", at, one.offset, one.length, one.start, one.end, one.thread);
            CHECK_THAT(text, Contains(line));
        }
    }
}

TEST_CASE("the text of a trace says of how many threads a record's operations are, however many there are")
{
    const std::size_t few = 3, more_than_are_looked_at_ahead = 110'000;
    for (const std::size_t count : {few, more_than_are_looked_at_ahead}) {
        std::vector<darshan::DxtSegment> writes(count, {true, 0, 4096, 1, 2, 70});
        writes.back().thread = 71;
        const Temporary folder;
        const std::string path = traced_log(folder, 0, writes);
        CHECK_THAT(traces_of(path), Contains("\n# DXT, number of threads: 2\n"));
        std::size_t known = 99;
        const darshan::File file(path);
        CHECK(file.each_dxt(
                      darshan::Module::dxt_posix,
                      [&](const darshan::DxtRecord& record) {
                          known = record.threads;
                          return true;
                      },
                      [](const darshan::DxtSegment&) { return false; })
                  .empty());
        CHECK(known == (count == few ? 2 : 0));
    }
}
