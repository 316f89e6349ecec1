// What happens before a program's first line, around archives and files that are copied aside, and who opens
// them.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

Process& of_pid(Synthetic& made, std::uint64_t pid, std::string_view program, std::uint64_t from,
                std::uint64_t to)
{
    made.process(-1, "node0", pid, 1000);
    Process& one = made.log.rows<Process>().back();
    one.program = program;
    one.start = job_start + from;
    one.end = job_start + to;
    return one;
}

}  // namespace

TEST_CASE("slow loading: from exec to the first line, where small tools are slow as well")
{
    const auto made = [](std::size_t starts, std::uint64_t load, std::string_view tool) {
        Synthetic job;
        of_pid(job, 2000, "/usr/bin/bash", 0, 60 * second);
        for (std::size_t at = 0; at < starts; ++at) {
            const std::uint64_t begin = at * second, gave_way = begin + ms;
            of_pid(job, 2001 + at, "/usr/bin/bash", begin, gave_way).ending =
                static_cast<std::uint64_t>(Ending::replaced);
            of_pid(job, 2001 + at, at % 2 == 0 ? tool : "/home/u/model", gave_way + load,
                   gave_way + load + ms);
        }
        return job;
    };
    const report::Finding one = finding_of(made(10, 500 * ms, "/usr/bin/seq").log, "slow_loading");
    CHECK(one.title == "10 programs took 500 ms each to load, before their first line");
    CHECK(cost_of(one) == Approx(10 * 0.4985));
    CHECK_THAT(one.advice.front().text, Contains("LD_LIBRARY_PATH"));
    CHECK_FALSE(finds(made(7, 500 * ms, "/usr/bin/seq").log, "slow_loading"));
    CHECK_FALSE(finds(made(10, 9 * ms, "/usr/bin/seq").log, "slow_loading"));
    CHECK_FALSE(finds(made(10, 500 * ms, "/usr/bin/ffmpeg").log, "slow_loading"));  // of many libraries
}

TEST_CASE("unpacked in vain: most of what tar wrote is gone, or left in /tmp, and one of it was used")
{
    struct Case {
        std::string folder = "/tmp/";
        std::uint64_t read = mib, unlinks = 0;
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        of_pid(job, 2000, "/usr/bin/tar", 0, 10 * second);
        of_pid(job, 2001, "/usr/bin/awk", 10 * second, 11 * second);
        for (const std::string name : {"a", "b", "c", "d", "e"}) {
            const std::uint64_t file = job.file(of.folder + name);
            job.io<PosixRecord>(file, 0, {.bytes_written = 4 * mib, .write_time = second});
            if (of.unlinks > 0) job.io<PosixRecord>(file, 1, {.metadata_time = us}).unlinks = of.unlinks;
        }
        if (of.read > 0)
            job.io<PosixRecord>(job.log.rows<FileName>().front().file, 1,
                                {.bytes_read = of.read, .read_time = ms});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "unpacked_in_vain");
    CHECK(one.title == "16 MiB unpacked from archives that nobody reads");
    CHECK(cost_of(one) == Approx(8));
    CHECK(finds(made({.folder = "/data/", .unlinks = 1}).log, "unpacked_in_vain"));
    CHECK_FALSE(finds(made({.folder = "/data/"}).log, "unpacked_in_vain"));  // for later
    CHECK_FALSE(finds(made({.read = 0}).log, "unpacked_in_vain"));
}

TEST_CASE("copied, not renamed: what a rename replaces, and what rm takes away")
{
    const auto made = [](std::uint64_t renames, std::uint64_t unlinks, std::string_view program) {
        Synthetic job;
        of_pid(job, 2000, program, 0, 10 * second);
        PosixRecord& from =
            job.io<PosixRecord>(job.file("/data/state"), 0, {.bytes_read = 8 * mib, .read_time = second});
        from.opens = 1;
        from.highest_read = 8 * mib;
        from.unlinks = unlinks;
        from.first_read = job_start + second;
        from.last_read = job_start + 3 * second;
        PosixRecord& to = job.io<PosixRecord>(job.file("/data/state.bak"), 0,
                                              {.bytes_written = 8 * mib, .write_time = second});
        to.opens = to.creates = 1;
        to.highest_written = 8 * mib;
        to.first_write = job_start + 2 * second;
        to.last_write = job_start + 3 * second;
        if (renames > 0)
            job.io<PosixRecord>(job.file("/data/state.new"), 0, {.metadata_time = ms}).renames = renames;
        return job;
    };
    CHECK(finds(made(1, 0, "/home/u/model").log, "copied_not_renamed"));
    CHECK(finds(made(0, 1, "/usr/bin/cp").log, "copied_not_renamed"));
    CHECK_FALSE(finds(made(0, 1, "/home/u/model").log, "copied_not_renamed"));  // it may be another content
    CHECK_FALSE(finds(made(0, 0, "/usr/bin/cp").log, "copied_not_renamed"));
}

TEST_CASE("uneven files: one rank opens most of many")
{
    const auto made = [](std::uint64_t of_first, std::uint64_t of_others, std::uint64_t looks = 0) {
        Synthetic job;
        job.ranks(4, 2);
        for (std::int64_t rank = 0; rank < 4; ++rank)
            for (std::uint64_t at = 0; at < (rank == 0 ? of_first : of_others); ++at) {
                PosixRecord& row = job.io<PosixRecord>(
                    job.file("/shared/" + std::to_string(rank) + "/" + std::to_string(at)), rank,
                    {.bytes_read = 4096, .read_time = second / 20, .metadata_time = second / 20});
                row.opens = looks == 0 ? 1 : 0;
                row.stats = looks;
            }
        return job;
    };
    const report::Finding one = finding_of(made(200, 10).log, "uneven_files");
    CHECK(one.title == "Rank 0 uses 200 files alone, 3.5 times the mean of 4 ranks");
    CHECK(cost_of(one) == Approx(20 - 23.0 / 4));
    CHECK_THAT(one.advice.front().text, Contains("Deal the files out"));
    CHECK_FALSE(finds(made(99, 1).log, "uneven_files"));
    CHECK_FALSE(finds(made(200, 100).log, "uneven_files"));
    CHECK(finds(made(200, 10, 2).log, "uneven_files"));
    CHECK_FALSE(finds(made(200, 10, 10).log, "uneven_files"));  // to look once would do
}
