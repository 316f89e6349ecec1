// Which ranks a log has nothing of, and where that is said.
#include "analyzer/job/missing_ranks.h"

#include <catch2/catch.hpp>

#include "analyzer/commands/summary.h"
#include "analyzer/sections/overview/circumstances.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

namespace fathom {
namespace {

using Numbers = std::vector<std::int64_t>;

// Ranks of a launch of so many.
testing::Synthetic launch_of(std::uint64_t size, const Numbers& recorded)
{
    testing::Synthetic made;
    for (const std::int64_t rank : recorded) {
        made.process(rank);
        made.log.rows<Process>().back().ranks = size;
    }
    return made;
}

// Processes of the tasks of a launch; each the only rank of MPI_COMM_WORLD, where that has a size.
testing::Synthetic tasks_of_launch(std::uint64_t size, const Numbers& recorded, std::uint64_t world)
{
    testing::Synthetic made;
    for (const std::int64_t task : recorded) {
        made.process(world == 0 ? -1 : 0);
        Process& process = made.log.rows<Process>().back();
        process.ranks = world;
        process.task = task;
        process.tasks = size;
    }
    return made;
}

// Their names; empty where none is missing.
std::string missing_in(std::uint64_t size, const Numbers& recorded)
{
    const MissingRanks all = missing_ranks_of(Job(launch_of(size, recorded).log));
    return all.any() ? all.names() : "";
}

}  // namespace

TEST_CASE("a rank is missing where others say that there was one")
{
    CHECK(missing_in(6, {0, 1, 4, 5}) == "ranks 2, 3");
    CHECK(missing_in(3, {0, 1}) == "rank 2");
    CHECK(missing_in(3, {0, 1, 2}).empty());
    const MissingRanks all = missing_ranks_of(Job(launch_of(6, {0, 1, 4, 5}).log));
    CHECK(all.started == 6);
    CHECK(all.recorded() == 4);
    CHECK(all.any());
}

TEST_CASE("of launches of one size, a rank is missing that one of them lacks")
{
    CHECK(missing_in(2, {0, 1, 0}) == "rank 1");
    CHECK(missing_in(2, {0, 1, 0, 1}).empty());
    CHECK(missing_ranks_of(Job(launch_of(2, {0, 1, 0}).log)).started == 4);
}

TEST_CASE("ranks are missing whatever number a damaged log says")
{
    for (const int bits : {26, 27, 40, 60, 63})
        CHECK(missing_ranks_of(Job(launch_of(std::uint64_t{1} << bits, {0, 1}).log)).any());
}

TEST_CASE("no rank is called missing where the log does not say")
{
    testing::Synthetic other_sizes = launch_of(4, {0, 1});
    other_sizes.log.rows<Process>().back().ranks = 3;
    CHECK_FALSE(missing_ranks_of(Job(other_sizes.log)).any());
    CHECK(missing_in(2, {0, 2}).empty());  // two jobs' logs in one
    CHECK(missing_in(0, {0, 2}).empty());
    CHECK(missing_in(4, {-1, -1}).empty());
    testing::Synthetic older = launch_of(4, {0, 1});
    older.log.mark_lacking(&Process::ranks);
    CHECK_FALSE(missing_ranks_of(Job(older.log)).any());
}

TEST_CASE("a task is missing where the launcher started more than were recorded, MPI or not")
{
    const testing::Synthetic farm = tasks_of_launch(6, {0, 1, 1, 4, 5}, 0);
    const MissingRanks all = missing_ranks_of(Job(farm.log));
    CHECK(all.tasks);
    CHECK(all.in_words() == "4 of 6 tasks");
    CHECK(all.names() == "tasks 2, 3");
    CHECK(circumstances_of(Job(farm.log)).back() == "5 processes of 4 of 6 tasks on node0");
    const std::string text = testing::report_text(farm.log);
    CHECK(text.find("4 of 6 tasks were recorded; missing: tasks 2, 3.") != std::string::npos);
    CHECK(text.find("Not recorded: 2 of 6 tasks: tasks 2, 3.") != std::string::npos);
    CHECK(text.find("complete") == std::string::npos);

    CHECK_FALSE(missing_ranks_of(Job(tasks_of_launch(2, {0, 1, 1}, 0).log)).any());
    CHECK_FALSE(missing_ranks_of(Job(tasks_of_launch(2, {0, 3}, 0).log)).tasks);  // a damaged log
    // Each believes to be the only rank.
    CHECK(missing_ranks_of(Job(tasks_of_launch(3, {0, 2}, 1).log)).names() == "task 1");
}

TEST_CASE("a rank that never called MPI_Init is missing as a rank, and its processes are reported")
{
    testing::Synthetic made = launch_of(4, {0, 1});
    made.process(-1);
    made.log.rows<Process>().back().task = 3;
    made.log.rows<Process>().back().tasks = 4;
    const MissingRanks all = missing_ranks_of(Job(made.log));
    CHECK(all.names() == "ranks 2, 3");
    CHECK(all.remark() == "; of rank 3 processes were recorded, but none that called MPI_Init");
    CHECK(missing_ranks_of(Job(launch_of(4, {0, 1}).log)).remark().empty());
}

TEST_CASE("missing ranks are named in short")
{
    CHECK(missing_in(10, {0, 2, 3, 7, 8}) == "ranks 1, 4-6, 9");
    CHECK(missing_in(16, {1, 3, 5, 7, 9, 11, 13, 15}) == "ranks 0, 2, 4, 6, 8, 10 and 2 more");
    CHECK(missing_in(3, {0, 0}) == "ranks 1, 2");
    CHECK(missing_ranks_of(Job(launch_of(3, {0, 0}).log)).missing == 4);
}

TEST_CASE("missing ranks are reported in the line above a report, in its summary and when recording ends")
{
    testing::Synthetic made = launch_of(6, {0, 1, 4, 5});
    made.io<PosixRecord>(made.file("/data/a"), 0,
                         {.bytes_written = testing::mib, .write_time = testing::second});
    CHECK(circumstances_of(Job(made.log)).back() == "4 of 6 MPI ranks on node0");
    CHECK(summary_of(made.log, "x.fathom").find("; 4 of 6 MPI ranks recorded\nfathom: log: x.fathom") !=
          std::string::npos);
    const std::string text = testing::report_text(made.log);
    CHECK(text.find("4 of 6 MPI ranks were recorded; missing: ranks 2, 3.") != std::string::npos);
    CHECK(text.find("by 1 of 4 recorded ranks (1-1)") != std::string::npos);
    CHECK(text.find("Not recorded: 2 of 6 MPI ranks: ranks 2, 3.") != std::string::npos);
    CHECK(text.find("complete") == std::string::npos);

    const testing::Synthetic whole = launch_of(2, {0, 1});
    CHECK(circumstances_of(Job(whole.log)).back() == "2 MPI ranks on node0");
    CHECK(summary_of(whole.log, "x.fathom").find("ranks") == std::string::npos);
}

}  // namespace fathom
