// Files that are copied or made for a name, and what memory serves.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Copying {
    std::uint64_t read = 800 * mib, written = 800 * mib, unlinks = 1, creates = 1;
    std::string_view mount = "/data", to = "/data/result";
    std::int64_t reader = 0;
    std::string_view program = "/home/user/app";
    std::uint64_t first_write = job_start + 20 * second;
};

// A result written in 8 s, read in 4 s, and written again under its name in 8 s.
Synthetic copied(const Copying& how)
{
    Synthetic made;
    made.process(-1);
    made.process(-1);
    for (Process& process : made.log.rows<Process>()) process.program = how.program;
    made.log.rows<Mount>().push_back({"/", "ext4", "/dev/a"});
    made.log.rows<Mount>().push_back({how.mount, "xfs", "/dev/b"});
    PosixRecord& from = made.io<PosixRecord>(made.file("/data/result.new"), 0,
                                             {.bytes_read = how.reader == 0 ? how.read : 0,
                                              .bytes_written = 800 * mib,
                                              .read_time = how.reader == 0 ? 4 * second : 0,
                                              .write_time = 8 * second});
    from.creates = how.creates;
    from.unlinks = how.unlinks;
    from.highest_written = 800 * mib;
    if (how.reader == 0) from.highest_read = 800 * mib;
    if (how.reader != 0)
        made.io<PosixRecord>(from.file, how.reader, {.bytes_read = how.read, .read_time = 4 * second})
            .highest_read = 800 * mib;
    made.log.rows<PosixRecord>().back().first_read = job_start + 20 * second;
    made.log.rows<PosixRecord>().back().last_read = job_start + 30 * second;
    PosixRecord& to = made.io<PosixRecord>(made.file(how.to), how.reader,
                                           {.bytes_written = how.written, .write_time = 8 * second});
    to.highest_written = how.written;
    to.first_write = how.first_write;
    return made;
}

}  // namespace

TEST_CASE("copied, not renamed: a file that is given up once it has been copied")
{
    const report::Finding one = finding_of(copied({}).log, "copied_not_renamed");
    CHECK(numbers_of(one) == R"(800 MiB copied from files that are then removed or made anew
12.0 s, 12 %, medium
copied: 800 MiB
files: 1 (each copied by one process)
most time for: /data/result.new
copied to: /data/result)");
    CHECK(one.advice[0].lines[0].find("rename(") == 0);
    CHECK_FALSE(finds(copied({}).log, "temporary_files"));
    CHECK(finds(copied({.reader = 1}).log, "copied_not_renamed"));  // as cp does
    CHECK(finds(copied({.unlinks = 0, .creates = 2}).log, "copied_not_renamed"));
    CHECK(finds(copied({.reader = 1, .program = "/usr/bin/cp"}).log, "copied_not_renamed"));
    // As long, but not the same: all of it was there before.
    CHECK_FALSE(finds(copied({.reader = 1, .program = "/usr/bin/sort"}).log, "copied_not_renamed"));
    CHECK_FALSE(finds(copied({.first_write = job_start + 30 * second}).log, "copied_not_renamed"));
    CHECK_FALSE(finds(copied({.first_write = job_start + 19 * second}).log, "copied_not_renamed"));
    // It stays, or something else was made of it, or it lies elsewhere.
    CHECK_FALSE(finds(copied({.unlinks = 0}).log, "copied_not_renamed"));
    CHECK_FALSE(finds(copied({.written = 790 * mib}).log, "copied_not_renamed"));
    CHECK_FALSE(finds(copied({.to = "/home/result"}).log, "copied_not_renamed"));
}

TEST_CASE("files made under one name, each of which then gets one of its own, are no file made anew")
{
    const auto log_with = [](std::uint64_t elsewhere) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = made.io<PosixRecord>(
            made.file("/tiles/.tmp"), 0,
            {.bytes_written = 10'000 * mib, .write_time = 8 * second, .metadata_time = 10 * second});
        row.opens = row.closes = row.creates = row.renames = row.writes = 10'000;
        row.renames_elsewhere = elsewhere;
        row.highest_written = mib;
        return made;
    };
    CHECK(finds(log_with(0).log, "open_close_churn"));
    CHECK(finds(log_with(5'000).log, "open_close_churn"));  // two names by turns, say
    CHECK_FALSE(finds(log_with(9'999).log, "open_close_churn"));
    CHECK_FALSE(finds(log_with(9'999).log, "replaced_unread"));
}

TEST_CASE("reads at random places from memory cost what their calls do")
{
    const auto log_with = [](std::uint64_t each, std::string_view path = "/table") {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file(path), 0, Direction::read, 1'000'000, 4096, each);
        row.sequential_reads = 500'000;
        row.consecutive_reads = 0;
        row.highest_read = 4096ull * 1'000'000;
        return made;
    };
    CHECK_FALSE(finds(log_with(11'000).log, "random_access"));  // 10 us, and what the bytes take
    CHECK(finds(log_with(13'000).log, "random_access"));
    // 0.7 us each is less than 4 % of the run.
    CHECK_FALSE(finds(log_with(11'000).log, "small_requests"));
    CHECK(finds(log_with(13'000).log, "random_access"));
    CHECK_FALSE(finds(log_with(11'000, "/table.sqlite").log, "random_access"));
}

TEST_CASE("redundant reads: what first brought the file into memory is none of them")
{
    const auto log_with = [](std::uint64_t slowest) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = made.io<PosixRecord>(made.file("/forcing"), 0,
                                                {.bytes_read = 10'000 * mib, .read_time = 20 * second});
        row.reads = 100;
        row.highest_read = 100 * mib;
        row.slowest_read = {slowest, 100 * mib};
        return made;
    };
    const double all = cost_of(log_with(200 * 1'000'000).log, "redundant_reads");
    CHECK(cost_of(log_with(799 * 1'000'000).log, "redundant_reads") == Approx(all));
    CHECK(all - cost_of(log_with(8 * second).log, "redundant_reads") == Approx(8 - 0.2).epsilon(0.05));
}

TEST_CASE("redundant reads: a database that is read by its index is read as it has to be")
{
    const auto log_with = [](std::uint64_t in_order, std::uint64_t each) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/a.sqlite"), 0, Direction::read, 1'000'000, 4096, each);
        row.consecutive_reads = in_order;
        row.highest_read = 8 * mib;
        return made;
    };
    CHECK(finds(log_with(990'000, 9'000).log, "redundant_reads"));  // gone through in order
    CHECK_FALSE(finds(log_with(300'000, 9'000).log, "redundant_reads"));
    CHECK(finds(log_with(300'000, 21'000).log, "redundant_reads"));  // not from memory
}

TEST_CASE("threads by turns: no two of them read at the same time")
{
    struct Threads {
        std::uint64_t threads = 13, read_time = 80 * second, cpu_time = 30 * second;
        std::string_view program = "/home/user/app";
    };
    const auto log_with = [](const Threads& how) {
        Synthetic made;
        made.process(-1);
        Process& process = made.log.rows<Process>().front();
        process.threads = how.threads;
        process.cpu_time = how.cpu_time;
        process.program = how.program;
        PosixRecord& row = made.io<PosixRecord>(made.file("/tiles"), 0,
                                                {.bytes_read = 16'000 * mib, .read_time = how.read_time});
        row.reads = 1'000'000;
        Totals& totals = made.log.rows<Totals>().front();
        totals.reads = 1'000'000;
        made.burst(0, 5, 95);
        return made;
    };
    const report::Finding one = finding_of(log_with({}).log, "threads_by_turns");
    CHECK(one.title == "13 threads, of which one at a time reads");
    CHECK(cost_of(one) == Approx(60));  // four side by side
    CHECK(*one.cost_least == 0);
    CHECK(one.confidence == report::Confidence::low);
    CHECK(cost_of(log_with({.threads = 4}).log, "threads_by_turns") == Approx(80.0 * 2 / 3));
    CHECK_FALSE(finds(log_with({.threads = 3}).log, "threads_by_turns"));
    CHECK_FALSE(finds(log_with({.read_time = 200 * second}).log, "threads_by_turns"));
    CHECK_FALSE(finds(log_with({.read_time = 50 * second}).log, "threads_by_turns"));
    CHECK_FALSE(finds(log_with({.cpu_time = 101 * second}).log, "threads_by_turns"));  // they compute
    CHECK_FALSE(finds(log_with({.program = "/usr/bin/fio"}).log, "threads_by_turns"));
}
