// How processes ended, in the report's words.
#include "analyzer/job/endings.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/synthetic.h"

namespace fathom {
namespace {

std::string words(Ending ending, std::int64_t status = no_status, std::int64_t rank = -1,
                  std::uint64_t finalized = 0)
{
    Process process;
    process.rank = rank;
    process.ending = static_cast<std::uint64_t>(ending);
    process.status = status;
    process.finalized = finalized;
    return ending_of(process);
}

std::string first_note(const Log& log)
{
    const std::vector<report::Note> notes = notes_on_endings(Job(log));
    return notes.empty() ? "" : notes.front().text;
}

}  // namespace

TEST_CASE("each ending has its words")
{
    CHECK(words(Ending::unknown) == "not seen");
    CHECK(words(Ending::exited) == "exit");
    CHECK(words(Ending::exited, 0) == "exit 0");
    CHECK(words(Ending::exited, 3) == "exit 3");
    CHECK(words(Ending::killed, 9) == "SIGKILL (9)");
    CHECK(words(Ending::killed, 40) == "signal 40");
    CHECK(words(Ending::aborted, -1, 2) == "MPI_Abort(-1)");
    CHECK(words(Ending::replaced) == "replaced by exec");
    CHECK(words(Ending::running) == "still running when the log was written");
}

TEST_CASE("what comes after MPI_Finalize is reported where it is no plain exit")
{
    CHECK(words(Ending::finalized, no_status, 0, 1) == "MPI_Finalize");
    CHECK(words(Ending::finalized, 0, 0, 1) == "MPI_Finalize");
    CHECK(words(Ending::finalized, 5, 0, 1) == "exit 5 after MPI_Finalize");
    CHECK(words(Ending::killed, 11, 0, 1) == "SIGSEGV (11) after MPI_Finalize");
    CHECK(words(Ending::exited, 4, 1) == "exit 4 without MPI_Finalize");
}

TEST_CASE("what could not be recorded is reported")
{
    testing::Synthetic made;
    made.process(0);
    CHECK(first_note(made.log).empty());
    made.log.rows<Process>().front().program = "/usr/bin/php8.2";
    CHECK(first_note(made.log).starts_with("PHP loads its extensions"));
    made.log.rows<Process>().front().program = "/home/user/app";
    made.log.add_fact("not_recorded", "sudo, static (3 times)");
    CHECK(first_note(made.log).starts_with("Started, but not recorded: sudo, static (3 times). "));
    made.log.add_fact("note", "./app is linked statically");
    CHECK(first_note(made.log) == "./app is linked statically.");
}

TEST_CASE("endings are counted, the most frequent first")
{
    testing::Synthetic made;
    for (int rank = 0; rank < 3; ++rank) made.process(rank);
    made.log.rows<Process>()[1].ending = static_cast<std::uint64_t>(Ending::killed);
    made.log.rows<Process>()[1].status = 15;
    CHECK(endings_of(Job(made.log)) == "2 exit, 1 SIGTERM (15)");
    CHECK(first_note(made.log) ==
          "A process ended before its time: rank 1: SIGTERM (15). The numbers hold what it did until then.");
}

TEST_CASE("workers that their parent ended by SIGTERM are no news, where it ended well itself")
{
    testing::Synthetic made;
    made.process(-1, "node0", 500);
    for (std::uint64_t worker = 1; worker <= 3; ++worker) made.process(-1, "node0", 500 + worker, 500);
    auto& processes = made.log.rows<Process>();
    processes[0].status = 0;
    for (std::size_t worker = 1; worker <= 3; ++worker) {
        processes[worker].ending = static_cast<std::uint64_t>(Ending::killed);
        processes[worker].status = 15;
    }
    CHECK(first_note(made.log).empty());
    CHECK(early_endings_of(Job(made.log)) == 0);
    CHECK(endings_of(Job(made.log)) == "3 SIGTERM (15) by a parent that ended well, 1 exit 0");

    processes[1].status = 9;
    CHECK(early_endings_of(Job(made.log)) == 1);
    processes[1].status = 15;
    processes[2].host = "node1";
    processes[3].parent = 7;
    CHECK(early_endings_of(Job(made.log)) == 2);
    processes[0].status = 1;
    CHECK(early_endings_of(Job(made.log)) == 3);
}

TEST_CASE("processes that ended by themselves are no news")
{
    testing::Synthetic made;
    made.ranks(2);
    CHECK(first_note(made.log).empty());
}

}  // namespace fathom
