// How processes ended, as their parents learned it.
#include <catch2/catch.hpp>
#include <csignal>
#include <sys/wait.h>

#include "analyzer/record/endings.h"

using namespace fathom;

namespace {

constexpr std::uint64_t a_second = 1'000'000'000;

// A process that began at 100 s and was last seen in a call at 101 s; its parent is 7.
Log one_process(Ending ending)
{
    Log log;
    Process& process = log.rows<Process>().emplace_back();
    process.pid = 8;
    process.parent = 7;
    process.host = "node";
    process.start = 100 * a_second;
    process.end = 101 * a_second;
    process.ending = static_cast<std::uint64_t>(ending);
    return log;
}

const Process& after_death(Log& log, int status)
{
    add_death(log, "node", {7, 8, static_cast<std::int64_t>(status), 104 * a_second});
    settle_deaths(log);
    return log.rows<Process>().front();
}

}  // namespace

TEST_CASE("a killed process ran until its parent learned of its end, not until its last call")
{
    Log killed = one_process(Ending::unknown);
    const Process& process = after_death(killed, W_EXITCODE(0, SIGKILL));
    CHECK(process.ending == static_cast<std::uint64_t>(Ending::killed));
    CHECK(process.end == 104 * a_second);
}

TEST_CASE("a process that noted its end itself ended then")
{
    Log exited = one_process(Ending::exited);
    const Process& process = after_death(exited, W_EXITCODE(3, 0));
    CHECK(process.status == 3);
    CHECK(process.end == 101 * a_second);
}
