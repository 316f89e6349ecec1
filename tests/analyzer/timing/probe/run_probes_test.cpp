// The grid, and lanes of which one hangs: by a clock that the test turns.
#include "analyzer/timing/probe/run_probes.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "analyzer/timing/probe/grid.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t milli = 1'000'000;

// A world whose clock jumps from slot to slot, once the threads have done what the test waits for.
struct World {
    std::uint64_t time = 1000, slots = 0;
    std::uint64_t stop_at = ~std::uint64_t{0};
    std::mutex mutex;
    std::string rows;
    std::vector<std::string> said;
    std::function<void(std::uint64_t)> each = [](std::uint64_t) {};
    std::function<bool()> done = [] { return true; };

    ProbeWorld view()
    {
        return {[this] { return time; },
                [this](std::uint64_t instant) {
                    for (int look = 0; look == 0 || (look < 5000 && !done()); ++look)
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    time = std::max(time, instant);
                    each(time);
                    return time < stop_at;
                },
                [this](std::string lines) {
                    const std::lock_guard lock(mutex);
                    rows += lines;
                },
                [] { return false; },
                [this](std::string_view line) { said.emplace_back(line); },
                [this](std::uint64_t slot, std::uint64_t) { slots = slot; }};
    }
    std::size_t count(const std::string& words)
    {
        const std::lock_guard lock(mutex);
        std::size_t number = 0;
        for (std::size_t at = rows.find(words); at != std::string::npos; at = rows.find(words, at + 1))
            ++number;
        return number;
    }
};

}  // namespace

TEST_CASE("slots lie on a grid that does not drift, and those that are over are left out")
{
    const Grid grid{100, 7};
    CHECK(grid.at(0) == 100);
    CHECK(grid.at(1'000'000) == 7'000'100);
    CHECK(grid.next(0) == 0);
    CHECK(grid.next(100) == 0);
    CHECK(grid.next(101) == 1);
    CHECK(grid.next(107) == 1);
    CHECK(grid.next(700) == 86);
    CHECK(grid.slots_in(70) == 10);
    CHECK(grid.slots_in(71) == 11);
    CHECK(grid.slots_in(1) == 1);
}

TEST_CASE("each path is probed at each slot, and the summary counts what was done")
{
    const Temporary folder;
    fs::create_directory(folder.path("a"));
    fs::create_directory(folder.path("b"));
    World world;
    world.done = [&] { return world.count("\n") >= 4 * world.slots; };
    ProbePlan plan{{folder.path("a"), folder.path("b")}, 100 * milli, 1000 * milli};
    const ProbeOutcome outcome = run_probes(plan, world.view());
    REQUIRE(outcome.summary.size() == 2);
    CHECK_THAT(outcome.summary[0], Contains(folder.path("a") + ": ") && Contains("write: median"));
    CHECK(outcome.operations == 40);
    CHECK_THAT(outcome.summary[1], Contains("10 probes; write"));
    CHECK(world.count(folder.path("b") + ",read") == 10);
    CHECK(fs::is_empty(folder.path("a")));
    CHECK(fs::is_empty(folder.path("b")));
}

TEST_CASE("a path that hangs is reported in the CSV while it hangs, and the others go on")
{
    const Temporary folder;
    fs::create_directory(folder.path("good"));
    fs::create_directory(folder.path("stuck"));
    std::atomic<bool> stuck{true};
    ProbePlan plan{{folder.path("stuck"), folder.path("good")}, 500 * milli, 20'000 * milli};
    const std::string name = folder.path("stuck");
    plan.calls.open = [&, name](const char* path, int flags, mode_t mode) {
        while (stuck && std::string_view(path).starts_with(name))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return ::open(path, flags, mode);
    };
    World world;
    world.each = [&](std::uint64_t now) {
        if (now > 15'000 * milli) stuck = false;
    };
    world.done = [&] {
        return world.count(folder.path("good") + ",write") >= world.slots &&
               (stuck || world.count(name + ",write,1048576,0.") > 0);
    };
    const ProbeOutcome outcome = run_probes(plan, world.view());
    CHECK(world.count("no answer for") >= 10);
    CHECK(world.count("no answer for") <= 16);  // one a second, rather than one a slot
    CHECK(world.count("2 probes missed") >= 9);
    CHECK(world.count(folder.path("good") + ",write") == 40);
    REQUIRE(!world.said.empty());
    CHECK(std::count_if(world.said.begin(), world.said.end(), [](const std::string& line) {
              return line.find("has not come back for") != std::string::npos;
          }) == 1);
    CHECK_THAT(outcome.summary[0], Contains("missed"));
    CHECK(world.count(name + ",write,1048576,0.") >= 1);  // it came back
    CHECK(fs::is_empty(folder.path("good")));
}

TEST_CASE("being stopped ends it at once, with its files removed")
{
    const Temporary folder;
    fs::create_directory(folder.path("a"));
    World world;
    world.stop_at = 10'000 * milli;
    world.done = [&] { return world.time < 5'000 * milli || world.count(",read,") > 0; };
    const ProbeOutcome outcome = run_probes({{folder.path("a")}, 1000 * milli, std::nullopt}, world.view());
    CHECK(outcome.operations > 0);
    // The world stops every sleep from then on, so that the lane may still be at it.
    for (int look = 0; look < 1000 && !fs::is_empty(folder.path("a")); ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(fs::is_empty(folder.path("a")));
}

TEST_CASE("a path that cannot be probed from the start is an error, and none is probed")
{
    const Temporary folder;
    fs::create_directory(folder.path("a"));
    World world;
    CHECK_THROWS_WITH(run_probes({{folder.path("a"), folder.path("none")}, milli, milli}, world.view()),
                      Contains("none: No such file"));
    CHECK(world.rows.empty());
}
