// Many logs of a job become one.
#include "analyzer/record/merge.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "logformat/slice_rows.h"
#include "tests/logformat/sample.h"

using namespace fathom;

namespace {

constexpr std::uint64_t an_hour = 3'600'000'000'000;
constexpr std::uint64_t begin = shortest_slice_ns * 28'800'000'000;

// A log of one process, which has number 0 in it.
Log log_of(std::int64_t rank, std::uint64_t pid, std::uint64_t start = an_hour)
{
    Log log;
    Process process;
    process.rank = rank;
    process.pid = pid;
    process.start = start;
    process.host = "node";
    process.threads = 1;
    process.traced = 10;
    process.untraced = 2;
    process.untimed = 1;
    log.rows<Process>().push_back(process);
    return log;
}

Slice slice_of(std::int64_t process, std::uint64_t number, unsigned doubled = 0, std::uint64_t layer = 0)
{
    Slice slice;
    slice.process = process;
    slice.layer = layer;
    slice.length = shortest_slice_ns << doubled;
    slice.start = begin + number * slice.length;
    slice.reads = 1;
    return slice;
}

// A thread of process 0 with a piece, two places and times in two rows.
void add_thread(Log& log, std::uint64_t thread, std::uint64_t shape, const std::string& times)
{
    log.rows<TraceShape>().push_back({shape, log.keep("code " + std::to_string(shape))});
    log.rows<TracePiece>().push_back({0, thread, 0, shape, 5});
    log.rows<TracePlace>().push_back({0, thread, 900 + shape, 7});
    log.rows<TracePlace>().push_back({0, thread, 100 + shape, 3});
    log.rows<TraceTimes>().push_back({0, thread, 4000 + thread, an_hour, 1, log.keep(times + " b")});
    log.rows<TraceTimes>().push_back({0, thread, 4000 + thread, an_hour, 1, log.keep(times + " a")});
}

}  // namespace

TEST_CASE("histograms of all processes become one, bin by bin")
{
    const OperationClass reads{0, 0, 0, 3}, opens{0, 0, 2, 0};
    Merger merger;
    Log first = log_of(-1, 10), second = log_of(-1, 11), third = log_of(-1, 12);
    first.rows<OperationTimes>() = {{opens, 1, 40, 40}, {reads, 3, 300, 150}};
    first.rows<DurationBin>() = {{opens, 40, 41, 1}, {reads, 100, 102, 2}, {reads, 64, 66, 1}};
    second.rows<OperationTimes>() = {{reads, 2, 500, 400}};
    second.rows<DurationBin>() = {{reads, 100, 102, 1}, {reads, 400, 408, 1}};
    for (Log* const log : {&first, &second, &third}) merger.add(std::move(*log));
    const Log log = merger.finish();
    const auto& times = log.rows<OperationTimes>();
    REQUIRE(times.size() == 2);
    CHECK(times[0].kind == 0);
    CHECK(times[0].operations == 5);
    CHECK(times[0].time == 800);
    CHECK(times[0].longest == 400);
    CHECK(times[1].operations == 1);
    const auto& bins = log.rows<DurationBin>();
    REQUIRE(bins.size() == 4);
    CHECK(bins[0].at_least == 64);
    CHECK(bins[1].at_least == 100);
    CHECK(bins[1].operations == 3);
    CHECK(bins[2].at_least == 400);
    CHECK(bins[3].kind == 2);
}

TEST_CASE("time bins get their process's number and lie in its order")
{
    Merger merger;
    Log second = log_of(1, 11), first = log_of(0, 10), other = log_of(-1, 9);
    other.rows<Slice>() = {slice_of(0, 5)};
    second.rows<Slice>() = {slice_of(0, 9, 2), slice_of(0, 3, 2)};
    first.rows<Slice>() = {slice_of(0, 2, 0, 1), slice_of(0, 4), slice_of(0, 3)};
    for (Log* const log : {&other, &second, &first}) merger.add(std::move(*log));
    const Log log = merger.finish();
    const auto& slices = log.rows<Slice>();
    REQUIRE(slices.size() == 6);
    const std::int64_t processes[] = {0, 0, 0, 1, 1, 2};
    for (std::size_t at = 0; at < 6; ++at) CHECK(slices[at].process == processes[at]);
    CHECK(slices[0].start == begin + 3 * shortest_slice_ns);
    CHECK(slices[2].layer == 1);
    CHECK(slices[3].start < slices[4].start);
    CHECK(slices[3].length == 4 * shortest_slice_ns);
    CHECK(slices[5].length == shortest_slice_ns);
}

TEST_CASE("a rank that goes on after MPI_Finalize keeps one length of time bins and both of its traces")
{
    Merger merger;
    Log before = log_of(0, 10), after = log_of(0, 10, 2 * an_hour), other = log_of(1, 11);
    before.rows<Slice>() = {slice_of(0, 4), slice_of(0, 6)};
    after.rows<Slice>() = {slice_of(0, 3, 1), slice_of(0, 9, 1)};
    add_thread(before, 0, 1, "before 0");
    add_thread(before, 1, 2, "before 1");
    add_thread(other, 0, 1, "other 0");
    add_thread(after, 0, 1, "after 0");
    for (Log* const log : {&before, &other, &after}) merger.add(std::move(*log));
    const Log log = merger.finish();

    REQUIRE(log.rows<Process>().size() == 2);
    CHECK(log.rows<Process>()[0].traced == 20);
    CHECK(log.rows<Process>()[0].untraced == 4);
    CHECK(log.rows<Process>()[0].untimed == 2);

    const auto& slices = log.rows<Slice>();
    REQUIRE(slices.size() == 3);
    CHECK(slices[0].start == begin + 4 * shortest_slice_ns);
    CHECK(slices[0].reads == 1);
    CHECK(slices[1].start == begin + 6 * shortest_slice_ns);
    CHECK(slices[1].reads == 2);
    CHECK(slices[1].length == 2 * shortest_slice_ns);

    std::vector<std::string> threads;
    for (const TraceTimes& times : log.rows<TraceTimes>())
        threads.push_back(std::to_string(times.process) + "." + std::to_string(times.thread) + " " +
                          std::string(times.code));
    CHECK(threads == std::vector<std::string>{"0.0 before 0 b", "0.0 before 0 a", "0.1 before 1 b",
                                              "0.1 before 1 a", "0.2 after 0 b", "0.2 after 0 a",
                                              "1.0 other 0 b", "1.0 other 0 a"});
    REQUIRE(log.rows<TracePlace>().size() == 8);
    CHECK(log.rows<TracePlace>()[4].thread == 2);
    CHECK(log.rows<TracePlace>()[4].file == 901);
    CHECK(log.rows<TracePlace>()[5].file == 101);
    REQUIRE(log.rows<TracePiece>().size() == 4);
    CHECK(log.rows<TracePiece>()[2].thread == 2);
    CHECK(log.rows<TracePiece>()[3].process == 1);
    REQUIRE(log.rows<TraceShape>().size() == 2);
    CHECK(log.rows<TraceShape>()[0].code == "code 1");
}

TEST_CASE("pieces of a thread come in the order of their numbers")
{
    Merger merger;
    Log log = log_of(0, 10);
    for (const std::uint64_t number : {2, 0, 1}) log.rows<TracePiece>().push_back({0, 0, number, 8, number});
    merger.add(std::move(log));
    const Log merged = merger.finish();
    for (std::size_t at = 0; at < 3; ++at) CHECK(merged.rows<TracePiece>()[at].number == at);
}

TEST_CASE("merging what was merged before changes nothing")
{
    Merger merger, again;
    for (std::uint64_t pid = 10; pid < 13; ++pid) {
        Log log = log_of(-1, pid, pid * an_hour);
        log.rows<OperationTimes>() = {{{}, 1, 2, 3}};
        log.rows<DurationBin>() = {{{}, 2, 3, 1}};
        log.rows<Slice>() = {slice_of(0, pid)};
        add_thread(log, 0, pid % 2, "times");
        merger.add(std::move(log));
    }
    Log once = merger.pause();
    again.add(decode_log(sample::encode(once), "memory"));
    const Log twice = again.finish();
    sample::each_row_type([&](auto type, std::string_view name) {
        using Row = decltype(type);
        INFO("table " << name);
        REQUIRE(twice.rows<Row>().size() == once.rows<Row>().size());
        for (std::size_t at = 0; at < once.rows<Row>().size(); ++at)
            CHECK(sample::first_difference(twice.rows<Row>()[at], once.rows<Row>()[at]).empty());
    });
}

TEST_CASE("time bins of very many processes become longer, and traces of unknown ones are left out")
{
    Merger merger;
    Log log;
    constexpr std::int64_t processes = 5000;
    constexpr std::uint64_t each = 300;
    for (std::int64_t number = 0; number < processes; ++number) {
        Log one = log_of(number, 10);
        one.rows<Process>()[0].process = number;
        log.append(std::move(one));
        for (std::uint64_t at = 0; at < each; ++at) log.rows<Slice>().push_back(slice_of(number, at));
    }
    log.rows<TracePiece>() = {{processes, 0, 0, 1, 5}, {0, 0, 0, 1, 5}};
    merger.add(std::move(log));
    const Log merged = merger.finish();
    CHECK(merged.rows<Slice>().size() <= most_slice_rows);
    CHECK(merged.rows<Slice>().size() == processes * each / 2);
    std::uint64_t reads = 0;
    for (const Slice& slice : merged.rows<Slice>()) reads += slice.reads;
    CHECK(reads == processes * each);
    CHECK(merged.rows<TracePiece>().size() == 1);
}
