// Shells that wait, scripts that came with the system, and the files that tools keep for themselves.
#include <catch2/catch.hpp>

#include "analyzer/findings/language.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// A shell that looks for a flag and sleeps for 5 s; another program makes it after so long.
struct Wait {
    std::uint64_t made_after = 2 * second, looks = 1;
    bool by_mv = false;
    std::string_view waits = "/usr/bin/sleep";
};
Synthetic waiting(const Wait& of)
{
    Synthetic made;
    const auto add = [&](std::string_view program, std::uint64_t pid, std::uint64_t parent,
                         std::uint64_t from, std::uint64_t until) {
        made.process(-1, "node0", pid, parent);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.start = job_start + from;
        one.end = job_start + until;
    };
    add("/usr/bin/bash", 100, 1, 0, 10 * second);
    add(of.waits, 101, 100, second, 6 * second);
    add(of.by_mv ? "/usr/bin/mv" : "/home/user/app", 102, 100, 0, of.made_after);
    made.log.rows<Process>().back().command = "mv /out/done.tmp /out/done";
    const std::uint64_t flag = made.file("/out/done");
    made.io<PosixRecord>(flag, 0, {.metadata_time = 10 * us}).stats = of.looks;
    PosixRecord& maker =
        made.io<PosixRecord>(of.by_mv ? made.file("/out/done.tmp") : flag, 2, {.metadata_time = 10 * us});
    maker.creates = !of.by_mv;
    maker.renames = of.by_mv;
    maker.first_open = job_start + of.made_after;
    return made;
}

// Two passes of one process over a file of 64 MiB, a second each.
Synthetic reading_twice(std::string_view program, std::string_view command, double passes = 2)
{
    Synthetic made;
    made.process(-1);
    Process& one = made.log.rows<Process>().back();
    one.program = program;
    one.command = command;
    one.end = job_start + 10 * second;
    const auto count = static_cast<std::uint64_t>(passes * 64);
    calls(made, made.file("/data/in"), 0, Direction::read, count, mib, 20 * ms).highest_read = 64 * mib;
    return made;
}

}  // namespace

TEST_CASE("a shell's sleep: from when the file was there to its end")
{
    const report::Finding one = finding_of(waiting({}).log, "polled_by_shell");
    CHECK(one.title == "One sleep of 5.00 s went on after the file that the shell waited for was there");
    CHECK(cost_of(one) == Approx(4));
    CHECK_THAT(numbers_of(one), Contains("/out/done"));
    CHECK_THAT(lines_of(one), Contains("inotifywait"));
    // By mv: when that had ended.
    CHECK(cost_of(waiting({.made_after = 3 * second, .by_mv = true}).log, "polled_by_shell") == Approx(3));
    CHECK_FALSE(finds(waiting({.made_after = 7 * second}).log, "polled_by_shell"));
    CHECK_FALSE(finds(waiting({.looks = 0}).log, "polled_by_shell"));
    CHECK_FALSE(finds(waiting({.waits = "/home/user/work"}).log, "polled_by_shell"));
}

TEST_CASE("shells that take turns by a folder, and sleep in between")
{
    const auto log_with = [](int shells, int failed, int sleeps, bool again = true) {
        Synthetic made;
        for (int shell = 0; shell < shells; ++shell) {
            const auto parent = static_cast<std::uint64_t>(100 + shell);
            made.process(-1, "node" + std::to_string(shell), parent, 1);
            made.log.rows<Process>().back().program = "/usr/bin/bash";
            const auto add = [&](std::string_view program, std::int64_t status, std::uint64_t length) {
                made.process(-1, "node" + std::to_string(shell), 0, parent);
                Process& one = made.log.rows<Process>().back();
                one.program = program;
                one.command = again || shell == 0 ? "mkdir /shared/lock" : "mkdir /shared/out";
                one.status = status;
                one.end = one.start + length;
            };
            for (int at = 0; at < failed; ++at) add("/usr/bin/mkdir", 1, ms);
            for (int at = 0; at < sleeps; ++at) add("/usr/bin/sleep", 0, 5 * second);
            add("/usr/bin/mkdir", 0, ms);
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(2, 2, 2).log, "locked_by_shell");
    CHECK(one.title == "4 sleeps of 5.00 s between two attempts of shells to take the same lock");
    CHECK(cost_of(one) == Approx(10));
    CHECK(one.cost_least == 0.0);
    CHECK_THAT(lines_of(one), Contains("flock LOCK COMMAND"));
    CHECK_FALSE(finds(log_with(1, 4, 4).log, "locked_by_shell"));
    CHECK_FALSE(finds(log_with(2, 1, 1).log, "locked_by_shell"));
    CHECK_FALSE(finds(log_with(2, 2, 3).log, "locked_by_shell"));
    CHECK_FALSE(finds(log_with(2, 0, 4).log, "locked_by_shell"));
    CHECK_FALSE(finds(log_with(2, 2, 2, false).log, "locked_by_shell"));  // made once, and there since
}

TEST_CASE("scripts: what an interpreter was given, and whether it came with the system")
{
    CHECK(script_of("bash -e job.sh x") == "job.sh");
    CHECK(script_of("python3 -u run.py") == "run.py");
    CHECK(script_of("python3 -c print(1)").empty());
    CHECK(script_of("bash -c /usr/bin/tool x").empty());
    CHECK(script_of("sh -ec ls").empty());
    CHECK(script_of("python3").empty());
    Process process{};
    process.program = "/usr/bin/python3.11";
    process.command = "/usr/bin/python3 /usr/bin/hg clone a b";
    CHECK(packaged_script(process) == "/usr/bin/hg");
    process.command = "/usr/bin/python3 /home/user/hg clone a b";
    CHECK(packaged_script(process).empty());
    process.program = "/usr/bin/tar";
    process.command = "tar /usr/bin/hg";
    CHECK(packaged_script(process).empty());
}

TEST_CASE("scripts: one that came with the system is a packaged tool, by its own name")
{
    Synthetic own = reading_twice("/usr/bin/python3.11", "python3 run.py", 4),
              packaged = reading_twice("/usr/bin/python3.11", "/usr/bin/python3 /usr/bin/hg log", 4);
    CHECK(finding_of(own.log, "redundant_reads").confidence == report::Confidence::medium);
    const report::Finding one = finding_of(packaged.log, "redundant_reads");
    CHECK(one.confidence == report::Confidence::low);
    CHECK_THAT(one.advice[0].text, Contains("hg goes through the file several times"));
}

TEST_CASE("read again: two passes of a packaged tool are its nature, of other programs not")
{
    CHECK(finds(reading_twice("/home/user/app", "./app").log, "redundant_reads"));
    CHECK_FALSE(finds(reading_twice("/usr/bin/plink1.9", "plink1.9 --file a").log, "redundant_reads"));
    CHECK(finds(reading_twice("/usr/bin/plink1.9", "plink1.9 --file a", 3).log, "redundant_reads"));
}

TEST_CASE("read again: what was made anew in between is read for the first time")
{
    Synthetic made = reading_twice("/home/user/app", "./app", 4);
    made.log.rows<PosixRecord>().front().creates = 2;
    CHECK(cost_of(made.log, "redundant_reads") ==
          Approx(2 / 3.0 * cost_of(reading_twice("/home/user/app", "./app", 4).log, "redundant_reads"))
              .epsilon(0.1));
    made.log.rows<PosixRecord>().front().creates = 4;
    CHECK_FALSE(finds(made.log, "redundant_reads"));
}

TEST_CASE("many files: those of a tool for versions are its own affair")
{
    const auto finds_files = [](std::string_view program, std::string_view folder) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().back().program = program;
        for (int at = 0; at < 300; ++at)
            made.io<PosixRecord>(made.file(made.log.keep(std::string(folder) + std::to_string(at))), 0,
                                 {.bytes_read = 1000, .read_time = 10 * us, .metadata_time = 100 * ms})
                .creates = 1;
        return finds(made.log, "many_files");
    };
    CHECK(finds_files("/home/user/app", "/data/"));
    CHECK(finds_files("/usr/bin/cp", "/data/"));
    CHECK_FALSE(finds_files("/usr/bin/git", "/data/"));
    CHECK_FALSE(finds_files("/home/user/app", "/data/.git/objects/"));
}

TEST_CASE("small requests: the threads of a program without I/O hide no waiting")
{
    // Most reads are of what was read ahead, some wait.
    const auto made = [](std::uint64_t threads_of_other) {
        Synthetic job;
        job.process(-1);
        job.process(-1);
        job.log.rows<Process>().back().program = "/usr/bin/srun";
        job.log.rows<Process>().back().threads = threads_of_other;
        PosixRecord& row = calls(job, job.file("/data/in"), 0, Direction::read, 20'000, 10'000, 2 * us);
        job.operations(Layer::posix, Kind::read, SizeHistogram::class_of(10'000),
                       std::vector<std::uint64_t>(1000, 20 * ms));
        row.reads += 1000;
        row.read_size.add(10'000, 1000);
        row.read_time += 20 * second;
        return job;
    };
    CHECK_FALSE(finds(made(1).log, "small_requests"));
    CHECK_FALSE(finds(made(4).log, "small_requests"));
}

TEST_CASE("locks: those that HDF5 takes when it opens a file")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = made.io<PosixRecord>(made.file("/data/train.h5"), 0, {.metadata_time = 10 * second});
    row.opens = 100;
    row.locks = 200;
    row.lock_time = 8 * second;
    CHECK_THAT(lines_of(finding_of(made.log, "lock_waits")), Contains("HDF5_USE_FILE_LOCKING=FALSE"));
    row.locks = 301;
    CHECK_THAT(lines_of(finding_of(made.log, "lock_waits")), !Contains("HDF5_USE_FILE_LOCKING"));
    row.opens = row.locks = 10'000;
    row.lock_time = 4 * second;  // less than the opens, which they go with
    CHECK_FALSE(finds(made.log, "lock_waits"));
    CHECK(cost_of(made.log, "open_close_churn") == Approx(10).epsilon(0.02));
}

TEST_CASE("written by all: each rank writes the whole of a file that nodes share")
{
    struct Case {
        std::uint64_t of_each = 12 * mib, extent = 4 * mib;
        double squares = 0;
        std::string_view type = "nfs4";
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        job.ranks(6, 2);
        job.log.rows<Mount>().push_back({"/shared", of.type, "server"});
        PosixRecord& row = job.reduced_io<PosixRecord>(
            job.file("/shared/profile.dat"), 6, 0, 6,
            {.bytes_written = 6 * of.of_each, .write_time = 48 * second, .metadata_time = 12 * second});
        row.highest_written = of.extent;
        row.opens = row.creates = 18;
        row.bytes.squares = of.squares;
        for (std::int64_t rank = 0; rank < 6; ++rank)
            job.total(rank, Layer::posix, Scope::direct,
                      {.bytes_written = of.of_each, .write_time = 8 * second, .metadata_time = 2 * second});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "written_by_all");
    CHECK(one.title == "6 ranks each write the whole of one file");
    CHECK(cost_of(one) == Approx(10 * 5 / 6.0));
    CHECK(one.cost_least == Approx(0));
    CHECK_THAT(lines_of(one), Contains("rank == 0"));
    CHECK_FALSE(finds(made({.of_each = 2 * mib}).log, "written_by_all"));   // a part each
    CHECK_FALSE(finds(made({.of_each = 14 * mib}).log, "written_by_all"));  // not whole
    CHECK_FALSE(finds(made({.squares = 1e12}).log, "written_by_all"));      // not all as much
    CHECK_FALSE(finds(made({.type = "ext4"}).log, "written_by_all"));       // a file for each node
}
