// The traces of a log come back thread by thread, and what is missing of them is told.
#include "logformat/log/trace.h"

#include <catch2/catch.hpp>

#include "trace_sample.h"

using namespace fathom;
using Catch::Contains;

namespace {

constexpr std::uint64_t start = 1'800'000'000'000'000'000;

// Three threads write a file each: 100 times one block after the other.
Log log_of_three(std::size_t piece_bytes = 4096)
{
    Log log;
    for (const auto& [process, thread] : {std::pair{1, 0}, {0, 1}, {0, 0}}) {
        const auto number = static_cast<std::uint64_t>(thread);
        sample::TracedThread traced(log, process, number, 70 + number, piece_bytes);
        for (std::uint64_t i = 0; i < 100; ++i) {
            const std::uint64_t at = start + i * 1000;
            const std::uint64_t size = piece_bytes < 4096 ? i + 1 : 512;
            traced.add({static_cast<std::uint64_t>(process + 5), Layer::stdio, Kind::write, i * 512, size, at,
                        at + 200});
        }
        traced.end();
    }
    return log;
}

std::vector<TraceEvent> events_of(const Log& log, std::vector<std::string>* problems = nullptr)
{
    std::vector<TraceEvent> events;
    const auto found = for_each_traced(log, [&](const TraceEvent& event) { events.push_back(event); });
    if (problems != nullptr)
        *problems = found;
    else
        CHECK(found.empty());
    return events;
}

}  // namespace

TEST_CASE("a log's operations come by process and thread")
{
    for (const std::size_t piece_bytes : {40u, 4096u}) {
        const auto events = events_of(log_of_three(piece_bytes));
        REQUIRE(events.size() == 300);
        const auto who = [&](std::size_t at) { return std::pair(events[at].process, events[at].tid); };
        CHECK(who(0) == std::pair(std::int64_t{0}, std::uint64_t{70}));
        CHECK(who(100) == std::pair(std::int64_t{0}, std::uint64_t{71}));
        CHECK(who(299) == std::pair(std::int64_t{1}, std::uint64_t{70}));
        for (std::size_t at = 0; at < 300; ++at) {
            const TraceEvent& event = events[at];
            CHECK(event.layer == Layer::stdio);
            CHECK(event.kind == Kind::write);
            CHECK(event.file == static_cast<std::uint64_t>(event.process) + 5);
            CHECK(event.offset == at % 100 * 512);
            CHECK(event.start <= start + at % 100 * 1000);
            CHECK(event.start + 40 > start + at % 100 * 1000);
            CHECK(event.duration >= 197);
            CHECK(event.duration <= 203);
        }
    }
}

TEST_CASE("ticks become nanoseconds, and times before the first start are no trouble")
{
    Log log;
    sample::TracedThread traced(log, 0, 0, 1);
    traced.add({1, Layer::posix, Kind::read, 0, 1, start, start + 1000});
    traced.add({1, Layer::mpiio, Kind::read, 0, 1, start - 1000, start + 2000});
    traced.end();
    log.rows<TraceTimes>().front().tick = 0.5;
    const auto events = events_of(log);
    REQUIRE(events.size() == 2);
    CHECK(events[0].start == start);
    CHECK(events[0].duration == Approx(500).epsilon(0.016));
    CHECK(events[1].start <= start - 500);
    CHECK(events[1].start > start - 530);
    CHECK(events[1].duration == Approx(1500).epsilon(0.016));
}

TEST_CASE("a visitor that has seen enough stops the reading")
{
    std::size_t seen = 0;
    for_each_traced(log_of_three(), [&](const TraceEvent&) { return ++seen < 7; });
    CHECK(seen == 7);
}

TEST_CASE("what is missing of a trace is reported, and the other threads are read")
{
    std::vector<std::string> problems;
    Log log = log_of_three(40);
    SECTION("a piece")
    {
        auto& pieces = log.rows<TracePiece>();
        pieces.erase(pieces.begin() + 2);  // of process 1
        const auto events = events_of(log, &problems);
        CHECK(events.size() > 200);
        CHECK(events.size() < 300);
        CHECK_THAT(problems.at(0), Contains("thread 0 of process 1 ends early: piece 2 is not in the log"));
    }
    SECTION("a shape that all threads share")
    {
        auto& shapes = log.rows<TraceShape>();
        shapes.erase(shapes.begin() + 2);
        CHECK(events_of(log, &problems).size() < 300);
        CHECK(problems.size() == 3);
    }
    SECTION("the times")
    {
        log.rows<TraceTimes>().erase(log.rows<TraceTimes>().begin());
        CHECK(events_of(log, &problems).size() == 200);
        CHECK_THAT(problems.at(0), Contains("process 1") && Contains("its times are not in the log"));
    }
    SECTION("some of the times")
    {
        auto& times = log.rows<TraceTimes>().front();
        times.code.remove_suffix(20);
        CHECK(events_of(log, &problems).size() == 290);
        CHECK_THAT(problems.at(0), Contains("the times end after 90 operations"));
    }
    SECTION("the clock")
    {
        log.rows<TraceTimes>().front().tick = 0;
        CHECK(events_of(log, &problems).size() == 200);
        CHECK_THAT(problems.at(0), Contains("its clock is damaged"));
    }
    SECTION("operations that a piece promises")
    {
        log.rows<TracePiece>().front().operations += 3;
        CHECK(events_of(log, &problems).size() == 300);
        CHECK_THAT(problems.at(0), Contains("100 of 103 operations are in the log"));
    }
    CHECK(has_trace(log));
    CHECK_FALSE(has_trace(Log()));
}
