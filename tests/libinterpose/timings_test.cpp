// Histograms, slices and traces as threads record them and as they are read back from the part.
#include <barrier>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/session.h"
#include "logformat/log/trace_decoder.h"

using namespace fathom;

namespace {

// A part of its own, read with a clock that is right.
class Recording {
  public:
    Recording()
    {
        pause_recording();
        resume_recording(0);
        REQUIRE(enter());
        // The rate of a clock is known the better the longer it was looked at, unless the thread had to wait
        // for a core between its looks at the two clocks.
        double before = 0;
        do {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            before = std::exchange(clock_, own_clock(arena.header())).ns_per_tick;
        } while (std::abs(clock_.ns_per_tick - before) > 1e-3 * before);
    }
    ~Recording() { pause_recording(); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    CountersOf<PosixCounters>& counters_of_a_file()
    {
        NameChunk* file = file_of("/a/file", {});
        return *counters_of<PosixCounters>(file);
    }

    PartRows& read()
    {
        read_part(arena.bytes(), clock_, 0, rows_);
        REQUIRE(rows_.good());
        return rows_;
    }
    const ClockMap& clock() const { return clock_; }

    // So many seconds after the start, in ticks.
    std::uint64_t after(double seconds)
    {
        return arena.header().start_ticks +
               static_cast<std::uint64_t>(static_cast<std::int64_t>(seconds * 1e9 / clock_.ns_per_tick));
    }

  private:
    ClockMap clock_;
    PartRows rows_;
};

template <class Row>
std::uint64_t sum(Bytes& rows, std::uint64_t Row::*member)
{
    std::uint64_t all = 0;
    for (const Row& row : rows.as<Row>()) all += row.*member;
    return all;
}

std::size_t row_of(Kind kind)
{
    return timing_place(Layer::posix, false) * histogram_count + histogram_of(kind);
}

}  // namespace

TEST_CASE("a histogram read back has every operation, near its duration")
{
    Recording recording;
    for (std::uint64_t ticks = 1; ticks < 3'000'000'000; ticks += 1 + ticks / 7)
        timings::count_duration(*here.thread, row_of(Kind::open), ticks);
    std::uint64_t counted = 0, longest = 0;
    for (std::uint64_t ticks = 1; ticks < 3'000'000'000; ticks += 1 + ticks / 7) {
        ++counted;
        longest = ticks;
    }
    PartRows& rows = recording.read();
    REQUIRE(rows.operations.as<OperationTimes>().size() == 1);
    const OperationTimes& times = rows.operations.as<OperationTimes>()[0];
    CHECK(times.kind == static_cast<std::uint64_t>(Kind::open));
    CHECK(times.operations == counted);
    CHECK(sum(rows.durations, &DurationBin::operations) == counted);
    const DurationBin& last = rows.durations.as<DurationBin>().back();
    CHECK(static_cast<double>(last.below) > static_cast<double>(times.longest) * 0.99);
    CHECK(static_cast<double>(last.at_least) < static_cast<double>(times.longest) * 1.01);
    CHECK(longest > 1'000'000'000);
}

TEST_CASE("threads beyond the room for histograms share theirs, and no operation is missing")
{
    Recording recording;
    constexpr int threads = 400, each = 200;
    std::barrier all_there(threads);
    std::vector<std::thread> running;
    for (int number = 0; number < threads; ++number)
        running.emplace_back([&] {
            all_there.arrive_and_wait();
            if (enter())
                for (std::uint64_t at = 0; at < each; ++at)
                    timings::count_duration(*here.thread, row_of(Kind::stat), std::uint64_t{100} << at % 8);
            all_there.arrive_and_wait();  // a dead thread's histograms would be taken over
        });
    for (std::thread& thread : running) thread.join();
    const bool shared = arena.header().shared_histogram[row_of(Kind::stat)] != 0;
    PartRows& rows = recording.read();
    CHECK(shared);
    CHECK(rows.process()->untimed == 0);
    CHECK(sum(rows.durations, &DurationBin::operations) == std::uint64_t{threads} * each);
    REQUIRE(rows.operations.as<OperationTimes>().size() == 1);
    CHECK(rows.operations.as<OperationTimes>()[0].operations == std::uint64_t{threads} * each);
}

TEST_CASE("an operation that lasts for hours is shared out over few time bins, and all of it arrives")
{
    Recording recording;
    const Interval when{recording.after(0.5), recording.after(36000.5)};
    timings::add_to_slices_slowly(0, timings::of_reads, when, {1, 1'000'003});
    PartRows& rows = recording.read();
    const auto slices = rows.slices.as<Slice>();
    CHECK(slices.size() > 20);
    CHECK(slices.size() < 70);
    CHECK(sum(rows.slices, &Slice::reads) == 1);
    CHECK(slices.front().reads == 1);
    CHECK(sum(rows.slices, &Slice::bytes_read) == 1'000'003);
    const auto whole = static_cast<double>(recording.clock().duration(when.length()));
    CHECK(static_cast<double>(sum(rows.slices, &Slice::read_time)) == Approx(whole).epsilon(1e-9));
    for (const Slice& slice : slices) {
        CHECK(slice.start % slice.length == 0);
        CHECK(slice.length == slices.front().length);
        CHECK(static_cast<double>(slice.read_time) < 1.05 * static_cast<double>(slice.length));
    }
}

TEST_CASE("time bins grow longer as the run does, up to 4 s, and what was in short ones is in them")
{
    const double seconds = GENERATE(3.0, 60.0, 1500.0);
    Recording recording;
    std::uint64_t operations = 0;
    for (double at = 0; at < seconds; at += 0.05, ++operations)
        timings::add_to_slices_slowly(0, timings::of_writes,
                                      {recording.after(at), recording.after(at + 0.001)}, {1, 10});
    PartRows& rows = recording.read();
    const auto slices = rows.slices.as<Slice>();
    CHECK(sum(rows.slices, &Slice::writes) == operations);
    CHECK(sum(rows.slices, &Slice::bytes_written) == 10 * operations);
    CHECK(rows.process()->untimed == 0);
    CHECK(slices.front().length <= 4'000'000'000);
    CHECK(static_cast<double>(slices.front().length) <= std::max(62'500'000.0, seconds * 1e9 / 50));
    for (std::size_t at = 1; at < slices.size(); ++at) CHECK(slices[at].start > slices[at - 1].start);
}

TEST_CASE("a trace read back has what is encoded and what waits to be")
{
    const std::uint64_t operations = GENERATE(1, 31, 32, 33, 100, 5000);
    Recording recording;
    arena.header().trace_room = 1 << 20;
    const CountersChunk& file = recording.counters_of_a_file();
    for (std::uint64_t at = 0; at < operations; ++at) {
        const std::uint64_t start = recording.after(1) + at * 1000;
        trace(file, Kind::write, 100 + at % 3, at * 4096 % 77777, {start, start + 300});
    }
    PartRows& rows = recording.read();
    CHECK(rows.process()->traced == operations);
    CHECK(rows.process()->untraced == 0);
    CHECK(sum(rows.trace, &TracePiece::operations) == operations);

    std::vector<std::string_view> pieces, times;
    for (const TracePiece& piece : rows.trace.as<TracePiece>())
        for (const TraceShape& shape : rows.trace_shapes.as<TraceShape>())
            if (shape.shape == piece.shape) {
                pieces.push_back(shape.code);
                break;
            }
    for (const TraceTimes& row : rows.trace_times.as<TraceTimes>()) times.push_back(row.code);
    TraceDecoder decoder(pieces, times, rows.trace_places.as<TracePlace>());
    TracedOperation operation;
    std::uint64_t at = 0;
    for (; decoder.next(operation); ++at) {
        CHECK(operation.kind == Kind::write);
        CHECK(operation.size == 100 + at % 3);
        CHECK(operation.offset == at * 4096 % 77777);
    }
    CHECK(decoder.problem() == "");
    CHECK(at == operations);
}

TEST_CASE("a process that is killed while it encodes loses what waited, and says so")
{
    Recording recording;
    arena.header().trace_room = 1 << 20;
    const CountersChunk& file = recording.counters_of_a_file();
    for (std::uint64_t at = 0; at < 40; ++at) trace(file, Kind::read, 10, at * 10, {at * 100, at * 100 + 5});
    TraceChunk& killed = *arena.at<TraceChunk>(here.thread->trace);
    const std::uint32_t encoded = GENERATE(0u, 3u);
    killed.state = TraceChunk::encoding;
    killed.operations += encoded;  // as if it had come so far
    PartRows& rows = recording.read();
    CHECK(rows.process()->traced == 32 + encoded);
    CHECK(rows.process()->trace_lost == 8 - encoded);
    CHECK(rows.process()->untraced == 0);
}

TEST_CASE("a part with traces and timings that is damaged anywhere is read without harm, in bounded memory")
{
    Recording recording;
    arena.header().trace_room = 1 << 20;
    const CountersChunk& file = recording.counters_of_a_file();
    for (std::uint64_t at = 0; at < 9'000; ++at) {
        const std::uint64_t start = recording.after(1) + at * 1000;
        trace(file, at % 5 == 0 ? Kind::read : Kind::write, 100 + at % 7, at * at * 4096 % 77777,
              {start, start + 300 + at % 1000});
    }
    arena.publish();
    const std::size_t used = arena.header().used.load();
    std::vector<std::uint32_t> copy(used / sizeof(std::uint32_t));
    const auto part = std::as_bytes(std::span(copy));
    std::uint32_t chunk = 0;  // where the one that a word lies in begins
    for (std::size_t at = sizeof(PartHeader) / sizeof(std::uint32_t); at < copy.size(); ++at) {
        std::memcpy(copy.data(), arena.bytes().data(), part.size());
        if (copy[at] == chunk_mark) chunk = static_cast<std::uint32_t>(at * sizeof(std::uint32_t));
        const bool in_head = at * sizeof(std::uint32_t) - chunk < 2048;
        if (!in_head && at % 61 != 0) continue;
        for (const std::uint32_t value : {chunk, ~std::uint32_t{0}}) {
            copy[at] = value;
            if (!is_part(part)) continue;
            PartRows rows;
            read_part(part, recording.clock(), 0, rows);
            const std::size_t bytes = rows.trace.size() + rows.trace_times.size() + rows.trace_places.size() +
                                      rows.trace_shapes.size() + rows.runs.size() + rows.slices.size();
            if (bytes > 4 * used + (1 << 20)) FAIL("word " << at << " set to " << value << ": " << bytes);
        }
    }
}

TEST_CASE("a thread's trace takes up the room of one that has died")
{
    Recording recording;
    arena.header().trace_room = 1 << 20;
    const CountersChunk& file = recording.counters_of_a_file();
    const std::uint32_t operations = GENERATE(12u, 32u, 300u);
    constexpr std::uint64_t threads = 100;
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
        for (std::uint64_t at = 0; at < operations; ++at) {
            const std::uint64_t start = recording.after(1 + static_cast<double>(thread)) + at * 10;
            trace(file, Kind::write, 10, thread * 5 + at * 10, {start, start + 5});
        }
        if (thread + 1 < threads) finish_trace_of_dead(*here.thread);
    }
    CHECK(arena.header().trace_bytes < threads * (700 + 4 * operations) + sizeof(TraceWork));
    PartRows& rows = recording.read();
    CHECK(rows.process()->traced == threads * operations);
    CHECK(rows.process()->untraced == 0);
    CHECK(rows.trace_places.as<TracePlace>().back().offset == (threads - 1) * 5);
    CHECK(rows.trace_times.as<TraceTimes>().back().thread == threads - 1);
}

TEST_CASE("a trace without room left counts what it does not keep")
{
    Recording recording;
    arena.header().trace_room = 40 << 10;
    const CountersChunk& file = recording.counters_of_a_file();
    constexpr std::uint64_t operations = 50'000;
    for (std::uint64_t at = 0; at < operations; ++at)
        trace(file, Kind::write, 1 + at % 7, at * at, {at * 100, at * 100 + at % 50});
    PartRows& rows = recording.read();
    CHECK(rows.process()->traced > 1000);
    CHECK(rows.process()->traced + rows.process()->untraced == operations);
    CHECK(arena.header().trace_bytes <= arena.header().trace_room);
}

TEST_CASE("a process begins with its first call, also where that began before the start that was noted")
{
    Recording recording;
    auto& file = recording.counters_of_a_file();
    const std::uint64_t first = recording.after(-0.002), last = recording.after(0.001);
    count_open(file, {first, last});
    const std::uint64_t start = recording.read().process()->start;
    CHECK(start == recording.clock().instant(first));
    count_open(file, {1, last});
    const std::uint64_t again = recording.read().process()->start;  // by a clock that is known better now
    CHECK(again + 1000 > start);
}

TEST_CASE("a process lasts as long as its last call, also where that came after the end that was noted")
{
    Recording recording;
    auto& file = recording.counters_of_a_file();
    const std::uint64_t noted = recording.after(0.001), last = recording.after(0.003);
    arena.header().end_ticks = noted;
    count_open(file, {recording.after(0.002), last});
    const std::uint64_t end = recording.read().process()->end;
    CHECK(end == recording.clock().instant(last));
    CHECK(end > recording.clock().instant(noted));
}
