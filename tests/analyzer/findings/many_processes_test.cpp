// A short-lived program started again and again.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Loop {
    std::uint64_t turns = 5000, lasting = 5 * ms, turn = 10 * ms;
    std::int64_t rank = -1;
};

// A shell that starts cat in each turn, which is the shell's copy for the first tenth of it.
Synthetic script(const Loop& loop)
{
    Synthetic made;
    made.process(loop.rank);
    made.log.rows<Process>().front().program = "/usr/bin/bash";
    made.log.rows<Process>().front().libraries = "libc";
    const auto add = [&](std::uint64_t pid, std::string_view program, std::uint64_t from, std::uint64_t to) {
        made.process(-1, "node0", pid, 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.libraries = "libc";
        one.start = job_start + from;
        one.end = job_start + to;
    };
    for (std::uint64_t at = 0; at < loop.turns; ++at) {
        const std::uint64_t from = at * loop.turn;
        add(2000 + at, "/usr/bin/bash", from, from + loop.lasting / 10);
        add(2000 + at, "/usr/bin/cat", from + loop.lasting / 10, from + loop.lasting);
    }
    return made;
}

}  // namespace

TEST_CASE("processes: a turn of the loop for each, but for what recording adds")
{
    const report::Finding one = finding_of(script({}).log, "many_processes");
    CHECK(one.title == "5,000 processes of cat, each 5.00 ms long");
    CHECK(cost_of(one) == Approx(4998 * (0.010 - 0.0005) + 0.005 - 0.0005).epsilon(1e-3));
    CHECK_THAT(lines_of(one), Contains("xargs"));
}

TEST_CASE("processes: 32 are many, up to 10 ms each, and none where MPI started them")
{
    CHECK(finds(script({.turns = 32, .turn = second}).log, "many_processes"));
    CHECK_FALSE(finds(script({.turns = 31, .turn = second}).log, "many_processes"));
    CHECK(finds(script({.lasting = 10 * ms}).log, "many_processes"));
    CHECK_FALSE(finds(script({.lasting = 10 * ms + us, .turn = 11 * ms}).log, "many_processes"));
    CHECK_FALSE(finds(script({.rank = 0}).log, "many_processes"));
}

TEST_CASE("processes: a turn counts for four times the median, and work beyond the shortest tenth remains")
{
    Synthetic paused = script({.turns = 2000});
    for (Process& process : paused.log.rows<Process>())
        if (process.pid >= 3000) process.start += 40 * second, process.end += 40 * second;
    CHECK(cost_of(paused.log, "many_processes") == Approx(2000 * 0.0095).epsilon(0.01));
    Synthetic working = script({});
    for (Process& process : working.log.rows<Process>())
        if (process.program == "/usr/bin/cat" && process.pid % 4 == 0) process.end -= 3 * ms;
    CHECK(cost_of(working.log, "many_processes") == Approx(5000 * 0.0065).epsilon(0.01));
}
