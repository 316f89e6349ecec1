// The loop that is measured, on its own and in several threads.
#include "analyzer/timing/measure/timed_loop.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <vector>

#include "analyzer/timing/measure/clock.h"
#include "analyzer/timing/measure/files.h"
#include "analyzer/timing/measure/team.h"
#include "tests/analyzer/temporary.h"

using namespace fathom::measure;
using fathom::testing::Temporary;

namespace {

const std::atomic<bool> go_on = false, stop_at_once = true;

struct Zeros {
    Descriptor file{open("/dev/zero", O_RDONLY)};
    std::vector<std::byte> memory = std::vector<std::byte>(4096, std::byte{1});
    std::vector<Sample> samples = std::vector<Sample>(100);

    Loop loop(std::size_t size)
    {
        Loop one;
        one.file = file.number();
        one.size = size;
        one.buffer = memory.data();
        return one;
    }
};

}  // namespace

TEST_CASE("every access has its time, none overlaps the next, and the data is where it should be")
{
    Zeros zeros;
    for (std::size_t at = 0; at < 100; ++at) zeros.samples[at].memory = 10 * at;
    const std::uint64_t begin = now();
    const LoopEnd end = run_loop(zeros.loop(8), zeros.samples, go_on);
    const std::uint64_t finish = now();
    CHECK(end.done == 100);
    CHECK(!end.failed);
    std::uint64_t last = begin;
    for (const Sample& one : zeros.samples) {
        CHECK(one.start >= last);
        last = one.start + one.duration;
        CHECK(zeros.memory[one.memory] == std::byte{0});
        CHECK(zeros.memory[one.memory + 8] == std::byte{1});
    }
    CHECK(last <= finish);
}

TEST_CASE("the loop takes no page fault of its own")
{
    Zeros zeros;
    const auto faults = [] {
        rusage use{};
        getrusage(RUSAGE_THREAD, &use);
        return use.ru_minflt + use.ru_majflt;
    };
    long fewest = 1;
    // The first time its own code may have to be mapped, and now and then the kernel moves a page.
    for (int attempt = 0; attempt < 5 && fewest > 0; ++attempt) {
        const long before = faults();
        REQUIRE(run_loop(zeros.loop(8), zeros.samples, go_on).done == 100);
        fewest = std::min(fewest, faults() - before);
    }
    CHECK(fewest == 0);
}

TEST_CASE("a loop ends by its time limit after the least accesses, or at once when asked to")
{
    Zeros zeros;
    Loop loop = zeros.loop(8);
    loop.longest = 1;  // nanosecond
    loop.least = 7;
    CHECK(run_loop(loop, zeros.samples, go_on).done == 7);
    CHECK(run_loop(zeros.loop(8), zeros.samples, stop_at_once).done == 1);
}

TEST_CASE("an access that fails or is cut short ends the loop, which says what came back")
{
    Zeros zeros;
    Loop loop = zeros.loop(8);
    loop.operation = Operation::write;  // of a file opened for reading
    LoopEnd end = run_loop(loop, zeros.samples, go_on);
    CHECK(end.failed);
    CHECK(end.done == 0);
    CHECK(end.error == EBADF);
    const Temporary folder;
    const Files files(folder.path("."), 1, 8192, 1, go_on, [](std::uint64_t) {});
    loop = zeros.loop(4096);
    loop.file = files.descriptor(0);
    zeros.samples[2].offset = 8192 - 100;
    end = run_loop(loop, zeros.samples, go_on);
    CHECK(end.failed);
    CHECK(end.done == 2);
    CHECK(end.returned == 100);
}

TEST_CASE("writes of every manner arrive")
{
    const Temporary folder;
    for (const Manner manner : {Manner::plain, Manner::dropped_before, Manner::synced}) {
        Zeros zeros;
        const Files files(folder.path("."), 1, 8192, 1, go_on, [](std::uint64_t) {});
        Loop loop = zeros.loop(16);
        loop.file = files.descriptor(0);
        loop.operation = Operation::write;
        loop.manner = manner;
        zeros.samples.resize(3);
        for (Sample& one : zeros.samples) one.offset = 5000;
        REQUIRE(run_loop(loop, zeros.samples, go_on).done == 3);
        loop.operation = Operation::read;
        zeros.samples[0].memory = 100;
        zeros.memory[100] = std::byte{9};
        REQUIRE(run_loop(loop, std::span(zeros.samples).first(1), go_on).done == 1);
        CHECK(zeros.memory[100] == std::byte{1});
    }
}

TEST_CASE("threads run at the same time, each with its own places")
{
    constexpr std::size_t threads = 3;
    Zeros zeros;
    std::vector<std::vector<Sample>> samples(threads, std::vector<Sample>(2000));
    std::vector<std::byte> memory(threads * 4096);
    std::vector<Task> tasks;
    for (std::size_t at = 0; at < threads; ++at) {
        Loop loop = zeros.loop(16);
        loop.buffer = memory.data() + at * 4096;
        tasks.push_back({loop, Places(Layout::rnd, 16, 1 << 20, 1, at), Places(Layout::seq, 16, 4096, 1, at),
                         samples[at]});
    }
    const auto ends = run_together(tasks, go_on, [] {});
    REQUIRE(ends.size() == threads);
    for (std::size_t at = 0; at < threads; ++at) {
        CHECK(ends[at].done == 2000);
        CHECK(samples[at][3].memory == 48);
        CHECK(samples[at][0].offset != samples[(at + 1) % threads][0].offset);
    }
}

TEST_CASE("the clock's own part of a duration is reported")
{
    const ClockCost cost = clock_cost();
    CHECK(cost.longest_of_99_percent >= cost.median);
    CHECK(cost.median < 1'000'000);
}
