// Ranks that differ in logs that tell of shared files no more than who was slowest and fastest.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "analyzer/findings/certain_work.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"
#include "tests/analyzer/imported.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Four ranks that write a file together: what all did, and how long and how much the slowest and the fastest.
Imported shared_by_four(std::uint64_t all_seconds, std::uint64_t all_mib, ProcessShare slowest,
                        ProcessShare fastest)
{
    Imported made(4);
    made.shared<PosixRecord>(
        made.file("/shared"),
        {{.bytes_written = all_mib * mib, .write_time = all_seconds * second}, slowest, fastest});
    return made;
}

constexpr ProcessShare share(std::int64_t rank, std::uint64_t seconds, std::uint64_t bytes_in_mib)
{
    return {rank, seconds * second, bytes_in_mib * mib};
}

const CertainWork* of_rank(const std::vector<CertainWork>& work, std::size_t rank)
{
    const auto at =
        std::find_if(work.begin(), work.end(), [&](const CertainWork& one) { return one.rank == rank; });
    return at == work.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE(
    "certain work: a rank did its own files, what the fastest did of shared ones, and more where it was "
    "slowest")
{
    Imported made = shared_by_four(40, 800, share(2, 16, 400), share(1, 5, 100));
    made.own<PosixRecord>(made.file("/own"), 2,
                          {.bytes_read = 30 * mib,
                           .bytes_written = 50 * mib,
                           .read_time = second,
                           .write_time = 2 * second,
                           .metadata_time = 3 * second});
    made.own<PosixRecord>(made.file("/log"), 0, {.bytes_written = 20 * mib, .write_time = 4 * second});
    made.own<PosixRecord>(made.file("tty", NameKind::stream), 0,
                          {.bytes_written = mib, .write_time = 90 * second});
    const Job job(made.log);
    const auto work = certain_work_of(job);
    REQUIRE(work.size() == 3);
    const CertainWork *slow = of_rank(work, 2), *fast = of_rank(work, 1), *other = of_rank(work, 0);
    REQUIRE((slow != nullptr && fast != nullptr && other != nullptr));
    const auto in_seconds = [](double ns) { return ns / 1e9; };
    CHECK(in_seconds(slow->time) == Approx(16 + 6));
    CHECK(slow->bytes == 480 * mib);
    // Its own reads and writes, and of the shared file what it took beyond the mean of the others, (40-16)/3
    // s.
    CHECK(in_seconds(slow->time_of_more_bytes) == Approx(3 + 8));
    CHECK(in_seconds(slow->time_of_others) == Approx((40 + 6 + 4 - 22) / 3.0));
    CHECK(slow->bytes_of_others == Approx((800 + 80 + 20 - 480) / 3.0 * mib));
    CHECK(in_seconds(fast->time) == Approx(5));
    CHECK(fast->bytes == 100 * mib);
    CHECK(fast->time_of_more_bytes == 0);
    CHECK(in_seconds(other->time) == Approx(4 + 5));
    CHECK(other->bytes == 20 * mib);
}

TEST_CASE("certain work: requests of next to nothing have no imbalance")
{
    const auto more = [](std::uint64_t little) {
        Imported made = shared_by_four(4, 400, share(1, 1, 100), share(2, 1, 100));
        made.own<PosixRecord>(made.file("/much"), 0,
                              {.bytes_written = 10'000 - little, .write_time = second});
        made.own<PosixRecord>(made.file("/little"), 0, {.bytes_written = little, .write_time = 9 * second});
        const Job job(made.log);
        return of_rank(certain_work_of(job), 0)->time_of_more_bytes / 1e9;
    };
    CHECK(more(100) == Approx(10));
    CHECK(more(99) == Approx(1));
}

TEST_CASE("certain work: none for one rank, without MPI, and where the log separates ranks")
{
    Imported one(1);
    one.shared<PosixRecord>(one.file("/file"),
                            {{.bytes_written = mib, .write_time = second}, share(0, 1, 1), share(0, 1, 1)});
    CHECK(certain_work_of(Job(one.log)).empty());
    Synthetic apart;
    apart.ranks(2);
    apart.io<PosixRecord>(apart.file("/file"), 0, {.bytes_written = mib});
    CHECK(certain_work_of(Job(apart.log)).empty());
}

TEST_CASE("certain stragglers: half as long again as the others' mean is clearly slower")
{
    CHECK(finds(shared_by_four(54, 400, share(3, 18, 100), share(1, 10, 100)).log, "stragglers"));
    CHECK_FALSE(finds(shared_by_four(55, 400, share(3, 18, 100), share(1, 10, 100)).log, "stragglers"));
    const report::Finding one =
        finding_of(shared_by_four(60, 420, share(3, 30, 120), share(1, 9, 100)).log, "stragglers");
    CHECK(numbers_of(one) == R"(Rank 3 spends 3.0 times as long in I/O as the mean of the others
20.0 s, 20 %, medium
rank 3: 30.0 s (in I/O, at least)
the mean of the others: 10.0 s (of 3 ranks, at most)
bytes it moved: 120 MiB (for certain; the mean of the others is 100 MiB))");
}

TEST_CASE("certain stragglers: a rank that was longer at it because it moved more is uneven rather than slow")
{
    CHECK(finds(shared_by_four(60, 450, share(3, 30, 150), share(1, 9, 100)).log, "stragglers"));
    CHECK_FALSE(finds(shared_by_four(60, 450, share(3, 30, 151), share(1, 9, 99)).log, "stragglers"));
}

TEST_CASE("certain stragglers: a single call that hangs for less than a second is what a busy machine does")
{
    const auto found = [](std::uint64_t longest, std::uint64_t more) {
        Imported made(4);
        auto& row = made.shared<PosixRecord>(made.file("/shared"),
                                             {{.bytes_written = 400 * mib, .write_time = 4 * second + more},
                                              {3, second + more, 100 * mib},
                                              {1, second, 100 * mib}});
        row.slowest_write.time = longest;
        for (Process& process : made.log.rows<Process>()) process.end = job_start + 3 * second;
        return finds(made.log, "stragglers");
    };
    CHECK_FALSE(found(451 * ms, 900 * ms));
    CHECK(found(450 * ms, 900 * ms));
    CHECK(found(900 * ms, second));
}

TEST_CASE("certain imbalance: half as much again as the mean, and what equal parts would spare")
{
    CHECK(finds(shared_by_four(60, 400, share(3, 40, 150), share(1, 5, 80)).log, "byte_imbalance"));
    CHECK_FALSE(finds(shared_by_four(60, 404, share(3, 40, 151), share(1, 5, 80)).log, "byte_imbalance"));
    const report::Finding one =
        finding_of(shared_by_four(70, 480, share(3, 40, 240), share(1, 5, 80)).log, "byte_imbalance");
    // Half of its bytes are too many: 20 s, and it took 30 s longer than the mean of the others.
    CHECK(numbers_of(one) == R"(Rank 3 moves 2.0 times as many bytes as the mean
20.0 s, 20 %, medium
rank 3: 240 MiB (for certain, in at least 40.0 s in I/O)
the mean: 120 MiB (of 4 ranks; the others took 10.0 s at most on average))");
}

TEST_CASE("single process, for certain: files that one rank alone moved, of all that was moved")
{
    Imported made(4);
    made.own<PosixRecord>(made.file("/one"), 2, {.bytes_written = 500 * mib, .write_time = 10 * second});
    made.own<PosixRecord>(made.file("/two"), 2, {.bytes_written = 450 * mib, .write_time = 20 * second});
    made.own<PosixRecord>(made.file("tty", NameKind::stream), 2, {.bytes_written = 900 * mib});
    made.log.rows<Totals>().back().scope = static_cast<std::uint64_t>(Scope::streams);
    made.own<PosixRecord>(made.file("/other"), 1, {.bytes_written = 10 * mib, .write_time = second});
    made.shared<PosixRecord>(
        made.file("/shared"),
        {{.bytes_written = 40 * mib, .write_time = second}, share(1, 1, 10), share(3, 0, 10)});
    const report::Finding one = finding_of(made.log, "single_process");
    CHECK_THAT(one.title, Contains("One of 4 ranks writes for all"));
    CHECK(cost_of(one) == Approx(30 * 0.75 + 0.75 * 950 / 1024));
    CHECK_THAT(numbers_of(one), Contains("rank 2: 950 MiB"));
    made.own<PosixRecord>(made.file("/more"), 3, {.bytes_written = mib, .write_time = second});
    CHECK_FALSE(finds(made.log, "single_process"));  // 950 of 1001
}
