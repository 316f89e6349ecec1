// MPI programs that are started again and again, and programs that ranks start.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

Process& last_process(Synthetic& made)
{
    return made.log.rows<Process>().back();
}

// Runs of two ranks each, 4 s apart, of which the launcher lives for 3 s, and a second lies between MPI_Init
// and MPI_Finalize.
struct Launches {
    std::uint64_t runs = 5;
    std::uint64_t apart = 4 * second;
    bool with_launcher = true, one_program = true;
};
Synthetic launched(const Launches& launches)
{
    Synthetic made;
    for (std::uint64_t at = 0; at < launches.runs; ++at) {
        const std::uint64_t start = job_start + at * launches.apart;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.process(rank);
            Process& one = last_process(made);
            if (!launches.one_program) one.program = made.log.keep("/home/user/app" + std::to_string(at));
            one.ranks = 2;
            one.start = start + second / 2;
            one.initialized = start + second;
            one.finalized = start + 2 * second;
            one.end = start + 2 * second + second / 2;
        }
        if (!launches.with_launcher) continue;
        made.process(-1);
        last_process(made).program = "/usr/bin/mpirun";
        last_process(made).start = start;
        last_process(made).end = start + 3 * second;
    }
    return made;
}

// One of two ranks starts a program in each of these, a tenth of a second each, by a shell.
struct Started {
    std::uint64_t number = 10;
    std::string_view program = "/usr/bin/gzip", command = "gzip -9";
    bool by_shell = true;
};
Synthetic starting(const Started& started)
{
    Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) process.end = job_start + 10 * second;
    const std::uint64_t rank = made.log.rows<Process>()[1].pid;
    for (std::uint64_t at = 0; at < started.number; ++at) {
        const std::uint64_t pid = 5000 + 10 * at, from = job_start + at * second;
        const auto add = [&](std::string_view program, std::uint64_t of, std::uint64_t parent) {
            made.process(-1, "node0", of, parent);
            last_process(made).program = program;
            last_process(made).command = started.command;
            last_process(made).start = from;
            last_process(made).end = from + second / 10;
        };
        if (started.by_shell) add("/usr/bin/dash", pid, rank);
        add(started.program, pid + started.by_shell, started.by_shell ? pid : rank);
    }
    return made;
}

}  // namespace

TEST_CASE("many launches: what lies outside of MPI_Init and MPI_Finalize, but for the first run")
{
    const report::Finding one = finding_of(launched({}).log, "many_launches");
    CHECK(one.title == "5 runs of app by MPI, of which each takes 2.00 s to start and end");
    CHECK(cost_of(one) == Approx(4 * 2));
    CHECK_THAT(lines_of(one), Contains("mpirun PROGRAM PARAMETERS"));
    // Of ranks whose launcher was not recorded, their own lives.
    CHECK(cost_of(launched({.with_launcher = false}).log, "many_launches") == Approx(4 * 1));
    CHECK(finds(launched({.runs = 4}).log, "many_launches"));
    CHECK_FALSE(finds(launched({.runs = 3}).log, "many_launches"));
    CHECK_FALSE(finds(launched({.one_program = false}).log, "many_launches"));
    CHECK_FALSE(finds(launched({.apart = second}).log, "many_launches"));  // side by side
}

TEST_CASE("started by ranks: at most all of their time, in which the rank waits, at least their starts")
{
    const report::Finding one = finding_of(starting({}).log, "started_by_ranks");
    CHECK(one.title == "10 programs that ranks start and wait for, such as gzip");
    CHECK(cost_of(one) == Approx(10 * 0.1));
    CHECK(one.cost_least == Approx(10 * 0.001));
    CHECK_THAT(numbers_of(one), Contains("by 1 rank") && Contains("/usr/bin/gzip (10 runs)"));
    CHECK_THAT(lines_of(one), Contains("gzip -1"));
    CHECK_THAT(lines_of(finding_of(starting({.program = "/usr/bin/mv", .command = "mv a b"}).log,
                                   "started_by_ranks")),
               Contains("rename(path, kept)"));
    const auto found = [](const Started& started) {
        return finds(starting(started).log, "started_by_ranks");
    };
    CHECK(found({.number = 8}));
    CHECK_FALSE(found({.number = 7}));
    CHECK(found({.by_shell = false}));
    CHECK_FALSE(found({.program = "/home/user/solver", .command = "solver"}));  // that is work
    CHECK_FALSE(found({.command = "gzip -1"}));                                 // and so is that
}
