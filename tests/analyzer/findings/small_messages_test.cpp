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

}  // namespace

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
