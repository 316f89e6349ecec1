// Sleeping until a file is there.
#include <catch2/catch.hpp>
#include <cerrno>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// A run of 100 s in which each process slept so often for so long in all, in vain for a part of it.
Synthetic sleeping(std::uint64_t polls, std::uint64_t time, std::uint64_t in_vain, std::int64_t ranks = 0,
                   std::uint64_t cause = ENOENT)
{
    Synthetic made;
    for (std::int64_t rank = ranks == 0 ? -1 : 0; rank < ranks; ++rank) {
        made.process(rank);
        Process& one = made.log.rows<Process>().back();
        one.libraries = "libc";
        one.polls = polls;
        one.poll_time = time;
        one.poll_failed_time = in_vain;
        one.end = job_start + 100 * second;
    }
    FailedPath path{.path = "/run/stage.1", .calls = polls, .cause = cause};
    path.slept = time;
    made.log.rows<FailedPath>().push_back(path);
    return made;
}

}  // namespace

TEST_CASE("polling: what was slept though the file was there, from three sleeps on")
{
    const report::Finding one = finding_of(sleeping(3, 20 * second, 11 * second).log, "polling");
    CHECK(one.title == "3 sleeps of 6.67 s between two looks for the same file");
    CHECK(cost_of(one) == Approx(9));
    CHECK_FALSE(one.cost_least);
    CHECK_THAT(numbers_of(one), Contains("/run/stage.1 (20.0 s)"));
    CHECK_THAT(lines_of(one), Contains("inotify"));
    CHECK_FALSE(finds(sleeping(2, 20 * second, 11 * second).log, "polling"));
    // One or two, where they are a quarter of the run.
    const report::Finding long_one = finding_of(sleeping(1, 25 * second, 0).log, "polling");
    CHECK(long_one.title == "One sleep of 25.0 s between two looks for the same file");
    CHECK_FALSE(finds(sleeping(1, 24 * second, 0).log, "polling"));
    // Sleeps that were too short are none that cost.
    CHECK_FALSE(finds(sleeping(1000, 20 * second, 17 * second).log, "polling"));
    CHECK(finds(sleeping(1000, 20 * second, 15 * second).log, "polling"));
}

TEST_CASE("polling: ranks wait for the one that waits longest")
{
    Synthetic made = sleeping(10, 10 * second, 0, 4);
    made.log.rows<Process>()[2].poll_time = 12 * second;
    CHECK(cost_of(made.log, "polling") == Approx(12));
    CHECK_THAT(lines_of(finding_of(made.log, "polling")), Contains("MPI_Recv"));
}

TEST_CASE("polling: of ranks that wait for files of one another, one may be late for having slept")
{
    Synthetic made = sleeping(10, 10 * second, 6 * second, 2);
    CHECK_FALSE(finding_of(made.log, "polling").cost_least);
    FailedPath other{.path = "/run/stage.2", .calls = 10, .cause = ENOENT};
    other.slept = 10 * second;
    made.log.rows<FailedPath>().push_back(other);
    const report::Finding one = finding_of(made.log, "polling");
    CHECK(one.cost_least == Approx(4));
    CHECK(cost_of(one) == Approx(10));
}

TEST_CASE("polling: what has to go first is a lock")
{
    CHECK_THAT(lines_of(finding_of(sleeping(10, 10 * second, 0, 0, EEXIST).log, "polling")),
               Contains("flock"));
    const report::Finding refused = finding_of(sleeping(10, 10 * second, 0, 0, EAGAIN).log, "polling");
    CHECK(refused.title == "10 sleeps of 1.00 s between two attempts to lock the same file");
    CHECK_THAT(lines_of(refused), Contains("F_SETLKW"));
    CHECK(refused.cost_least == 0.0);
}

TEST_CASE("reads in order, though the program said that they would not be, that wait for the device")
{
    const auto scan = [](std::uint64_t reads, std::uint64_t each, std::uint64_t size = 16 << 10) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().end = job_start + 2 * reads * each;
        made.log.rows<Process>().front().libraries = "libc";
        PosixRecord& row = calls(made, made.file("/data"), 0, Direction::read, reads, size, each);
        row.opens = 1;
        row.random_advices = row.advices = 1;
        return made;
    };
    Synthetic made = scan(1000, 2 * ms);
    const report::Finding one = finding_of(made.log, "no_read_ahead");
    CHECK(cost_of(one) == Approx(2 - 1000.0 * (16 << 10) / (2048.0 * (1 << 20))).epsilon(1e-3));
    CHECK(one.cost_least.value_or(0) == Approx(2 * 7.0 / 8));
    CHECK(found_in(made.log).size() == 1);
    CHECK_THAT(lines_of(one), Contains("POSIX_FADV_SEQUENTIAL"));

    made.log.rows<PosixRecord>().front().random_advices = 0;
    CHECK_FALSE(finds(made.log, "no_read_ahead"));
    CHECK_FALSE(finds(scan(99, 20 * ms).log, "no_read_ahead"));
    CHECK_FALSE(finds(scan(10000, 49 * us).log, "no_read_ahead"));  // from memory
    CHECK(finds(scan(10000, 50 * us).log, "no_read_ahead"));
    CHECK_FALSE(finds(scan(1000, 2 * ms, 128 << 10).log, "no_read_ahead"));  // as large as what is read ahead

    // By a stream, of which the buffer serves four reads in five.
    Synthetic stream;
    stream.process(-1);
    stream.log.rows<Process>().front().end = job_start + 4 * second;
    const std::uint64_t file = stream.file("/data");
    stream.io<PosixRecord>(file, 0, {}).random_advices = 1;
    StdioRecord& row = stream.io<StdioRecord>(file, 0, {.bytes_read = 4 * mib, .read_time = 2 * second});
    row.reads = 5000;
    row.buffered_reads = 4000;
    row.consecutive_reads = 4999;
    CHECK(finding_of(stream.log, "no_read_ahead").title.starts_with("1,000 reads in order"));
    CHECK_FALSE(finds(stream.log, "stdio_bulk"));
    Synthetic scattered = scan(1000, 2 * ms);
    scattered.log.rows<PosixRecord>().front().consecutive_reads = 899;
    CHECK_FALSE(finds(scattered.log, "no_read_ahead"));
}
