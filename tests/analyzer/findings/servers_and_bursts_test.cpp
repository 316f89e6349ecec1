// Files on few servers, servers with unequal shares, and writes that all ranks wait for at once.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

constexpr std::uint64_t gib = 1024 * mib;

// A file on Lustre that so many ranks of all write, in so many seconds of theirs together.
std::uint64_t striped(Synthetic& made, std::string_view path, std::int64_t ranks, std::uint64_t bytes,
                      std::uint64_t stripes, std::string_view servers = "0", std::uint64_t seconds = 16)
{
    const std::uint64_t file = made.file(path);
    for (std::int64_t rank = 0; rank < ranks; ++rank)
        made.io<PosixRecord>(file, rank,
                             {.bytes_written = bytes / static_cast<std::uint64_t>(ranks),
                              .write_time = seconds * second / static_cast<std::uint64_t>(ranks)});
    made.log.rows<Layout>().push_back({file, mib, stripes, 0, made.log.keep(servers), ""});
    return file;
}

Synthetic of_ranks(std::int64_t ranks, std::uint64_t run = 10)
{
    Synthetic made;
    made.ranks(ranks);
    for (Process& process : made.log.rows<Process>()) process.end = job_start + run * second;
    return made;
}

struct Waves {
    std::uint64_t bursts = 3, length = 4;       // every ten seconds so many slices
    double busy = 1;                            // part of a slice that a rank spends in writes
    std::uint64_t read = 0, other_seconds = 0;  // beside what is written, MiB in each; and between bursts
    std::uint64_t slice = second;
};

Synthetic in_waves(const Waves& waves)
{
    Synthetic made;
    made.ranks(2);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        const auto time = static_cast<std::uint64_t>(waves.busy * static_cast<double>(waves.slice));
        const std::uint64_t slices = waves.bursts * waves.length;
        const Io done = {.bytes_read = waves.read * mib, .bytes_written = 80 * mib, .write_time = time};
        for (std::uint64_t burst = 0; burst < waves.bursts; ++burst)
            for (std::uint64_t at = 0; at < waves.length; ++at)
                made.slice(rank, Layer::posix, 10 * second / waves.slice * burst + at, waves.slice, done);
        for (std::uint64_t at = 0; at < waves.other_seconds; ++at)
            made.slice(rank, Layer::posix, 99 - at, second, {.metadata_time = second});
        made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                             {.bytes_read = slices * done.bytes_read,
                              .bytes_written = slices * done.bytes_written,
                              .write_time = slices * time,
                              .metadata_time = waves.other_seconds * second});
    }
    return made;
}

}  // namespace

TEST_CASE("stripes: 1 GiB is large, and as many servers as users, 16 at most, are wanted")
{
    const auto found = [](std::int64_t ranks, std::uint64_t bytes, std::uint64_t stripes) {
        Synthetic made = of_ranks(32);
        striped(made, "/lustre/data", ranks, bytes, stripes, "0", 8 * static_cast<std::uint64_t>(ranks));
        return finds(made.log, "uneven_stripes");
    };
    CHECK(found(4, gib, 3));
    CHECK_FALSE(found(4, gib - 4, 3));
    CHECK_FALSE(found(4, gib, 4));
    CHECK(found(32, gib, 15));
    CHECK_FALSE(found(32, gib, 16));
    CHECK(found(2, gib, 0));  // not told: one
    CHECK_FALSE(found(1, gib, 0));
}

TEST_CASE("stripes: the largest of such files is named, the time of all of them counts")
{
    Synthetic made = of_ranks(8, 20);
    striped(made, "/lustre/a/small", 4, 2 * gib, 1);
    striped(made, "/lustre/b/large", 8, 4 * gib, 2);
    striped(made, "/lustre/c/less", 2, 3 * gib, 1);
    made.io<PosixRecord>(made.file("/home/file"), 0, {.bytes_written = 9 * gib, .write_time = second});
    const report::Finding one = finding_of(made.log, "uneven_stripes");
    // Of rank 0, which spent 15 s in I/O: 3/4 of 4 s, 6/8 of 2 s and 1/2 of 8 s.
    CHECK(numbers_of(one) == R"(Large files that ranks share lie on 2 servers
8.50 s, 42.5 %, medium
such files: 3 (with 9 GiB moved)
stripes of the largest: 2 (used by 8 ranks)
the largest: /lustre/b/large (4 GiB))");
    CHECK(lines_of(one) == "lfs setstripe -c 8 -S 4M '/lustre/b'\n");
    Synthetic single = of_ranks(32);
    striped(single, "/lustre/file", 32, gib, 1);
    CHECK(finding_of(single.log, "uneven_stripes").title ==
          "A large file that ranks share lies on one server");
    CHECK(lines_of(finding_of(single.log, "uneven_stripes")) == "lfs setstripe -c 16 -S 4M '/lustre'\n");
}

TEST_CASE(
    "servers: one that takes three times as long for a byte is found, and what its files would have been "
    "spared")
{
    // Eight servers with five files each, a rank a file: 1 s for 64 MiB, but `seconds` on server 3.
    const auto log_with = [](std::uint64_t seconds, int files_on_it) {
        Synthetic made = of_ranks(40, 20);
        for (std::int64_t rank = 0; rank < 40; ++rank) {
            const std::uint64_t server = static_cast<std::uint64_t>(rank) % 8;
            const bool is_slow = server == 3 && rank < 8 * files_on_it;
            const std::uint64_t file = made.file("/lustre/own" + std::to_string(rank));
            made.io<PosixRecord>(file, rank,
                                 {.bytes_written = 64 * mib, .write_time = (is_slow ? seconds : 1) * second});
            made.log.rows<Layout>().push_back(
                {file, mib, 1, server, made.log.keep(std::to_string(server)), ""});
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(10, 5).log, "slow_server");
    CHECK(one.title == "Server 3 takes 10 times as long for a byte as the others");
    CHECK(cost_of(one) == Approx(9).epsilon(1e-3));
    CHECK_FALSE(finds(log_with(10, 5).log, "stragglers"));  // it is that server's
    CHECK_FALSE(finds(log_with(2, 5).log, "slow_server"));
    CHECK_FALSE(finds(log_with(10, 1).log, "slow_server"));  // one slow file of five is not the server
}

TEST_CASE("servers: half as much again as the mean is uneven, of 1 GiB in all")
{
    const auto log_with = [](std::uint64_t most, std::uint64_t other, std::string_view others) {
        Synthetic made = of_ranks(2);
        striped(made, "/lustre/most", 1, most, 1, "7");
        striped(made, "/lustre/others", 1, other, 2, others);
        return made;
    };
    const Synthetic uneven = log_with(2 * gib, 2 * gib, "3,5");
    const report::Finding one = finding_of(uneven.log, "uneven_stripes");
    CHECK(numbers_of(one) == R"(Server 7 holds 1.5 times the mean of this job's bytes
3.33 s, 33.3 %, low
server 7: 2 GiB
the mean: 1.33 GiB (of 3 servers))");
    CHECK_FALSE(finds(log_with(2 * gib - 2, 2 * gib, "3,5").log, "uneven_stripes"));
    CHECK(finds(log_with(gib / 2, gib / 2, "3,5").log, "uneven_stripes"));
    CHECK_FALSE(finds(log_with(gib / 2, gib / 2 - 2, "3,5").log, "uneven_stripes"));
    CHECK_FALSE(finds(log_with(2 * gib, 2 * gib, "7").log, "uneven_stripes"));  // one server
}

TEST_CASE("bursts: three of them, an eighth of the run, nearly all of the time and nearly all writes")
{
    CHECK(finds(in_waves({}).log, "bursts"));
    CHECK_FALSE(finds(in_waves({.bursts = 2, .length = 9}).log, "bursts"));
    CHECK(finds(in_waves({.bursts = 4, .length = 3}).log, "bursts"));  // 12 s of 100
    CHECK_FALSE(finds(in_waves({.bursts = 11, .length = 1}).log, "bursts"));
    CHECK(finds(in_waves({.other_seconds = 3}).log, "bursts"));
    CHECK_FALSE(finds(in_waves({.other_seconds = 4}).log, "bursts"));
    CHECK(finds(in_waves({.read = 20}).log, "bursts"));
    CHECK_FALSE(finds(in_waves({.read = 21}).log, "bursts"));
    CHECK(finds(in_waves({.bursts = 8, .length = 8, .busy = 0.31}).log, "bursts"));
    CHECK_FALSE(finds(in_waves({.bursts = 8, .length = 8, .busy = 0.3}).log, "bursts"));
}

TEST_CASE("bursts: what the ranks wait, as far as there is time between them to hide it in")
{
    const report::Finding one = finding_of(in_waves({.bursts = 5, .length = 4}).log, "bursts");
    CHECK(numbers_of(one) == R"(All ranks wait for their writes 5 times
16.0 s, 16 %, low
bursts of writes: 5 (of 4.00 s on average, one every 20.0 s)
written in them: 3.12 GiB
time between them: 24.0 s (without I/O to speak of))");
    CHECK(one.cost_least == 0.0);
    const report::Finding halves =
        finding_of(in_waves({.bursts = 5, .length = 8, .slice = second / 2}).log, "bursts");
    CHECK(cost_of(halves) == Approx(16));
    CHECK(halves.evidence[0].remark == "of 4.00 s on average, one every 20.0 s");
    CHECK(std::get<double>(halves.evidence[2].value.value) == Approx(24));
    Synthetic most = in_waves({.bursts = 9, .length = 8});
    CHECK(cost_of(most.log, "bursts") == Approx(88 - 72));
}

TEST_CASE("bursts: not of several processes without MPI, who may not wait for each other")
{
    Synthetic made = in_waves({});
    for (Process& process : made.log.rows<Process>()) process.rank = -1;
    CHECK_FALSE(finds(made.log, "bursts"));
}

TEST_CASE("bursts: one process waits for the device where it syncs, however quick that is")
{
    const auto log_with = [](std::uint64_t mib_a_second, std::string_view program, std::uint64_t syncs = 9) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = program;
        made.log.rows<Process>().front().libraries = "libc";
        for (std::uint64_t at = 0; at < 100; at += 10)
            for (std::uint64_t slice = at; slice < at + 3; ++slice)
                made.slice(0, Layer::posix, slice, second,
                           {.bytes_written = mib_a_second * mib, .write_time = second});
        PosixRecord& row =
            calls(made, made.file("/dump"), 0, Direction::write, 30, mib_a_second * mib, second);
        row.syncs = syncs;
        row.sync_time = second;
        return made;
    };
    const report::Finding one = finding_of(log_with(500, "/home/user/app").log, "bursts");
    CHECK(one.title == "The program waits for its writes 10 times");
    CHECK(cost_of(one) == Approx(27));
    CHECK_THAT(lines_of(one), Contains("pthread_create"));
    CHECK(finds(log_with(900, "/home/user/app").log, "bursts"));
    CHECK_FALSE(finds(log_with(500, "/home/user/app", 8).log, "bursts"));
    CHECK_FALSE(finds(log_with(500, "/usr/bin/tar").log, "bursts"));  // nobody could change it
}

TEST_CASE("bursts that another finding explains by more than half of their cost are no matter of when")
{
    const auto log_with = [](std::uint64_t sync_time) {
        Synthetic made = in_waves({.bursts = 5, .length = 4});
        for (PosixRecord& row : made.log.rows<PosixRecord>()) {
            row.syncs = 1000;
            row.sync_time = sync_time;
        }
        return made;
    };
    CHECK(finds(log_with(8'005 * ms).log, "frequent_syncs"));
    CHECK(finds(log_with(8'005 * ms).log, "bursts"));  // half of 16 s, less one in a thousand
    CHECK_FALSE(finds(log_with(8'015 * ms).log, "bursts"));
}
