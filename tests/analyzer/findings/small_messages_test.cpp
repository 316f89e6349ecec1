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
