// Small writes into FIFOs and standard streams.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// So many writes in a run of 100 s, 10 s in all.
Synthetic messages(std::uint64_t writes, std::uint64_t size, NameKind kind = NameKind::device)
{
    Synthetic made;
    made.process(-1);
    made.log.rows<Process>().front().end = job_start + 100 * second;
    made.log.rows<Process>().front().libraries = "libc";
    const std::uint64_t file = made.file("/tmp/fifo");
    made.log.rows<FileName>().back().kind = static_cast<std::uint64_t>(kind);
    PosixRecord& row =
        made.io<PosixRecord>(file, 0, {.bytes_written = writes * size, .write_time = 10 * second});
    row.writes = writes;
    return made;
}

// What a process did with its pipes: messages of so many bytes, and seconds.
struct Piped {
    std::uint64_t writes = 0, reads = 0;
    double write_time = 0, read_time = 0, computed = 100;
    std::uint64_t size = 16;
};

Log piped(const std::vector<Piped>& processes, std::string_view program = "/home/user/app", double run = 100)
{
    const auto ns = [](double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); };
    Synthetic made;
    const std::uint64_t pipes = made.file("<pipe>", NameKind::stream);
    for (const Piped& one : processes) {
        const std::int64_t number = made.process(-1);
        Process& process = made.log.rows<Process>().back();
        process.program = made.log.keep(program);
        process.libraries = "libc";
        process.end = job_start + ns(run);
        process.cpu_time = ns(one.computed);
        PosixRecord& row = made.io<PosixRecord>(pipes, number,
                                                {.bytes_read = one.reads * one.size,
                                                 .bytes_written = one.writes * one.size,
                                                 .read_time = ns(one.read_time),
                                                 .write_time = ns(one.write_time)},
                                                Scope::streams);
        row.opens = 0;
        row.reads = one.reads;
        row.writes = one.writes;
    }
    return std::move(made.log);
}

constexpr std::uint64_t often = 20'000'000;

}  // namespace

TEST_CASE("messages: through pipes, the time of the process with most to do, without what it waits")
{
    // The reader waits for the writer.
    const Log made = piped({{.writes = often, .write_time = 40, .computed = 90},
                            {.reads = often, .read_time = 100, .computed = 45}});
    const report::Finding one = finding_of(made, "small_messages");
    CHECK(one.title == "20,000,000 messages of 16 B through pipes");
    CHECK(cost_of(one) == Approx(40).epsilon(1e-2));
    CHECK_THAT(lines_of(one), Contains("MAP_SHARED"));
    // The writer waits for a reader that computes.
    CHECK(cost_of(piped({{.writes = often, .write_time = 95, .computed = 8},
                         {.reads = often, .read_time = 10, .computed = 95}}),
                  "small_messages") == Approx(10).epsilon(2e-2));
}

TEST_CASE("messages: through pipes to a process that answers each, of both")
{
    const Piped either{
        .writes = often / 4, .reads = often / 4, .write_time = 5, .read_time = 45, .computed = 30};
    const report::Finding one = finding_of(piped({either, either}), "small_messages");
    CHECK(cost_of(one) == Approx(30).epsilon(2e-2));
    CHECK(one.cost_least.value_or(0) == Approx(15).epsilon(2e-2));
}

TEST_CASE("messages: through pipes, from 10,000 of a process on, of up to 4 KiB")
{
    const auto found = [](std::uint64_t messages, std::uint64_t size, double run) {
        return finds(piped({{.writes = messages, .write_time = 10, .computed = 10, .size = size}},
                           "/usr/bin/python3", run),
                     "small_messages");
    };
    CHECK(found(2'000'000, 4096, 100));
    CHECK_FALSE(found(2'000'000, 4097, 100));
    CHECK(found(10'000, 16, 1));
    CHECK_FALSE(found(9'999, 16, 1));
    // Each takes up to 5 µs: what is longer waits for room.
    CHECK(cost_of(piped({{.writes = 1'000'000, .write_time = 100}}), "small_messages") ==
          Approx(5).epsilon(1e-2));
}

TEST_CASE("messages: through Python's pipes, with what Python does around each")
{
    const Log made =
        piped({{.writes = 1'000'000, .reads = 2'000'000, .write_time = 2, .read_time = 3, .computed = 70}},
              "/usr/bin/python3.11");
    const report::Finding one = finding_of(made, "small_messages");
    CHECK(cost_of(one) == Approx(2 + 3 + 12 + 10).epsilon(1e-2));
    CHECK_THAT(lines_of(one), Contains("chunksize"));
    CHECK_THAT(one.cost_basis, Contains("interpreter"));
}

TEST_CASE("messages: numbers from /dev/urandom, a few bytes at a time")
{
    const auto reading = [](std::uint64_t size) {
        Synthetic made = messages(1, 1);
        made.log.rows<FileName>().back().path = "/dev/urandom";
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.reads = often;
        row.bytes_read = size * often;
        row.read_time = 10 * second;
        row.write_time = 0;
        return made;
    };
    const report::Finding one = finding_of(reading(8).log, "small_messages");
    CHECK(one.title == "20,000,000 reads of 8 B from /dev/urandom");
    // Without what the kernel takes to make them.
    CHECK(cost_of(one) == Approx(10 - 160.0 / (400 * 1.048576)).epsilon(1e-2));
    CHECK_THAT(lines_of(one), Contains("getrandom"));
    CHECK(finds(reading(64).log, "small_messages"));
    CHECK_FALSE(finds(reading(65).log, "small_messages"));
}

TEST_CASE("messages: small ones to a FIFO or a stream, from 10,000 on")
{
    const report::Finding one = finding_of(messages(10'000, 20).log, "small_messages");
    CHECK(one.title == "10,000 writes of 20 B to a FIFO or device");
    CHECK(cost_of(one) == Approx(10).epsilon(1e-3));
    CHECK_THAT(lines_of(one), Contains("setvbuf"));
    CHECK(finds(messages(10'000, 4096, NameKind::stream).log, "small_messages"));
    CHECK_FALSE(finds(messages(9'999, 20).log, "small_messages"));
    CHECK_FALSE(finds(messages(10'000, 4097).log, "small_messages"));
    CHECK_FALSE(finds(messages(10'000, 20, NameKind::file).log, "small_messages"));
}

TEST_CASE("messages: reads of a few bytes from a stream, since those that ask for more get what was written")
{
    const auto reading = [](std::uint64_t bytes, std::uint64_t wait = 8 * second) {
        Synthetic made = messages(1, 1, NameKind::stream);
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.reads = 20'000'000;
        row.bytes_read = bytes;
        row.read_time = wait;
        row.write_time = 0;
        return made;
    };
    const report::Finding one = finding_of(reading(19'999'990).log, "small_messages");
    CHECK(one.title == "20,000,000 reads of 1 B from a standard stream");
    CHECK(cost_of(one) == Approx(8).epsilon(2e-3));
    CHECK_THAT(lines_of(one), Contains("read(fd, page"));
    CHECK(finds(reading(16 * 20'000'000).log, "small_messages"));
    CHECK_FALSE(finds(reading(16 * 20'000'000 + 1).log, "small_messages"));
    // Of a shell, all that it does in its loop; others of a pipeline run beside it.
    Synthetic script = reading(19'999'990);
    script.log.rows<Process>().front().program = "/usr/bin/bash";
    script.process(-1);
    script.io<PosixRecord>(script.file("/out"), 1, {.bytes_written = mib, .write_time = 8 * second});
    script.log.rows<Process>().front().cpu_time = 20 * second;
    CHECK(cost_of(script.log, "small_messages") == Approx(20));
    CHECK(*finding_of(script.log, "small_messages").cost_least == Approx(12));
    // What it waits for the writer is no cost of theirs.
    CHECK(cost_of(reading(20'000'000, 60 * second).log, "small_messages") == Approx(40).epsilon(1e-3));
}

TEST_CASE(
    "messages: a stream of stdio that is flushed each time, or has no buffer, makes a system call of each "
    "write")
{
    const auto progress = [](std::uint64_t flushes, std::string_view path) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().end = job_start + 100 * second;
        StdioRecord& row = made.io<StdioRecord>(made.file(path, NameKind::stream), 0,
                                                {.bytes_written = 500'000, .write_time = 20 * second});
        row.writes = 100'000;
        row.syncs = flushes;
        return made;
    };
    CHECK(finds(progress(50'000, "<stdout>").log, "small_messages"));
    CHECK_FALSE(finds(progress(49'999, "<stdout>").log, "small_messages"));  // what was put into a buffer
    CHECK(finds(progress(0, "<stderr>").log, "small_messages"));
}
