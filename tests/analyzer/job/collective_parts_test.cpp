// Where the time in collective calls went, by accounts that were made up.
#include "analyzer/job/collective_parts.h"

#include <catch2/catch.hpp>

#include "analyzer/job/collectives.h"
#include "tests/analyzer/synthetic.h"

namespace fathom {
namespace {

using testing::job_start, testing::mib, testing::second, testing::Synthetic;
constexpr std::uint64_t ms = 1'000'000;

// Milliseconds since the job's start.
struct Told {
    std::int64_t process;
    std::uint64_t before, start, end, beneath = 0;
};

void add_call(Synthetic& made, std::uint64_t file, std::uint64_t call, std::uint64_t ranks,
              std::initializer_list<Told> accounts)
{
    const auto at = [](std::uint64_t when) { return when == 0 ? 0 : job_start + when * ms; };
    for (const Told& one : accounts)
        made.log.rows<CollectiveCall>().push_back({one.process, file, call, ranks, 1, at(one.before),
                                                   at(one.start), at(one.end), one.beneath * ms});
}

CollectiveParts parts_of(const Synthetic& made)
{
    const auto all = collective_parts_of(Job(made.log));
    REQUIRE(all.size() <= 1);
    return all.empty() ? CollectiveParts{} : all.begin()->second;
}

}  // namespace

TEST_CASE("ranks wait for the one that comes last, whichever it is")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    add_call(made, file, 0, 2, {{0, 0, 100, 230, 20}, {1, 0, 200, 230}});
    add_call(made, file, 1, 2, {{0, 230, 400, 430, 10}, {1, 230, 300, 430}});
    const CollectiveParts parts = parts_of(made);
    CHECK(parts.calls == 2);
    CHECK(parts.mean == Approx((130 + 30 + 30 + 130) / 2.0 * ms));
    CHECK(parts.waiting == Approx(100 * ms));
    CHECK(parts.file_system == Approx(30 * ms));
    CHECK(parts.exchange() == Approx(30 * ms));
}

TEST_CASE("who waits for a rank that is still in its last call waits for what goes on there")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    // Rank 0 left the call before at 100, rank 1 at 190; then it did something else for 10 ms.
    add_call(made, file, 1, 2, {{0, 100, 101, 300, 40}, {1, 190, 200, 300}});
    const CollectiveParts parts = parts_of(made);
    CHECK(parts.waiting == Approx(10 / 2.0 * ms));
    CHECK(parts.exchange() == Approx((199 + 100 - 10) / 2.0 * ms - 40 * ms));
}

TEST_CASE("a rank that leaves before the last one has come waited no longer than it was there")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    add_call(made, file, 0, 2, {{0, 0, 100, 150}, {1, 0, 200, 300, 100}});
    const CollectiveParts parts = parts_of(made);
    CHECK(parts.waiting == Approx(25 * ms));
    CHECK(parts.exchange() == 0);
}

TEST_CASE("calls count where each of their ranks has them once")
{
    Synthetic made;
    made.ranks(3);
    const std::uint64_t file = made.file("/shared");
    add_call(made, file, 0, 3, {{0, 0, 100, 200}, {1, 0, 100, 200}});
    add_call(made, file, 1, 2, {{0, 0, 100, 200}, {0, 0, 100, 200}});
    add_call(made, file, 2, 1, {{0, 0, 100, 200}});
    add_call(made, file, 3, 2, {{0, 0, 100, 200}, {7, 0, 100, 200}});  // of no process
    add_call(made, file, 4, 2, {{0, 0, 300, 200}, {1, 0, 100, 200}});  // damaged
    CHECK(parts_of(made).calls == 0);
    add_call(made, file, 5, 2, {{2, 0, 100, 200}, {1, 0, 100, 200}});
    CHECK(parts_of(made).calls == 1);
}

TEST_CASE("times of collective calls are compared by one clock")
{
    const auto with = [](bool met) {
        Synthetic made;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.process(rank, rank == 0 ? "node1" : "node2");
            if (met) made.log.rows<Process>().back().met = job_start + (rank == 0 ? 1 : 3) * second;
        }
        // By one clock, both came at the same time.
        add_call(made, made.file("/shared"), 0, 2, {{0, 0, 500, 600}, {1, 0, 2500, 2600}});
        return made;
    };
    CHECK(parts_of(with(true)).calls == 1);
    CHECK(parts_of(with(true)).waiting == 0);
    CHECK(parts_of(with(false)).calls == 0);
}

TEST_CASE("the parts of the calls that were sampled stand for all of a file in that direction")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        auto& row = made.io<MpiioRecord>(file, rank, {.bytes_written = mib, .write_time = 8 * second});
        row.writes = row.collective_writes = 100;
    }
    made.io<PosixRecord>(file, 1, {.bytes_written = 2 * mib, .write_time = second}, Scope::beneath_mpiio);
    add_call(made, file, 0, 2, {{0, 0, 100, 300, 40}, {1, 0, 200, 300}});
    const Job job(made.log);
    const std::vector<CollectiveTime> times = collective_times_of(job);
    REQUIRE(times.size() == 1);
    CHECK(times[0].calls_together() == 100);
    CHECK(times[0].sampled == 1);
    CHECK(times[0].mean == Approx(8 * second));
    CHECK(times[0].waiting == Approx(8 * second / 3.0));
    CHECK(times[0].file_system == Approx(8 * second * 40 / 150.0));
    CHECK(times[0].exchange == Approx(8 * second * 60 / 150.0));
}

}  // namespace fathom
