// The rules on logs of other tools: right where the numbers are there, silent where they are not, and with
// costs that say what they rest upon.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/found.h"
#include "tests/analyzer/imported.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Each of eight ranks takes as long.
SharedIo evenly(const Io& all)
{
    const std::uint64_t time = (all.read_time + all.write_time + all.metadata_time) / 8,
                        bytes = (all.bytes_read + all.bytes_written) / 8;
    return {all, {3, time, bytes}, {5, time, bytes}, 0};
}

template <class Row>
void in_calls(Row& row, Direction direction, std::uint64_t count, std::uint64_t size)
{
    const bool reads = direction == Direction::read;
    (reads ? row.reads : row.writes) = count;
    SizeHistogram& sizes = reads ? row.read_size : row.write_size;
    sizes = {};
    sizes.add(size, count);
}

}  // namespace

TEST_CASE("imported: small requests cost what their bytes would not have taken")
{
    Imported made(8);
    // 800,000 writes of 1 KiB in 80 s, 10 s a rank; their bytes take 0.4 s at the assumed 2 GiB/s.
    auto& row = made.shared<PosixRecord>(
        made.file("/small"), evenly({.bytes_written = 800'000 * 1024, .write_time = 80 * second}));
    in_calls(row, Direction::write, 800'000, 1024);
    row.consecutive_writes = 800'000;
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "small_requests");
    REQUIRE(one != nullptr);
    CHECK(cost_of(*one) == Approx((80 - 800'000 * 1024 / (2048.0 * mib)) / 8));
    CHECK_THAT(one->cost_basis, Contains("by number"));
    CHECK(one->confidence == report::Confidence::medium);
}

TEST_CASE("imported: among large requests the time of small ones is a guess, and reported as one")
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(
        made.file("/mixed"), evenly({.bytes_written = 8'000 * 4 * mib, .write_time = 180 * second}));
    in_calls(row, Direction::write, 8'000, 4 * mib);
    row.write_size.add(100, 8'000);
    row.writes += 8'000;
    row.sequential_writes = row.writes;
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "small_requests");
    REQUIRE(one != nullptr);
    CHECK(one->confidence == report::Confidence::low);
}

TEST_CASE("imported: metadata takes most of the time")
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(
        made.file("/meta"),
        evenly({.bytes_read = mib, .read_time = 8 * second, .metadata_time = 72 * second}));
    row.stats = 100'000;
    row.opens = 30;
    row.seeks = 7;
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "metadata_bound");
    REQUIRE(one != nullptr);
    CHECK(cost_of(*one) == Approx(9));
    CHECK_THAT(numbers_of(*one), Catch::Contains("opens, stats and seeks: 100,037"));
}

TEST_CASE("imported: independent MPI-IO on a shared file, without a hint for a library that is not known")
{
    Imported made(8);
    const std::uint64_t file = made.file("/shared");
    auto& row =
        made.shared<MpiioRecord>(file, evenly({.bytes_written = 80'000 * 4096, .write_time = 80 * second}));
    in_calls(row, Direction::write, 80'000, 4096);
    made.shared<PosixRecord>(file, evenly({.bytes_written = 80'000 * 4096, .write_time = 70 * second}),
                             Scope::beneath_mpiio);
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "no_collectives");
    REQUIRE(one != nullptr);
    for (const report::Advice& advice : one->advice)
        for (const std::string& line : advice.lines)
            CHECK_THAT(line, !Contains("ROMIO_HINTS") && !Contains("mca"));
}

TEST_CASE("imported: a rank far slower than the mean of the others is a straggler, at least by so much")
{
    Imported made(8);
    // 52 s in all: rank 6 takes 24 s, the others 4 s each, of which the fastest took 4 s.
    made.shared<PosixRecord>(made.file("/shared"),
                             {.all = {.bytes_written = 800 * mib, .write_time = 52 * second},
                              .slowest = {6, 24 * second, 100 * mib},
                              .fastest = {1, 4 * second, 100 * mib}});
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "stragglers");
    REQUIRE(one != nullptr);
    CHECK(cost_of(*one) == Approx(20));
    CHECK_THAT(one->title, Contains("Rank 6 spends 6.0 times as long"));
    CHECK_THAT(one->cost_basis, Contains("at least"));
    CHECK_FALSE(finds(made.log, "byte_imbalance"));
    for (const report::Advice& advice : one->advice) CHECK(advice.lines.empty());  // no node to leave out
}

TEST_CASE("imported: many files, each with another slow rank, make no straggler")
{
    Imported made(8);
    for (std::int64_t rank = 0; rank < 8; ++rank)
        made.shared<PosixRecord>(made.file("/shared" + std::to_string(rank)),
                                 {.all = {.bytes_written = 800 * mib, .write_time = 10 * second},
                                  .slowest = {rank, 3 * second, 100 * mib},
                                  .fastest = {(rank + 1) % 8, second, 100 * mib}});
    CHECK_FALSE(finds(made.log, "stragglers"));
}

TEST_CASE("imported: a rank that moves more than the others of a shared file")
{
    Imported made(8);
    made.shared<PosixRecord>(made.file("/shared"),
                             {.all = {.bytes_written = 1500 * mib, .write_time = 30 * second},
                              .slowest = {6, 16 * second, 800 * mib},
                              .fastest = {1, 2 * second, 100 * mib}});
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "byte_imbalance");
    REQUIRE(one != nullptr);
    CHECK(cost_of(*one) == Approx(16 * (1 - 187.5 / 800)));
    CHECK_FALSE(finds(made.log, "stragglers"));
}

TEST_CASE("imported: one rank that moves the data of a file that all have open")
{
    Imported made(8);
    made.shared<PosixRecord>(made.file("/shared"),
                             {.all = {.bytes_written = 800 * mib, .write_time = 16 * second},
                              .slowest = {0, 16 * second, 800 * mib},
                              .fastest = {1, 0, 0}});
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "single_process");
    REQUIRE(one != nullptr);
    CHECK(cost_of(*one) == Approx(14 + 700.0 / 1024));
}

TEST_CASE("imported: what every rank reads of a file once is not read again")
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(made.file("/shared"),
                                         evenly({.bytes_read = 800 * mib, .read_time = 80 * second}));
    in_calls(row, Direction::read, 800, mib);
    row.highest_read = 800 * mib;
    CHECK_FALSE(finds(made.log, "redundant_reads"));
    row.highest_read = 100 * mib;  // each rank read all of it
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "redundant_reads");
    REQUIRE(one != nullptr);
    CHECK_THAT(one->title, Contains("other ranks read as well"));
}

TEST_CASE("imported: opens and closes again and again, although only reads and writes were timed")
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(
        made.file("/shared"), evenly({.bytes_read = mib, .read_time = second, .metadata_time = 80 * second}));
    row.opens = 80'000;
    made.operations(Layer::posix, Kind::read, 4, {1000, 2000});
    CHECK(finds(made.log, "open_close_churn"));
}

TEST_CASE("imported: rules whose counters are not recorded are silent")
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(made.file("/shared"),
                                         evenly({.bytes_written = 800 * mib, .write_time = 80 * second}));
    in_calls(row, Direction::write, 800, mib);
    row.syncs = 800;
    row.consecutive_writes = 800;
    auto& stream = made.shared<StdioRecord>(made.file("/text"),
                                            evenly({.bytes_written = 800 * mib, .write_time = 80 * second}));
    stream.writes = 800;
    stream.syncs = 800;
    CHECK_FALSE(finds(made.log, "frequent_syncs"));
    CHECK_FALSE(finds(made.log, "lock_waits"));
    CHECK_FALSE(finds(made.log, "random_access"));  // stdio tells no offsets, POSIX's all are consecutive
    CHECK_FALSE(finds(made.log, "bursts"));
}

TEST_CASE("imported: a cost that rests on a slowest rank that is not known says so")
{
    Imported made(8);
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        auto& row =
            made.shared<PosixRecord>(made.file("/small" + std::to_string(rank)),
                                     {.all = {.bytes_written = 80'000 * 1024, .write_time = 10 * second},
                                      .slowest = {rank, 3 * second, 10'000 * 1024},
                                      .fastest = {(rank + 1) % 8, second, 10'000 * 1024}});
        in_calls(row, Direction::write, 80'000, 1024);
        row.consecutive_writes = 80'000;
    }
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "small_requests");
    REQUIRE(one != nullptr);
    CHECK_THAT(one->doubt, Contains("10.0 s in I/O, which it did at least; it may be up to 24.0 s"));
}
