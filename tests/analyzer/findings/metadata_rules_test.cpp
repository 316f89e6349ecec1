// Calls that move no data: too many of them, many files, needless opens, syncs and locks.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

namespace {

// A process with 70 s of reads and so many of other calls, of which 200 were timed.
Synthetic with_metadata(std::uint64_t seconds_of_it, std::uint64_t timed = 200, Kind kind = Kind::stat)
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(
        made.file("/data"), 0,
        {.bytes_read = 1000 * mib, .read_time = 70 * second, .metadata_time = seconds_of_it * second});
    made.operations(Layer::posix, kind, 0, std::vector<std::uint64_t>(timed, 100 * ms));
    made.log.rows<Process>().front().end = job_start + 200 * second;
    return made;
}

// So many files of one process, each made, of so many bytes and 100 ms of other calls.
Synthetic with_files(std::size_t count, std::uint64_t each)
{
    Synthetic made;
    made.process(-1);
    for (std::size_t file = 0; file < count; ++file)
        made.io<PosixRecord>(made.file("/d/" + std::to_string(file)), 0,
                             {.bytes_written = each, .metadata_time = 100 * ms})
            .creates = 1;
    return made;
}

// A file that a process opens so often, 20 s of calls that move no data.
Synthetic opening(std::uint64_t opens)
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/log"), 0, {.bytes_written = mib, .metadata_time = 20 * second}).opens =
        opens;
    return made;
}

// A file that is synced so often, 20 s long, after so many bytes in all.
PosixRecord& synced(Synthetic& made, std::string_view path, std::uint64_t syncs, std::uint64_t bytes)
{
    auto& row = made.io<PosixRecord>(made.file(path), 0, {.bytes_written = bytes, .write_time = 21 * second});
    row.syncs = syncs;
    row.sync_time = 20 * second;
    return row;
}

}  // namespace

TEST_CASE("findings of more seconds than all I/O has are less sure, but for the costliest")
{
    const auto many_with = [](std::uint64_t seconds_of_reads) {
        Synthetic made = with_files(256, 1000);
        made.log.rows<Process>().front().end = job_start + 400 * second;
        made.log.rows<Process>().front().libraries = "libc";
        made.io<PosixRecord>(
            made.file("/data"), 0,
            {.bytes_read = 1000 * mib, .read_time = seconds_of_reads * second, .metadata_time = 60 * second});
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(200, 428 * ms));
        return made;
    };
    const auto found = found_in(many_with(20).log);  // 86 and 26 s of 106
    REQUIRE(found.size() == 2);
    CHECK((found[0].id == "metadata_bound" && found[0].confidence == report::Confidence::high));
    CHECK((found[1].id == "many_files" && found[1].confidence == report::Confidence::low));
    CHECK_THAT(found[1].doubt, Contains("those of a costlier finding"));
    CHECK(finding_of(many_with(30).log, "many_files").confidence == report::Confidence::medium);
}

TEST_CASE("many files: a tool may do with them what it is for")
{
    Synthetic made = with_files(256, 1000);
    made.log.rows<Process>().front().libraries = "libc";
    CHECK_THAT(finding_of(made.log, "many_files").doubt, !Contains("A tool whose task it is"));
    made.log.rows<Process>().front().program = "/usr/bin/cp";
    CHECK_THAT(finding_of(made.log, "many_files").doubt, Contains("A tool whose task it is"));
}

TEST_CASE("metadata bound: 200 calls, and what they cost, three tenths of the I/O where kinds are not known")
{
    CHECK(finds(with_metadata(8).log, "metadata_bound"));  // of a run of 200 s
    CHECK_FALSE(finds(with_metadata(7).log, "metadata_bound"));
    CHECK_FALSE(finds(with_metadata(30, 199).log, "metadata_bound"));
    Synthetic locked = with_metadata(8);
    locked.log.rows<PosixRecord>().front().lock_time = second;  // a finding of its own
    CHECK_FALSE(finds(locked.log, "metadata_bound"));
    const auto untimed = [](std::uint64_t seconds_of_it) {
        Synthetic made = with_metadata(seconds_of_it);
        made.log.rows<OperationTimes>().clear();
        return made;
    };
    CHECK(finding_of(untimed(30).log, "metadata_bound").advice.empty());
    CHECK_FALSE(finds(untimed(29).log, "metadata_bound"));
}

TEST_CASE("metadata bound: ranks open a few files in any case, and what NetCDF seeks is its own")
{
    const auto of_ranks = [](std::size_t ranks, std::size_t calls) {
        Synthetic made = with_metadata(30, calls);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            (rank == 0 ? made.log.rows<Process>().front()
                       : made.log.rows<Process>()[static_cast<std::size_t>(made.process(-1))])
                .rank = static_cast<std::int64_t>(rank);
        return finds(made.log, "metadata_bound");
    };
    CHECK(of_ranks(0, 200));
    CHECK_FALSE(of_ranks(1, 299));
    CHECK(of_ranks(1, 300));
    const auto seeks_with = [](std::string_view libraries) {
        Synthetic made = with_metadata(30, 300, Kind::seek);
        made.log.rows<Process>().front().libraries = libraries;
        return finds(made.log, "metadata_bound");
    };
    CHECK(seeks_with("libc"));
    CHECK_FALSE(seeks_with("libc libnetcdf"));
}

TEST_CASE(
    "metadata bound: a few calls that wait long are no fault of a program that spends its time elsewhere")
{
    const auto log_with = [](std::uint64_t seconds_of_it) {
        Synthetic made = with_metadata(seconds_of_it, 100, Kind::close);
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(200, us));
        return made;
    };
    CHECK(finds(log_with(30).log, "metadata_bound"));
    CHECK_FALSE(finds(log_with(29).log, "metadata_bound"));
}

TEST_CASE("metadata bound: what a script's tools do is their task, and for these the advice is")
{
    const auto of_processes = [](const char* tool) {
        Synthetic made = with_metadata(80, 420, Kind::open);
        made.log.rows<Process>().front().program = tool;
        for (int number = 0; number < 20; ++number) {
            made.io<PosixRecord>(made.file("/data"), made.process(-1), {.metadata_time = 4 * second});
            made.log.rows<Process>().back().program = number == 0 ? "/usr/bin/bash" : tool;
        }
        return finding_of(made.log, "metadata_bound");
    };
    const report::Finding of_tool = of_processes("/usr/bin/ncks"), of_own = of_processes("/home/anna/step");
    CHECK(of_tool.confidence == report::Confidence::medium);
    CHECK_THAT(of_tool.advice.front().text, Contains("Give ncks fewer files"));
    CHECK(of_own.confidence == report::Confidence::high);
    CHECK_THAT(of_own.advice.front().text, Contains("keep them open"));
}

TEST_CASE("metadata bound: fewer calls are no advice where a few took very long each")
{
    const auto advice_with = [](std::uint64_t each) {
        Synthetic made = with_metadata(80, 150, Kind::open);
        made.log.rows<OperationTimes>().clear();
        made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(150, each));
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(100, ms));
        return finding_of(made.log, "metadata_bound").advice.at(0).text;
    };
    CHECK_THAT(advice_with(500 * ms), Catch::Contains("(open) took 500 ms on the mean") &&
                                          Catch::Contains("--system") && !Catch::Contains("keep them open"));
    CHECK_THAT(advice_with(20 * ms), Catch::Contains("keep them open"));
}

TEST_CASE("metadata bound: what an interpreter does for each name in a folder is saved as well")
{
    Synthetic made = with_metadata(80, 20'000, Kind::other);
    PosixRecord& folder = made.io<PosixRecord>(made.file("/folder", NameKind::directory), 0, {});
    folder.directory_reads = 100'000'000;
    folder.opens = 9;
    made.log.rows<Process>().front().libraries = "libc libstdc++";
    CHECK(cost_of(made.log, "metadata_bound") == Approx(80 + 15));
    Process& process = made.log.rows<Process>().front();
    process.program = "/usr/bin/python3";
    CHECK(cost_of(made.log, "metadata_bound") == Approx(80 + 8));
    // glob and pathlib do more with each, where there was CPU time for it, and time beside the 150 s in
    // calls: not for 102 s, but for a third of that, as glob takes.
    process.cpu_time = 20 * second;
    const report::Finding some = finding_of(made.log, "metadata_bound");
    CHECK(cost_of(some) == Approx(80 + 8 + 7.14));
    CHECK_FALSE(some.cost_least);
    process.cpu_time = 170 * second;
    const report::Finding all = finding_of(made.log, "metadata_bound");
    CHECK(cost_of(all) == Approx(80 + 8 + 35.7));
    CHECK(*all.cost_least == Approx(80 + 8));
    CHECK(all.confidence == report::Confidence::medium);
    made.log.rows<Process>().front().program = "/home/user/app";
    made.log.rows<Process>().front().libraries = "libc";
    CHECK(cost_of(made.log, "metadata_bound") == Approx(80));
}

TEST_CASE("metadata bound: the three kinds that took longest, of POSIX and stdio together")
{
    Synthetic made = with_metadata(80, 500);
    made.operations(Layer::stdio, Kind::stat, 0, std::vector<std::uint64_t>(100, 50 * ms));
    made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(50, 500 * ms));
    made.operations(Layer::posix, Kind::close, 0, std::vector<std::uint64_t>(20, ms));
    made.operations(Layer::posix, Kind::failed, 0, std::vector<std::uint64_t>(30, 2 * ms));
    const report::Finding one = finding_of(made.log, "metadata_bound");
    CHECK(numbers_of(one) == R"(600 calls of stat: 53.3 % of the time in I/O goes into calls that move no data
80.0 s, 40 %, high
time in such calls: 80.0 s (summed over all processes, of 150 s in I/O)
stat: 600 (took 55.0 s)
open: 50 (took 25.0 s)
calls that failed: 30 (took 60.0 ms))");
    CHECK_THAT(one.advice.front().text, Contains("Look at each file once"));
}

TEST_CASE("metadata bound: a single call is a kind of its own")
{
    Synthetic made = with_metadata(80, 500);
    made.operations(Layer::stdio, Kind::open, 0, {2 * ms});
    CHECK_THAT(numbers_of(finding_of(made.log, "metadata_bound")), Contains("open: 1 (took 2.00 ms)"));
}

TEST_CASE("metadata bound: what to do depends on the kind of call that took longest")
{
    const auto advice = [](Kind kind) {
        const report::Finding one = finding_of(with_metadata(80, 500, kind).log, "metadata_bound");
        return one.advice.front().text + "\n" + one.advice.back().text + "\n" + lines_of(one);
    };
    CHECK_THAT(advice(Kind::seek), Contains("pread"));
    CHECK_THAT(advice(Kind::failed), Contains("search path") && Contains("The log does not have the paths"));
    CHECK_THAT(advice(Kind::open), Contains("keep them open"));
    CHECK(advice(Kind::close) == advice(Kind::open));
    CHECK_THAT(advice(Kind::other), Contains("Make and remove fewer"));
    const report::Finding other = finding_of(with_metadata(80, 500, Kind::other).log, "metadata_bound");
    CHECK_THAT(other.evidence.back().label, Contains("unlink, rename, mkdir"));
}

TEST_CASE("metadata bound: a few closes that take long wait for the disk, and keeping files open is no help")
{
    Synthetic made = with_metadata(80, 199, Kind::close);
    made.operations(Layer::posix, Kind::stat, 0, {ms, ms});
    const report::Finding one = finding_of(made.log, "metadata_bound");
    CHECK_THAT(one.advice.front().text, Contains("rename it over the old one"));
    CHECK(one.confidence == report::Confidence::medium);
    // A close may write what the client of a network file system still had.
    PosixRecord& written = made.io<PosixRecord>(made.file("/written"), 0,
                                                {.bytes_written = 199 * (64 << 10) - 1, .write_time = ms});
    CHECK(finds(made.log, "metadata_bound"));
    ++written.bytes_written;
    made.log.rows<Totals>().back().bytes_written += 1;
    CHECK_FALSE(finds(made.log, "metadata_bound"));
}

TEST_CASE("metadata bound: where most calls failed, the three paths that they failed on most")
{
    Synthetic made = with_metadata(80, 500, Kind::failed);
    made.log.rows<FailedPath>() = {{"/d/rare", 1, 0, 2},
                                   {"/d/doubtful", 400, 399, 2},
                                   {"/d/less", 90, 10, 13},
                                   {"/d/most", 300, 0, 2},
                                   {"end/of/a/long/one", 30, 0, 20}};
    const report::Finding one = finding_of(made.log, "metadata_bound");
    CHECK_THAT(numbers_of(one), Contains(R"(
calls failed on: /d/most (300 calls: no such file or directory)
calls failed on: /d/less (at least 80 calls: permission denied)
calls failed on: …end/of/a/long/one (30 calls: not a directory))"));
    CHECK(one.evidence.size() == 5);
    CHECK_THAT(one.advice.back().text, Contains("The paths above"));
    made.log.rows<FailedPath>() = {{"/d/shop.db-journal", 300, 0, 2}};
    CHECK_THAT(lines_of(finding_of(made.log, "metadata_bound")), Contains("BEGIN; …; COMMIT;"));
    Synthetic other = with_metadata(80, 500, Kind::stat);
    other.log.rows<FailedPath>() = {{"/d/most", 300, 0, 2}};
    CHECK_THAT(numbers_of(finding_of(other.log, "metadata_bound")), !Contains("/d/most"));
}

TEST_CASE("metadata bound: calls on files that were not opened count, and it is said where those are")
{
    Synthetic made = with_metadata(0);
    made.io<PosixRecord>(made.file("/scratch/<files that were not opened>", NameKind::by_path), 0,
                         {.metadata_time = 100 * second})
        .opens = 0;
    made.log.rows<FileName>().back().files = 40'000;
    const std::string told = numbers_of(finding_of(made.log, "metadata_bound"));
    CHECK_THAT(
        told, Contains("files counted together that were not opened: 40,000 (about, below /scratch/: 100 s"));
}

TEST_CASE("many files: 256 of less than 1 MiB are many")
{
    CHECK(finds(with_files(256, mib - 1).log, "many_files"));
    CHECK_FALSE(finds(with_files(255, 1000).log, "many_files"));
    CHECK_FALSE(finds(with_files(256, mib).log, "many_files"));
    Synthetic unopened = with_files(256, 1000);
    unopened.log.rows<PosixRecord>().back().opens = 0;
    CHECK_FALSE(finds(unopened.log, "many_files"));
}

TEST_CASE("many files: their syncs would take as long in one file")
{
    Synthetic made = with_files(300, 1000);
    const double before = cost_of(made.log, "many_files");
    for (PosixRecord& row : made.log.rows<PosixRecord>()) {
        row.writes = row.syncs = 1;
        row.write_time = row.sync_time = 20 * ms;
    }
    CHECK(cost_of(made.log, "many_files") == Approx(before));
}

TEST_CASE("many files: more than ten looks an open are no use of a file")
{
    Synthetic made = with_files(300, 1000);
    const double before = cost_of(made.log, "many_files");
    for (PosixRecord& row : made.log.rows<PosixRecord>()) row.stats = 10 * row.opens;
    CHECK(cost_of(made.log, "many_files") == Approx(before));
    for (PosixRecord& row : made.log.rows<PosixRecord>()) row.stats = 58 * row.opens;
    CHECK(cost_of(made.log, "many_files") == Approx(before / 5));
}

TEST_CASE("many files: what NumPy does around each array is saved as well")
{
    Synthetic made = with_files(300, 1000);
    made.log.rows<Process>().front().program = "/usr/bin/python3";
    const double before = cost_of(made.log, "many_files");
    for (FileName& name : made.log.rows<FileName>()) name.path = "/d/a.npy";
    CHECK(cost_of(made.log, "many_files") - before == Approx(300 * 130e-6));
}

TEST_CASE("many files: several opens of one file are a finding of their own, and an overflow stands for many")
{
    Synthetic made = with_files(300, 1000);
    made.log.rows<PosixRecord>().front().opens = 10;  // counts for a tenth
    PosixRecord& rest = made.io<PosixRecord>(made.file("/d", NameKind::overflow), 0,
                                             {.bytes_written = 100'000, .metadata_time = 10 * second});
    rest.opens = 200;
    rest.creates = 40;
    made.log.rows<FileName>().back().files = 100;
    made.io<PosixRecord>(made.file("/large"), 0, {.bytes_written = mib});
    const report::Finding one = finding_of(made.log, "many_files");
    // 299 of 100 ms, 10 ms, and half of 10 s.
    CHECK(numbers_of(one) == R"(About 400 files with 1000 B moved in each on average
39.9 s, 39.9 %, medium
small files used: 400 (of about 401 in all; of less than 1 MiB moved each)
made by the program: 340
time for each but for its data: 99.8 ms
one of them: /d/0)");
    CHECK_THAT(lines_of(one), StartsWith("fwrite(") && !Contains("tar"));  // no archive of what is made here
    made.log.not_recorded.insert("posix.creates");
    CHECK(finding_of(made.log, "many_files").evidence.size() == 3);
    made.log.not_recorded.erase("posix.creates");
    for (PosixRecord& row : made.log.rows<PosixRecord>()) row.creates = 0;
    CHECK_THAT(lines_of(finding_of(made.log, "many_files")), EndsWith("tar cf data.tar -C '/d' .\n"));
}

TEST_CASE("needless opens: 200 are many, where a file is opened ten times as often as it has users")
{
    CHECK(finds(opening(201).log, "open_close_churn"));
    CHECK_FALSE(finds(opening(200).log, "open_close_churn"));
    Synthetic made;
    made.ranks(25);
    const std::uint64_t file = made.file("/log");
    for (std::int64_t rank = 0; rank < 25; ++rank)
        made.io<PosixRecord>(file, rank, {.bytes_written = mib, .metadata_time = 20 * second}).opens = 10;
    CHECK(finds(made.log, "open_close_churn"));
    made.log.rows<PosixRecord>().back().opens = 9;
    CHECK_FALSE(finds(made.log, "open_close_churn"));
}

TEST_CASE("needless opens: a write or two each time could be collected, three are small requests")
{
    const auto log_with = [](std::uint64_t writes, std::uint64_t synced) {
        Synthetic made = opening(1000);
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.writes = writes;
        row.write_time = 10 * second;
        row.synced_write_time = synced;
        made.log.rows<Totals>().front().write_time = 10 * second;
        return made;
    };
    const double moving = 1 / 2048.0;
    CHECK(cost_of(log_with(2000, 0).log, "open_close_churn") == Approx(0.999 * (30 - moving)));
    CHECK(cost_of(log_with(2001, 0).log, "open_close_churn") == Approx(0.999 * 20));
    CHECK(cost_of(log_with(2000, 10 * second).log, "open_close_churn") == Approx(0.999 * 20));
}

TEST_CASE("needless opens: a journal that is synced each time it is made is the syncs' fault")
{
    Synthetic made = opening(1000);
    CHECK(finds(made.log, "open_close_churn"));
    PosixRecord& row = made.log.rows<PosixRecord>().front();
    row.file = made.file("/a.db-journal");
    CHECK(finds(made.log, "open_close_churn"));
    row.syncs = 1000;
    CHECK_FALSE(finds(made.log, "open_close_churn"));
}

TEST_CASE("needless opens: a flush before each close is the close's")
{
    const auto log_with = [](std::uint64_t flushes) {
        Synthetic made;
        made.process(-1);
        StdioRecord& row = made.io<StdioRecord>(
            made.file("/log"), 0,
            {.bytes_written = mib / 2, .write_time = 10 * second, .metadata_time = 20 * second});
        row.opens = 1000;
        row.writes = row.syncs = flushes;
        row.sync_time = 10 * second;
        return made;
    };
    CHECK(cost_of(log_with(2000).log, "open_close_churn") == Approx(0.999 * 30));
    CHECK_FALSE(finds(log_with(2000).log, "frequent_syncs"));
    CHECK(finds(log_with(2001).log, "frequent_syncs"));
}

TEST_CASE("needless opens: 20 of MPI-IO are many, which cost every rank")
{
    const auto log_with = [](std::uint64_t opens) {
        Synthetic made;
        made.ranks(4);
        const std::uint64_t file = made.file("/shared");
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            made.io<PosixRecord>(file, rank, {.bytes_written = mib}, Scope::beneath_mpiio);
            made.io<MpiioRecord>(file, rank, {.bytes_written = mib, .metadata_time = 20 * second}).opens =
                opens;
        }
        return made;
    };
    CHECK(cost_of(log_with(100).log, "open_close_churn") == Approx(20 * 0.99));
    CHECK_FALSE(finds(log_with(9).log, "open_close_churn"));
}

TEST_CASE("needless opens: 20 of an archive are many, of which the directory is read each time")
{
    const auto log_with = [](std::string_view path, std::uint64_t opens) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libpython3";
        made.io<PosixRecord>(made.file(path), 0,
                             {.bytes_read = 10 * mib, .read_time = second, .metadata_time = 10 * second})
            .opens = opens;
        return made;
    };
    CHECK(lines_of(finding_of(log_with("/samples.zip", 21).log, "open_close_churn")) ==
          "with zipfile.ZipFile(path) as file:    # around the loop\n");
    CHECK_FALSE(finds(log_with("/samples.zip", 20).log, "open_close_churn"));
    CHECK_FALSE(finds(log_with("/samples.bin", 21).log, "open_close_churn"));
    // What Python makes of the directory, 30 ns a byte, and SQLite of the schema, where there was time for
    // it.
    const auto range_with = [&](std::string_view path) {
        Synthetic made = log_with(path, 10'001);
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.held_time = 60 * second;
        row.reads = 10'001;
        made.log.rows<Process>().front().cpu_time = 90 * second;
        const report::Finding one = finding_of(made.log, "open_close_churn");
        return *one.cost_least - (10 + 1);
    };
    CHECK(range_with("/samples.zip") == Approx(0.05 + 10 * mib * 30e-9).epsilon(0.01));
    CHECK(range_with("/samples.db") == Approx(0.05 + 0.5).epsilon(0.01));
}

TEST_CASE("needless opens: what an interpreter does around each is saved as well")
{
    const auto cost_in = [](std::string_view program, std::string_view libraries = "libc") {
        Synthetic made = opening(1'000'001);
        made.log.rows<Process>().front().program = program;
        made.log.rows<Process>().front().libraries = libraries;
        return cost_of(made.log, "open_close_churn");
    };
    CHECK(cost_in("/home/user/app") == Approx(20).epsilon(1e-4));
    CHECK(cost_in("/usr/bin/python3") == Approx(20 + 5).epsilon(1e-4));
    CHECK(cost_in("/usr/bin/bash") == Approx(20 + 12).epsilon(1e-4));
    CHECK(cost_in("/usr/bin/dash") == Approx(20 + 8).epsilon(1e-4));
    CHECK(cost_in("/usr/bin/gawk") == Approx(20 + 12).epsilon(1e-4));
    CHECK(cost_in("/home/user/app", "libc libstdc++") == Approx(20 + 0.9).epsilon(1e-4));
    // The descriptors that a shell saves and puts back are system calls as well: three times as long at most.
    Synthetic quick = opening(1'000'001);
    quick.log.rows<Process>().front().program = "/usr/bin/bash";
    quick.log.rows<PosixRecord>().front().metadata_time = 2 * second;
    CHECK(cost_of(quick.log, "open_close_churn") == Approx(2 + 6).epsilon(1e-4));
}

TEST_CASE("needless opens: what is read again at each is one finding with them, the larger one")
{
    // Of two files the first takes longer to read.
    const auto ids_with = [](std::uint64_t each, std::uint64_t written, std::uint64_t files = 1) {
        Synthetic made;
        made.process(-1);
        for (std::uint64_t at = 0; at < files; ++at) {
            const std::uint64_t file = made.file("/settings" + std::to_string(at)), opens = 1000 / files;
            PosixRecord& row = calls(made, file, 0, Direction::read, opens, 8192, each + (at == 0 ? 1 : 0));
            row.highest_read = 8192;
            row.opens = row.closes = opens;
            row.metadata_time = 20 * second / files;
            row.bytes_written = at + 1 == files ? written : 0;
        }
        Totals& totals = made.log.rows<Totals>().front();
        totals.metadata_time = 20 * second;
        std::vector<std::pair<std::string, double>> found;
        for (const report::Finding& one : found_in(made.log))
            if (one.id == "redundant_reads" || one.id == "open_close_churn")
                found.emplace_back(one.id, cost_of(one));
        return found;
    };
    const auto reads = ids_with(12 * ms, 0);
    REQUIRE(reads.size() == 1);
    CHECK(reads[0].first == "redundant_reads");
    CHECK(reads[0].second == Approx(0.999 * 32).epsilon(0.001));
    const auto opens = ids_with(9 * ms, 0);
    REQUIRE(opens.size() == 1);
    CHECK(opens[0].first == "open_close_churn");
    CHECK(ids_with(12 * ms, 1).size() == 2);
    CHECK(ids_with(12 * ms, 0, 2).size() == 1);
    CHECK(ids_with(12 * ms, 1, 2).size() == 2);  // one of the files is none that is kept in memory
}

TEST_CASE("needless opens: their share of the opens and closes, no more than these files' own time")
{
    Synthetic made = opening(1000);
    made.io<PosixRecord>(made.file("/once"), 0, {.bytes_written = mib});
    PosixRecord& often = made.io<PosixRecord>(made.file("/oftener"), 0,
                                              {.bytes_written = 3 * mib, .metadata_time = 40 * second});
    often.opens = 2000;
    report::Finding one = finding_of(made.log, "open_close_churn");
    CHECK(cost_of(one) == Approx(20 * 0.999 + 40 * 0.9995));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(one.cost_basis, Contains("calls on these files that move no data; one open a process"));
    made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(100, 300 * ms));
    made.operations(Layer::stdio, Kind::close, 0, std::vector<std::uint64_t>(100, 10 * ms));
    one = finding_of(made.log, "open_close_churn");
    // 31 s of opens and closes, of which 2998 of 3001 were needless.
    CHECK(numbers_of(one) == R"(2 files opened and closed 2,998 times beyond the first
60.0 s, 60.0 %, medium
opens beyond the first: 2,998 (of 3,001 opens in all)
each, with its close: 20.0 ms
most often opened: /oftener (2,000 times, for 3 MiB of data))");
    CHECK(finding_of(opening(1000).log, "open_close_churn").title ==
          "One file opened and closed 999 times beyond the first");
}

TEST_CASE("syncs: 20 of files with less than 16 MiB between two are many")
{
    const auto found = [](std::uint64_t syncs, std::uint64_t bytes) {
        Synthetic made;
        made.process(-1);
        synced(made, "/data", syncs, bytes);
        return finds(made.log, "frequent_syncs");
    };
    CHECK(found(20, mib));
    CHECK_FALSE(found(19, mib));
    CHECK_FALSE(found(20, 20 * 16 * mib));
    CHECK(found(20, 20 * 16 * mib - 1));
    Synthetic single;
    single.process(-1);
    synced(single, "/data", 18, mib);
    for (const char* const path : {"/one", "/other"}) synced(single, path, 1, mib);
    CHECK_FALSE(finds(single.log, "frequent_syncs"));  // one sync of a file is what it takes
    single.log.rows<PosixRecord>().back().syncs = 2;
    CHECK(finds(single.log, "frequent_syncs"));
}

TEST_CASE("syncs: all but one of each file, by the file with most of them")
{
    Synthetic made;
    made.process(-1);
    synced(made, "/less", 10, 3 * mib).sync_time = 10 * second;
    synced(made, "/most", 40, 7 * mib);
    synced(made, "/last", 20, 10 * mib).sync_time = 15 * second;
    through_mpiio(made, made.file("/mpi"), 0, 10, mib, ms).syncs = 100;  // what it syncs, it syncs by POSIX
    const report::Finding one = finding_of(made.log, "frequent_syncs");
    // 0.9 of 10 s, 39 of 40 of 20 s, 0.95 of 15 s.
    CHECK(cost_of(one) == Approx(9 + 19.5 + 14.25));
    CHECK_FALSE(one.cost_least);
    CHECK(numbers_of(one) == R"(70 syncs, one after every 293 KiB written
42.8 s, 42.8 %, low
syncs: 70 (took 42.8 s, 611 ms each)
written between two: 293 KiB
most time on: /most (40 times))");
    synced(made, "/as_many", 40, 7 * mib);
    CHECK_THAT(numbers_of(finding_of(made.log, "frequent_syncs")), Contains("/most (40 times)"));
    CHECK_THAT(lines_of(one), Contains("fdatasync"));
}

TEST_CASE("syncs: in MPI_File_sync all ranks wait for the one whose sync takes longest")
{
    Synthetic made;
    made.process(-1);
    synced(made, "/shared", 40, 7 * mib);
    const double alone = cost_of(made.log, "frequent_syncs");
    MpiioRecord& row = made.io<MpiioRecord>(made.log.rows<PosixRecord>().front().file, 0,
                                            {.bytes_written = 7 * mib, .write_time = 41 * second});
    row.syncs = 40;
    row.sync_time = 40 * second;
    CHECK(cost_of(made.log, "frequent_syncs") == Approx(2 * alone));
    made.log.rows<MpiioRecord>().front().sync_time = second;
    CHECK(cost_of(made.log, "frequent_syncs") == Approx(alone));
}

TEST_CASE("syncs: of ranks that share cores each loses its own time, since another computes meanwhile")
{
    const auto cost_with = [](std::uint64_t core_wait) {
        Synthetic made;
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            Process& process = made.log.rows<Process>()[static_cast<std::size_t>(rank)];
            process.cpu_time = 20 * second;
            process.core_wait = core_wait;
            PosixRecord& row =
                made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                     {.write_time = static_cast<std::uint64_t>(10 + 20 * rank) * second});
            row.syncs = 1000;
            row.sync_time = row.write_time;
        }
        return cost_of(made.log, "frequent_syncs");
    };
    CHECK(cost_with(9 * second) == Approx(30).epsilon(0.01));
    CHECK(cost_with(10 * second) == Approx(20).epsilon(0.01));
}

TEST_CASE("syncs: at least their time beyond that of the data, which one sync would have to write as well")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = synced(made, "/large", 1000, 10'000 * mib);
    row.write_time = row.sync_time = 40 * second;
    made.log.rows<Totals>().front().write_time = 40 * second;
    const report::Finding one = finding_of(made.log, "frequent_syncs");
    CHECK(cost_of(one) == Approx(0.999 * 40));
    REQUIRE(one.cost_least);
    CHECK(*one.cost_least == Approx(0.999 * 20));
}

TEST_CASE("syncs: where more than half of their time is stdio's, they are flushes")
{
    Synthetic made;
    made.process(-1);
    synced(made, "/data", 20, mib);
    StdioRecord& stream =
        made.io<StdioRecord>(made.file("/text"), 0, {.bytes_written = mib, .write_time = 21 * second});
    stream.syncs = 20;
    stream.sync_time = 20 * second;
    CHECK_THAT(finding_of(made.log, "frequent_syncs").title, Contains("20 syncs"));
    stream.sync_time += 1;
    const report::Finding one = finding_of(made.log, "frequent_syncs");
    CHECK_THAT(one.title, Contains("20 flushes of streams"));
    CHECK(lines_of(one).empty());
    CHECK_THAT(one.why, Contains("Each flush empties"));
}

TEST_CASE("locks: their time over all files, and the file with most of it")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t shared = made.file("/shared");
    const auto lock = [&](std::uint64_t file, std::int64_t rank, std::uint64_t locks, std::uint64_t seconds) {
        auto& row = made.io<PosixRecord>(file, rank, {.bytes_written = 1, .metadata_time = 30 * second});
        row.locks = locks;
        row.lock_time = seconds * second;
    };
    lock(made.file("/less"), 0, 5, 15);
    lock(shared, 0, 10, 10);
    lock(shared, 1, 10, 8);
    lock(made.file("/last"), 1, 3, 17);
    const report::Finding one = finding_of(made.log, "lock_waits");
    // 50 s of 120 s, of which the slowest rank spent 60.
    CHECK(numbers_of(one) == R"(28 calls to lock files, 1.79 s each on average
25.0 s, 25 %, high
calls on locks: 28 (50.0 s of all ranks)
most time on: /shared (18.0 s, used by 2 ranks))");
    CHECK_THAT(lines_of(one), Contains("F_SETLKW"));
    CHECK_THAT(one.advice.front().text, Contains("Hold the lock only while data are moved"));
    made.log.rows<PosixRecord>()[1].write_time = 4 * second;  // a fifth and more
    CHECK_THAT(finding_of(made.log, "lock_waits").advice.front().text, !Contains("Hold the lock only"));
    // Four of each may wait for one that does something for all.
    made.log.rows<PosixRecord>()[1].locks = 1;
    made.log.rows<PosixRecord>()[2].locks = 0;
    CHECK(finding_of(made.log, "lock_waits").confidence == report::Confidence::high);
    made.log.rows<PosixRecord>()[1].locks = 0;
    CHECK(finding_of(made.log, "lock_waits").confidence == report::Confidence::low);
}

TEST_CASE("locks: those of MPI-IO are its library's, also where a hint has ranks write by themselves")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    made.io<MpiioRecord>(file, 0, {.bytes_written = mib, .write_time = 20 * second}).opens = 1;
    PosixRecord& row = made.io<PosixRecord>(file, 0, {.bytes_written = mib, .metadata_time = 20 * second},
                                            Scope::beneath_mpiio);
    row.locks = 100;
    row.lock_time = 20 * second;
    CHECK_THAT(lines_of(finding_of(made.log, "lock_waits")), Contains("romio_ds_write"));
    made.log.rows<Hints>() = {{file, "romio_cb_write=disable", "romio_cb_write=disable", 0}};
    const report::Finding one = finding_of(made.log, "lock_waits");
    CHECK_THAT(one.advice.front().text, Contains("Leave out the hint romio_cb_write=disable"));
    CHECK(one.advice.size() == 1);
}

TEST_CASE("locks: what is moved under each of them is the same fault")
{
    Synthetic made;
    made.process(-1);
    auto& row = calls(made, made.file("/counter"), 0, Direction::write, 10'000, 4, 1 * ms);
    CHECK(finds(made.log, "small_requests"));
    row.locks = 20'000;
    row.metadata_time = row.lock_time = 15 * second;
    made.log.rows<Totals>().back().metadata_time = 15 * second;
    CHECK(finds(made.log, "lock_waits"));
    CHECK_FALSE(finds(made.log, "small_requests"));
    CHECK_THAT(numbers_of(finding_of(made.log, "lock_waits")), Contains("25.0 s, 25.0 %"));
    // Read and written under each.
    row.reads = row.switches = 10'000;
    row.bytes_read = 40'000;
    row.read_time = 10 * second;
    CHECK_FALSE(finds(made.log, "read_modify_write"));
}

TEST_CASE("locks: of a few bytes that all want no part can be locked, and what others change is read anew")
{
    const auto log_with = [](std::uint64_t locks, std::uint64_t extent, std::int64_t writers = 2) {
        Synthetic made;
        const std::uint64_t file = made.file("/counter");
        for (std::int64_t number = 0; number < 2; ++number) {
            made.process(-1);
            PosixRecord& row = made.io<PosixRecord>(file, number,
                                                    {.bytes_read = 40'000,
                                                     .bytes_written = number < writers ? 40'000u : 0u,
                                                     .read_time = 10 * second,
                                                     .metadata_time = 20 * second});
            row.reads = row.writes = row.switches = 10'000;
            row.highest_read = row.highest_written = extent;
            row.locks = locks;
            row.lock_time = locks > 0 ? 20 * second : 0;
        }
        return made;
    };
    const Synthetic counter = log_with(20'000, 4);
    CHECK_THAT(lines_of(finding_of(counter.log, "lock_waits")),
               Contains("take_numbers(fd, 100)") && !Contains("F_SETLKW"));
    CHECK_THAT(lines_of(finding_of(log_with(20'000, 4096).log, "lock_waits")), Contains("F_SETLKW"));
    CHECK_FALSE(finds(counter.log, "redundant_reads"));
    CHECK(finds(log_with(0, 4).log, "redundant_reads"));
    CHECK(finds(log_with(4999, 4).log, "redundant_reads"));  // not for each read
    CHECK_FALSE(finds(log_with(20'000, 4, 1).log, "redundant_reads"));
    CHECK(finds(log_with(20'000, 4, 0).log, "redundant_reads"));  // nobody changes it
}

TEST_CASE("locks: opens and closes around each of them are the same fault")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = made.io<PosixRecord>(made.file("/results"), 0,
                                            {.bytes_written = 100'000, .metadata_time = 30 * second});
    row.opens = row.writes = 10'000;
    CHECK(finds(made.log, "open_close_churn"));
    row.locks = 10'000;
    row.lock_time = 20 * second;
    CHECK_FALSE(finds(made.log, "open_close_churn"));
    CHECK(cost_of(made.log, "lock_waits") == Approx(30).epsilon(0.01));
    made.log.rows<PosixRecord>().front().lock_time = 8 * second;  // few of them
    CHECK(finds(made.log, "open_close_churn"));
}

TEST_CASE("locks: those of SQLite are fewer in larger transactions")
{
    Synthetic made;
    made.process(-1);
    auto& row =
        made.io<PosixRecord>(made.file("/a.db"), 0, {.bytes_written = 1, .metadata_time = 30 * second});
    row.locks = 100;
    row.lock_time = 20 * second;
    CHECK(lines_of(finding_of(made.log, "lock_waits")) == "BEGIN; …; COMMIT;\n");
    CHECK(finding_of(made.log, "lock_waits").confidence == report::Confidence::medium);
}

TEST_CASE("locks: those of SQLite, with its looks for a journal, are one finding")
{
    const auto made = [](std::string_view journal) {
        Synthetic of = with_metadata(30, 500, Kind::failed);
        of.log.rows<FailedPath>() = {{journal, 500, 0, 2}};
        auto& row = of.io<PosixRecord>(of.file("/a/folder/with/a/long/name/shop.db"), 0,
                                       {.bytes_written = 1, .metadata_time = 20 * second});
        row.locks = 100;
        row.lock_time = 20 * second;
        return of;
    };
    const Synthetic same = made("/a/folder/with/a/long/name/shop.db-journal");
    CHECK(cost_of(same.log, "lock_waits") > 25);
    CHECK_FALSE(finds(same.log, "metadata_bound"));
    const Synthetic other = made("/a/folder/with/a/long/name/other.db-journal");
    CHECK(cost_of(other.log, "lock_waits") == Approx(20));
    CHECK(finds(other.log, "metadata_bound"));
}

TEST_CASE("syncs: of SQLite with the locks that its transactions take, one finding")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = synced(made, "/a.db", 400, 4'000'000);
    row.metadata_time = 10 * second;
    made.log.rows<Totals>().back().metadata_time = 10 * second;
    const double alone = cost_of(made.log, "frequent_syncs");
    row.locks = 100;
    row.lock_time = 8 * second;
    CHECK(cost_of(made.log, "frequent_syncs") == Approx(alone + 8));
    CHECK_FALSE(finds(made.log, "lock_waits"));
}

TEST_CASE("needless opens: what is read again at each of them is taken apart again, too")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row =
        made.io<PosixRecord>(made.file("/settings"), 0,
                             {.bytes_read = 100 * mib, .read_time = second, .metadata_time = 5 * second});
    row.opens = row.reads = 1000;
    made.burst(0, 10, 50);
    made.log.rows<Process>().front().cpu_time = 90 * second;
    made.log.rows<Process>().front().burst_gap = 1'000'000;
    const report::Finding one = finding_of(made.log, "open_close_churn");
    CHECK(cost_of(one) == Approx((5 + 40 - 6) * 0.999));
    CHECK(one.cost_least == Approx(5 * 0.999));
    CHECK(one.confidence == report::Confidence::medium);
    row.bytes_written = 1;  // what is written has to be made
    CHECK(cost_of(made.log, "open_close_churn") == Approx(5 * 0.999));
}

TEST_CASE("churn: a file that is emptied and written anew each time costs what makes it, too")
{
    const auto log_with = [](std::uint64_t creates, std::uint64_t highest) {
        Synthetic made;
        made.process(-1);
        Process& process = made.log.rows<Process>().front();
        process.cpu_time = 60 * second;
        process.burst_gap = 40 * ms;
        made.burst(0, 10, 50);
        PosixRecord& row = made.io<PosixRecord>(
            made.file("/state.json"), 0,
            {.bytes_written = 1000 * mib, .write_time = 4 * second, .metadata_time = 8 * second});
        row.opens = 1000;
        row.creates = creates;
        row.writes = 100'000;
        row.highest_written = highest;
        return made;
    };
    const report::Finding one = finding_of(log_with(1000, 2 * mib).log, "open_close_churn");
    CHECK(one.title == "One file emptied and written anew 999 times beyond the first");
    CHECK(cost_of(one) == Approx(0.999 * (12 + 28)).epsilon(0.001));
    CHECK(*one.cost_least == Approx(0.999 * 12).epsilon(0.001));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(one.advice.front().text, Contains("Add what is new"));
    // Of 1 MiB each time: nothing is added.
    CHECK_THAT(finding_of(log_with(1000, mib).log, "open_close_churn").advice.front().text,
               Contains("Write it less often"));
    // Only opened so often; or each time something else.
    CHECK_THAT(finding_of(log_with(499, 2 * mib).log, "open_close_churn").title,
               Contains("opened and closed"));
    CHECK_THAT(finding_of(log_with(1000, 201 * mib).log, "open_close_churn").title,
               Contains("opened and closed"));
}

namespace {

// A database of SQLite with a log beside it, in 120 commits, each of which writes so many bytes.
Synthetic database(std::string_view ending, std::uint64_t each)
{
    Synthetic made;
    made.process(-1);
    synced(made, "/d/c.db", 120, 120 * (ending == "-wal" ? 4096 : each)).sync_time = second;
    synced(made, std::string("/d/c.db").append(ending), 120, 120 * (ending == "-wal" ? each : 4096));
    return made;
}

}  // namespace

TEST_CASE("syncs: those of a database that has many changes in each commit are needed")
{
    for (const char* const ending : {"-wal", "-journal"}) {
        INFO(ending);
        CHECK(finding_of(database(ending, (16 << 10) - 1).log, "frequent_syncs").confidence ==
              report::Confidence::medium);
        CHECK_FALSE(finds(database(ending, 16 << 10).log, "frequent_syncs"));
    }
    CHECK(finding_of(database(".txt", 16 << 10).log, "frequent_syncs").confidence ==
          report::Confidence::high);
}

TEST_CASE("metadata bound: names of folders that are listed again, and no calls on locks")
{
    Synthetic made = with_metadata(30, 2000, Kind::other);
    made.log.rows<Process>().front().libraries = "libc libpython3";
    made.log.rows<PosixRecord>().front().directory_reads = 1500;
    CHECK_THAT(lines_of(finding_of(made.log, "metadata_bound")), Contains("os.listdir"));
    made.log.rows<PosixRecord>().front().locks = 2000;
    made.log.rows<PosixRecord>().front().lock_time = 30 * second;
    CHECK_FALSE(finds(made.log, "metadata_bound"));
}

TEST_CASE("metadata bound: nearly all calls that fail ask for one path, or look along several")
{
    Synthetic made = with_metadata(30, 200, Kind::failed);
    made.log.rows<Process>().front().libraries = "libc";
    made.log.rows<FailedPath>().push_back({.path = "/run/STOP", .calls = 160, .cause = 2});
    CHECK_THAT(finding_of(made.log, "metadata_bound").advice.front().text,
               Contains("Ask for that path once"));
    made.log.rows<FailedPath>().front().calls = 159;
    CHECK_THAT(finding_of(made.log, "metadata_bound").advice.front().text, Contains("LD_LIBRARY_PATH"));
}

TEST_CASE("metadata bound: names that are not in one folder, in one of several, or modules and libraries")
{
    const auto advice = [](std::string_view one, std::string_view other) {
        Synthetic made = with_metadata(30, 200, Kind::failed);
        made.log.rows<Process>().front().libraries = "libc libpython3";
        made.log.rows<Process>().front().program = "/usr/bin/python3";
        for (const std::string_view path : {one, other})
            made.log.rows<FailedPath>().push_back({.path = path, .calls = 3, .cause = 2});
        return finding_of(made.log, "metadata_bound").advice.front().text;
    };
    CHECK_THAT(advice("/done/1.json", "/done/2.json"), Contains("List the folder once"));
    CHECK_THAT(advice("/a/wood.png", "/b/wood.png"), Contains("remember where a file was found"));
    CHECK_THAT(advice("/a/step.py", "/b/step.py"), Contains("sys.path"));
}

TEST_CASE("syncs: few may have to be, and those of a mapping write what no call shows")
{
    const auto found = [](std::uint64_t syncs, std::uint64_t bytes, std::uint64_t maps = 0) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc";
        synced(made, "/journal", syncs, bytes).maps = maps;
        return finding_of(made.log, "frequent_syncs");
    };
    CHECK(found(99, 1000).confidence == report::Confidence::medium);
    CHECK(found(100, 1000).confidence == report::Confidence::high);
    CHECK(found(100, 0).title == "100 syncs");  // of a folder
    CHECK(found(100, 0, 1).title == "100 syncs of mapped files");
    CHECK_THAT(lines_of(found(100, 0, 1)), Contains("MS_ASYNC"));
}

TEST_CASE("syncs: of a mapping that ranks share, of which no burst shows anything")
{
    Synthetic made;
    made.ranks(4);
    PosixRecord& row = made.reduced_io<PosixRecord>(made.file("/shared.npy"), 4, 4, 0,
                                                    {.bytes_written = 128, .write_time = 80 * second});
    row.syncs = 400;
    row.sync_time = 80 * second;
    row.maps = 4;
    row.mapped_bytes = 100 * mib;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        made.total(rank, Layer::posix, Scope::direct,
                   {.bytes_written = rank == 0 ? 128U : 0U, .write_time = 20 * second});
        made.log.rows<Totals>().back().syncs = 100;
        made.burst(rank, 0, 1);
    }
    const auto found = found_in(made.log);
    REQUIRE(found.size() == 1);  // and not rank 0's writes
    CHECK(found[0].title == "400 syncs of mapped files");
    CHECK(cost_of(found[0]) == Approx(0.99 * 20));
}

TEST_CASE("syncs: of a mapping, what was synced is written again by page faults, at most once a page")
{
    const auto found = [](std::uint64_t faults) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Mount>().push_back({"/", "ext4", "/dev/a"});
        PosixRecord& file = synced(made, "/map", 100, 0);
        file.maps = 1;
        file.mapped_bytes = 20'000 * 4096;
        Process& process = made.log.rows<Process>().front();
        process.minor_faults = 2'000 + 20'000 + faults;
        process.cpu_time = 90 * second;
        return finding_of(made.log, "frequent_syncs");
    };
    CHECK_FALSE(found(0).cost_least);
    const report::Finding one = found(500'000);
    CHECK(cost_of(one) == Approx(*one.cost_least + 6));
    CHECK(cost_of(found(99 * 20'000)) == Approx(cost_of(found(100 * 20'000))));
}

TEST_CASE("metadata bound: other calls by their name, where one is half of them")
{
    Synthetic made = with_metadata(30, 200, Kind::other);
    made.log.rows<Process>().front().libraries = "libc";
    made.log.rows<PosixRecord>().front().truncates = 101;
    const report::Finding one = finding_of(made.log, "metadata_bound");
    CHECK_THAT(numbers_of(one), Contains("ftruncate, truncate and posix_fallocate: 200"));
    CHECK_THAT(lines_of(one), Contains("posix_fallocate"));
    made.log.rows<PosixRecord>().front().truncates = 100;
    CHECK_THAT(numbers_of(finding_of(made.log, "metadata_bound")), Contains("other calls: unlink"));
}

TEST_CASE("metadata bound: a mapping for each piece is named, with its munmap, which no counter has")
{
    const auto mapping = [](std::uint64_t maps, std::uint64_t truncates) {
        Synthetic made = with_metadata(80, 600, Kind::other);
        PosixRecord& file = made.log.rows<PosixRecord>().front();
        file.maps = maps;
        file.mapped_bytes = maps * 4096;
        file.truncates = truncates;
        return made;
    };
    Synthetic made = mapping(200, 200);
    const report::Finding one = finding_of(made.log, "metadata_bound");
    CHECK_THAT(one.title, Contains("200 mappings of files, of 4 KiB each: 53.3 % of the time"));
    CHECK_THAT(numbers_of(one), Contains("mmap and munmap: 600"));
    CHECK_THAT(one.advice.front().text, Contains("Map the file once"));
    CHECK(cost_of(one) == Approx(80 + 200 * 2.5e-6).epsilon(1e-9));
    made.log.rows<Process>().front().program = "/usr/bin/python3";
    CHECK(cost_of(made.log, "metadata_bound") == Approx(80 + 200 * 6.5e-6).epsilon(1e-9));
    CHECK_THAT(finding_of(mapping(200, 300).log, "metadata_bound").advice.front().text,
               !Contains("Map the file once"));
    CHECK_THAT(finding_of(mapping(150, 0).log, "metadata_bound").title, !Contains("mappings"));
}
