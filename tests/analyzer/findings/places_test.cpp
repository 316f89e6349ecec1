// Where requests go: inside blocks, to random places, and to what was read before.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

// A hundred writes of 1 MiB in 50 s, all of which begin inside a block of 256 KiB.
PosixRecord& inside_blocks(Synthetic& made, std::uint64_t file, std::uint64_t count = 100)
{
    PosixRecord& row = calls(made, file, 0, Direction::write, count, mib, 50 * second / count);
    row.consecutive_writes = 0;
    row.file_alignment = 256 << 10;
    row.file_unaligned = count;
    row.creates = 1;
    return row;
}

// A process that reads 1000 times 200 KB at random places, 50 s long.
PosixRecord& at_random(Synthetic& made, Direction direction = Direction::read, std::uint64_t count = 1001)
{
    PosixRecord& row = calls(made, made.file("/data"), 0, direction, count, 200'000, 50 * second / count);
    row.consecutive_reads = row.consecutive_writes = 0;
    (direction == Direction::read ? row.sequential_reads : row.sequential_writes) = (count - 1) / 2;
    return row;
}

}  // namespace

TEST_CASE("misaligned: what blocks cost that are touched in part, by the file that costs most")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& less = inside_blocks(made, made.file("/less"));
    less.write_time -= 10 * second;
    less.file_alignment = 128 << 10;
    inside_blocks(made, made.file("/most"));
    PosixRecord& read = inside_blocks(made, made.file("/other"));
    read.bytes_read = read.bytes_written;
    read.reads = 100;
    read.read_time = 5 * second;
    read.write_time = 10 * second;
    read.consecutive_reads = 60;
    read.consecutive_writes = 10;
    made.log.rows<Totals>().back().read_time = 5 * second;
    // 1/9 of 40 s, 1/5 of 50 s, and 30 of 200 calls of 15 s: all of them touch a block more than they fill.
    // 14.9 s of 155 s in I/O, in a run of 100 s.
    for (PosixRecord& row : made.log.rows<PosixRecord>()) row.sequential_writes = row.sequential_reads = 100;
    const report::Finding one = finding_of(made.log, "misaligned");
    CHECK(numbers_of(one) == R"(230 reads and writes begin inside a block
9.61 s, 9.6 %, low
begin inside a block: 230 (of 400 reads and writes; those that went on where the last one ended are left out)
block size: 256 KiB
most time in: /most)");
    CHECK_THAT(one.advice.front().text, Contains("a multiple of 256 KiB"));
}

TEST_CASE("misaligned: a hundred are many, unless they went on where the last one ended")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = inside_blocks(made, made.file("/data"));
    CHECK(finds(made.log, "misaligned"));
    row.file_unaligned = 99;
    CHECK_FALSE(finds(made.log, "misaligned"));
    row.file_unaligned = 100;
    row.consecutive_writes = 1;
    CHECK_FALSE(finds(made.log, "misaligned"));
    row.consecutive_writes = 0;
    row.file_alignment = 0;  // not known
    CHECK_FALSE(finds(made.log, "misaligned"));
    row.file_alignment = mib;
    CHECK(finds(made.log, "misaligned"));
    row.file_alignment = mib + 1;  // shorter than a block: then it is their size that matters
    CHECK_FALSE(finds(made.log, "misaligned"));
}

TEST_CASE("misaligned: the time of syncs is not theirs")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = inside_blocks(made, made.file("/data"));
    CHECK(cost_of(made.log, "misaligned") == Approx(50 / 5.0));
    row.sync_time = 20 * second;
    CHECK(cost_of(made.log, "misaligned") == Approx(30 / 5.0));
}

TEST_CASE("misaligned: blocks that were there before are read first, which may be all that a write waits for")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = inside_blocks(made, made.file("/data"));
    row.creates = 0;
    const report::Finding one = finding_of(made.log, "misaligned");
    CHECK(cost_of(one) == Approx(50 - 100 / 2048.0));
    CHECK(one.cost_least == Approx(50 / 5.0));
    row.synced_writes = 100;  // which wait for the device in any case
    CHECK(cost_of(made.log, "misaligned") == Approx(50 / 5.0));
    row.synced_writes = 0;
    row.write_time = 100 * (500 + 19) * us;  // as in memory, or hardly longer
    made.log.rows<Process>().front().end = job_start + second / 20;
    CHECK_FALSE(finds(made.log, "misaligned"));
}

TEST_CASE("misaligned: ranks that share a file on Lustre make it likelier")
{
    Synthetic made;
    made.ranks(2);
    made.log.rows<Mount>().push_back({"/", "ext4", "/dev/sda"});
    const std::uint64_t file = made.file("/lustre/data");
    inside_blocks(made, file).process = 1;
    made.log.rows<Totals>().back().process = 1;
    inside_blocks(made, file);
    CHECK(finding_of(made.log, "misaligned").confidence == report::Confidence::low);
    made.log.rows<Mount>().push_back({"/lustre", "lustre", "server"});
    CHECK(finding_of(made.log, "misaligned").confidence == report::Confidence::medium);
    made.log.rows<PosixRecord>().front().file = made.file("/lustre/other");
    CHECK(finding_of(made.log, "misaligned").confidence == report::Confidence::low);
}

TEST_CASE("updates in place: writes into parts of blocks of a file that was there, which wait for the disk")
{
    struct Update {
        std::uint64_t count = 400, size = 8, each = 2 * ms, consecutive = 0;
    };
    const auto log_with = [](const Update& update) {
        Synthetic made;
        made.process(-1);
        Process& process = made.log.rows<Process>().front();
        process.end = process.start + 2 * second;
        PosixRecord& row =
            calls(made, made.file("/table"), 0, Direction::write, update.count, update.size, update.each);
        row.consecutive_writes = update.consecutive;
        row.sequential_writes = row.strided_writes = update.count - 1 - update.consecutive;
        row.highest_written = 10 * mib;
        row.file_alignment = 4096;
        return made;
    };
    const auto found = [](const Synthetic& made) { return finds(made.log, "updates_in_place"); };
    const Synthetic made = log_with({});
    const report::Finding one = finding_of(made.log, "updates_in_place");
    CHECK(numbers_of(one) == R"(400 writes of 8 B into blocks that have to be read first
780 ms, 39 %, medium
not following the last one: 400 (2.00 ms each on average)
block size: 4 KiB
most time in: /table (it was there before))");
    CHECK_THAT(lines_of(one), Contains("pread(fd, region"));
    CHECK_FALSE(finds(made.log, "small_requests"));                       // the same seconds
    Synthetic far_apart = log_with({.count = 10'000, .each = 100 * us});  // most of which reading them takes
    far_apart.log.rows<PosixRecord>().front().highest_written = 400 * mib;
    CHECK(cost_of(far_apart.log, "updates_in_place") == Approx(0.2));
    CHECK_FALSE(finds(far_apart.log, "small_requests"));
    CHECK(found(log_with({.count = 20, .each = 10 * ms})));
    CHECK_FALSE(found(log_with({.count = 19, .each = 10 * ms})));
    const auto sure = [&](std::uint64_t each) {
        return finding_of(log_with({.each = each}).log, "updates_in_place").confidence;
    };
    CHECK(sure(500 * us) == report::Confidence::medium);
    CHECK(sure(499 * us) == report::Confidence::low);
    CHECK(found(log_with({.count = 10'000, .each = 50 * us})));
    CHECK_FALSE(found(log_with({.count = 10'000, .each = 49 * us})));  // as in memory, on a busy machine
    CHECK(found(log_with({.size = 4095})));
    CHECK_FALSE(found(log_with({.size = 4096})));  // a whole block needs no reading
    CHECK(found(log_with({.consecutive = 200})));
    CHECK_FALSE(found(log_with({.consecutive = 201})));  // most go on where the last one ended
}

TEST_CASE("updates in place: not of files that the job made or emptied, nor of writes that wait in any case")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = calls(made, made.file("/table"), 0, Direction::write, 10'000, 8, 2 * ms);
    row.consecutive_writes = 0;
    const auto found = [&] { return finds(made.log, "updates_in_place"); };
    CHECK(found());
    for (std::uint64_t PosixRecord::*one :
         {&PosixRecord::creates, &PosixRecord::truncates, &PosixRecord::synced_writes}) {
        row.*one = 1;
        CHECK_FALSE(found());
        row.*one = 0;
    }
    row.sync_time = row.write_time - 499 * ms;  // it is the syncs that take the time
    CHECK_FALSE(found());
    row.sync_time = 0;
    CHECK(found());
    made.log.not_recorded.insert("posix.creates");
    CHECK_FALSE(found());
}

TEST_CASE("random access: 200 accesses are many, and a fifth of all is enough")
{
    const auto found = [](std::uint64_t count, std::uint64_t consecutive) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = at_random(made, Direction::read, count);
        row.consecutive_reads = consecutive;
        row.sequential_reads = (count - 1 - consecutive) / 2;
        return finds(made.log, "random_access");
    };
    CHECK(found(201, 0));
    CHECK_FALSE(found(200, 0));
    CHECK(found(2001, 1598));  // 402 of 2001
    CHECK_FALSE(found(2001, 1602));
}

TEST_CASE("random access: twice the backward ones, no more than all that are neither in a row nor strided")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = at_random(made);
    row.sequential_reads = 700;
    // 300 of 1000 go backwards, so that 600 are at random: 600/1001 of the time beyond what the bytes take.
    const double bytes = 1001 * 200'000 / (2048.0 * mib);
    const report::Finding one = finding_of(made.log, "random_access");
    CHECK(cost_of(one) == Approx((50 - bytes) * 600 / 1001).epsilon(1e-6));
    CHECK(numbers_of(one) == R"(600 reads at random places
29.9 s, 29.9 %, medium
at random places, about: 600 (of 1,001 reads)
most time in: /data (50.0 s in reads of it))");
    row.strided_reads = 500;
    CHECK(finding_of(made.log, "random_access").title == "500 reads at random places");
    row.strided_reads = 0;
    row.sequential_reads = 0;  // no more than all
    CHECK(finding_of(made.log, "random_access").title == "1,000 reads at random places");
    row.processes = 3;  // the first of each follows nothing
    CHECK(finding_of(made.log, "random_access").title == "998 reads at random places");
}

TEST_CASE("random access: writes are less sure than reads, and the direction that costs more is reported")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = at_random(made, Direction::write);
    row.sync_time = 10 * second;
    report::Finding one = finding_of(made.log, "random_access");
    CHECK(one.title == "1,000 writes at random places");
    CHECK(one.confidence == report::Confidence::low);
    CHECK(cost_of(one) == Approx(40).epsilon(0.01));
    CHECK(lines_of(one).empty());
    at_random(made);
    one = finding_of(made.log, "random_access");
    CHECK(one.title == "1,000 reads at random places");
    CHECK(cost_of(one) == Approx(90).epsilon(0.01));
    CHECK_THAT(lines_of(one), Contains("POSIX_FADV_WILLNEED"));
    made.log.not_recorded.insert("posix.strided_reads");
    one = finding_of(made.log, "random_access");
    CHECK(one.confidence == report::Confidence::low);
    CHECK_THAT(one.doubt, Contains("regular steps backwards"));
}

TEST_CASE("random access: beneath MPI-IO, and of the files that share a record, it is not looked for")
{
    Synthetic made;
    made.process(-1);
    at_random(made);
    made.log.rows<FileName>().back().kind = static_cast<std::uint64_t>(NameKind::overflow);
    CHECK_FALSE(finds(made.log, "random_access"));
    made.log.rows<FileName>().back().kind = static_cast<std::uint64_t>(NameKind::file);
    CHECK(finds(made.log, "random_access"));
    through_mpiio(made, made.log.rows<FileName>().back().file, 0, 1, mib, ms);
    CHECK_FALSE(finds(made.log, "random_access"));
}

TEST_CASE("redundant reads: a quarter more than the file is long is clearly read again")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = calls(made, made.file("/data"), 0, Direction::read, 500, 2 * mib, 50 * ms);
    row.highest_read = 800 * mib;
    CHECK_FALSE(finds(made.log, "redundant_reads"));
    row.highest_read = 800 * mib - 1;
    const report::Finding one = finding_of(made.log, "redundant_reads");
    CHECK(numbers_of(one) == R"(200 MiB read that the same process had read before
4.79 s, 4.8 %, medium
read before by the same: 200 MiB (more than the file is long)
most time in: /data (1000 MiB read by 1 process, of its first 800 MiB))");
    CHECK_THAT(lines_of(one), Contains("mmap"));
    row.highest_read = 0;  // not known
    CHECK_FALSE(finds(made.log, "redundant_reads"));
}

TEST_CASE("redundant reads: of a database an index or a larger cache is the advice")
{
    Synthetic made;
    made.process(-1);
    made.log.rows<Process>().front().libraries = "libc libsqlite3";
    calls(made, made.file("/a.db"), 0, Direction::read, 500, 2 * mib, 50 * ms).highest_read = 200 * mib;
    CHECK_THAT(finding_of(made.log, "redundant_reads").advice.front().lines.front(), Contains("EXPLAIN"));
    CHECK_THAT(lines_of(finding_of(made.log, "redundant_reads")), Contains("CREATE INDEX"));
    made.log.rows<FileName>().front().path = "/data";
    CHECK_THAT(lines_of(finding_of(made.log, "redundant_reads")), !Contains("CREATE INDEX"));
}

TEST_CASE("redundant reads: what the program did between reads that follow closely may be saved as well")
{
    Synthetic made;
    made.process(-1);
    calls(made, made.file("/text"), 0, Direction::read, 1000, 16384, ms).highest_read = 4'096'000;
    calls(made, made.file("/out"), 0, Direction::write, 1000, 16384, ms);
    made.burst(0, 10, 15);
    made.burst(0, 20, 35);
    Process& process = made.log.rows<Process>().front();
    process.cpu_time = 90 * second;
    process.burst_gap = 1'000'000;
    // Three quarters of what was read, 750 ms; of 18 s between calls, half are of bytes that were written.
    const report::Finding one = finding_of(made.log, "redundant_reads");
    CHECK(cost_of(one) == Approx(0.75 + 18 * 0.75 / 2).epsilon(0.001));
    CHECK(*one.cost_least == Approx(0.75).epsilon(0.002));
    CHECK(one.confidence == report::Confidence::medium);
    process.cpu_time = 10 * second;  // the rest was no work
    CHECK(cost_of(made.log, "redundant_reads") == Approx(0.75 + 10 * 0.75 / 2).epsilon(0.001));
    process.burst_gap = 6'400'000;  // between which there may be anything, unless it waited for a core
    process.core_wait = 10 * second;
    CHECK(finds(made.log, "redundant_reads"));
    process.core_wait = 9 * second;
    CHECK_FALSE(finds(made.log, "redundant_reads"));
}

TEST_CASE(
    "redundant reads: data that the system has in memory are kept at a cost, and the program's memory is "
    "made for it")
{
    // Reads of 1 MiB at 10 GiB/s.
    const auto log_with = [](std::uint64_t times, std::uint64_t extent) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().end = job_start + 5 * second;
        calls(made, made.file("/table"), 0, Direction::read, times * extent, mib, second / 10240)
            .highest_read = extent * mib;
        return made;
    };
    CHECK_FALSE(finds(log_with(3, 1024).log, "redundant_reads"));  // 0.2 s, of which making 1 GiB takes more
    const report::Finding often = finding_of(log_with(11, 1024).log, "redundant_reads");
    CHECK(cost_of(often) == Approx(1 - 1024.0 * mib * (0.25e-9 + 10 * 0.008e-9)).epsilon(0.001));
    CHECK(often.confidence == report::Confidence::low);
    CHECK_THAT(often.cost_basis, Contains("less what keeping them in memory takes"));
    const report::Finding small = finding_of(log_with(1281, 8).log, "redundant_reads");  // stays in the cache
    CHECK(cost_of(small) == Approx(1 - 8.0 * mib * 0.25e-9).epsilon(0.001));
    // By its page faults, a quarter of that memory is used in any case; or all of it.
    Synthetic made = log_with(11, 1024);
    made.log.rows<Process>().front().minor_faults = 64 << 10;
    CHECK(cost_of(made.log, "redundant_reads") ==
          Approx(1 - 1024.0 * mib * (0.75 * 0.25e-9 + 10 * 0.008e-9)).epsilon(0.001));
    made.log.rows<Process>().front().minor_faults = 1 << 20;
    CHECK(cost_of(made.log, "redundant_reads") == Approx(1 - 1024.0 * mib * 10 * 0.008e-9).epsilon(0.001));
}

TEST_CASE("temporary files: their syncs go with them, and samtools compresses them")
{
    const auto log_with = [](const std::string& ending, bool others_are_synced) {
        Synthetic made;
        made.process(-1);
        const auto add_synced = [](PosixRecord& row) {
            row.syncs = 1;
            row.sync_time = 190 * ms;
        };
        for (int at = 0; at < 40; ++at) {
            const std::string number = std::to_string(at);
            PosixRecord& row = made.io<PosixRecord>(made.file("/part." + number + ending), 0,
                                                    {.bytes_read = mib / 4,
                                                     .bytes_written = mib / 4,
                                                     .read_time = 50 * ms,
                                                     .write_time = 200 * ms});
            row.opens = row.creates = row.unlinks = 1;
            if (!others_are_synced) add_synced(row);
        }
        for (int at = 0; others_are_synced && at < 40; ++at)
            add_synced(made.io<PosixRecord>(made.file("/kept." + std::to_string(at)), 0,
                                            {.bytes_written = mib / 4, .write_time = 200 * ms}));
        return made;
    };
    const report::Finding one = finding_of(log_with(".tmp", false).log, "temporary_files");
    CHECK(cost_of(one) == Approx(10));
    CHECK_FALSE(one.cost_least);
    CHECK_FALSE(finds(log_with(".tmp", false).log, "frequent_syncs"));
    CHECK(finds(log_with(".tmp", true).log, "temporary_files"));
    CHECK(finds(log_with(".tmp", true).log, "frequent_syncs"));
    const report::Finding blocks = finding_of(log_with(".bam", false).log, "temporary_files");
    CHECK(cost_of(blocks) == Approx(10 + 10 * mib * 18e-9));
    CHECK(blocks.cost_least == Approx(10));
}

TEST_CASE("temporary files: those of SQLite are as good as memory where they are as quick")
{
    const auto found = [](const std::string& name, std::uint64_t time) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row =
            made.io<PosixRecord>(made.file("/var/tmp/" + name), 0,
                                 {.bytes_read = 8000 * mib, .bytes_written = 8000 * mib, .write_time = time});
        row.opens = row.creates = row.unlinks = 1;
        return finds(made.log, "temporary_files");
    };
    CHECK_FALSE(found("etilqs_1", 30 * second));
    CHECK(found("etilqs_1", 40 * second));
    CHECK(found("sorted", 30 * second));
}

TEST_CASE("temporary files: what is written, read back and gone could have stayed in memory")
{
    const auto log_with = [](std::uint64_t written, std::uint64_t read, std::uint64_t creates,
                             std::uint64_t unlinks) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = made.io<PosixRecord>(made.file("/tmp/part"), 0,
                                                {.bytes_read = read,
                                                 .bytes_written = written,
                                                 .read_time = 2 * second,
                                                 .write_time = 3 * second,
                                                 .metadata_time = second});
        row.opens = row.creates = creates;
        row.unlinks = unlinks;
        row.highest_written = row.highest_read = 4 * mib;
        row.switches = 2 * creates;
        return made;
    };
    const report::Finding one = finding_of(log_with(100 * mib, 100 * mib, 25, 25).log, "temporary_files");
    CHECK(numbers_of(one) == R"(100 MiB written to temporary files and read back
6.00 s, 6 %, medium
files that were made, read and gone: 1 (made 25 times)
bytes through them: 100 MiB (written, and as many read)
most time in: /tmp/part (written and read by the same))");
    CHECK(finds(log_with(100 * mib, 80 * mib, 1, 1).log, "temporary_files"));
    CHECK_FALSE(finds(log_with(100 * mib, 80 * mib - 1, 1, 1).log, "temporary_files"));
    CHECK(finds(log_with(100 * mib, 150 * mib, 1, 1).log, "temporary_files"));
    CHECK(finds(log_with(100 * mib, 151 * mib, 1, 1).log, "temporary_files"));  // one's own scratch
    // SQLite's log of a transaction is no temporary table of its own.
    const auto named = [&](std::string_view path) {
        Synthetic made = log_with(100 * mib, 100 * mib, 25, 25);
        made.log.rows<FileName>().front().path = path;
        return finds(made.log, "temporary_files");
    };
    CHECK(named("/a-wal"));
    CHECK_FALSE(named("/a.db-wal"));
    CHECK_FALSE(named("/a.db-journal"));
    const auto read_by_another = [&](std::uint64_t bytes) {
        Synthetic made = log_with(100 * mib, 0, 1, 1);
        made.process(-1);
        made.io<PosixRecord>(100, 1, {.bytes_read = bytes, .read_time = 2 * second});
        return finds(made.log, "temporary_files");
    };
    CHECK(read_by_another(150 * mib));
    CHECK_FALSE(read_by_another(150 * mib + 1));
    CHECK(finds(log_with(100 * mib, 100 * mib, 8, 0).log, "temporary_files"));
    CHECK_FALSE(finds(log_with(100 * mib, 100 * mib, 7, 0).log, "temporary_files"));  // it may be kept
    CHECK_FALSE(finds(log_with(100 * mib, 100 * mib, 0, 1).log, "temporary_files"));  // it was there before
    Synthetic turning = log_with(100 * mib, 100 * mib, 25, 25);
    turning.log.rows<PosixRecord>().front().switches = 25 * 16;
    CHECK(finds(turning.log, "temporary_files"));  // what does not fit into memory
    turning.log.rows<PosixRecord>().front().switches = 25 * 16 + 1;
    CHECK_FALSE(finds(turning.log, "temporary_files"));
    Synthetic renamed = log_with(100 * mib, 100 * mib, 25, 25);
    renamed.log.rows<PosixRecord>().front().renames = 1;
    CHECK_FALSE(finds(renamed.log, "temporary_files"));
    Synthetic mapped = log_with(100 * mib, 100 * mib, 25, 25);
    mapped.log.rows<PosixRecord>().front().maps = 1;
    CHECK_FALSE(finds(mapped.log, "temporary_files"));
    Synthetic large = log_with(1024 * mib, 1024 * mib, 1, 1);  // for which memory has to be made
    large.log.rows<PosixRecord>().front().highest_written = 1024 * mib;
    CHECK(cost_of(large.log, "temporary_files") == Approx(6 - 1024.0 * mib * 0.25e-9));
}

TEST_CASE("redundant reads: large files in large requests are used as they are, not taken apart")
{
    const auto log_with = [](std::uint64_t size, std::uint64_t extent) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file("/data"), 0, Direction::read, 1000, size, ms).highest_read = extent;
        made.burst(0, 10, 30);
        Process& process = made.log.rows<Process>().front();
        process.cpu_time = 90 * second;
        process.burst_gap = 1'000'000;
        return made;
    };
    CHECK(finding_of(log_with((64 << 10) - 1, mib).log, "redundant_reads").cost_least);
    CHECK(finding_of(log_with(64 << 10, mib - 1).log, "redundant_reads").cost_least);
    CHECK_FALSE(finds(log_with(64 << 10, mib).log, "redundant_reads"));  // 1 s of 100 s
}

TEST_CASE(
    "redundant reads: a tool that a script starts for one file again and again does all of its work again")
{
    const auto log_with = [](std::size_t starts, std::string_view program) {
        Synthetic made;
        const std::uint64_t file = made.file("/text");
        for (std::size_t at = 0; at < starts; ++at) {
            const std::int64_t number = made.process(-1);
            Process& one = made.log.rows<Process>().back();
            one.program = program;
            one.libraries = "libc";
            one.start += at * second;
            one.end = one.start + second;
            calls(made, file, number, Direction::read, 100, 65536, ms).highest_read = 100 * 65536;
        }
        return made;
    };
    CHECK(cost_of(log_with(40, "/usr/bin/grep").log, "redundant_reads") == Approx(39));
    CHECK(cost_of(log_with(4, "/usr/bin/mawk").log, "redundant_reads") == Approx(3));
    CHECK(cost_of(log_with(3, "/usr/bin/grep").log, "redundant_reads") == Approx(2 * 0.1));
    CHECK(cost_of(log_with(40, "/home/user/app").log, "redundant_reads") == Approx(39 * 0.1));
}

TEST_CASE(
    "redundant reads: processes that hand on what they read are no fault, and one that reads through two "
    "layers is one")
{
    const auto log_with = [](std::uint64_t written) {
        Synthetic made;
        for (int number = 0; number < 2; ++number) made.process(-1);
        const std::uint64_t file = made.file("/input");
        for (std::int64_t number = 0; number < 2; ++number) {
            calls(made, file, number, Direction::read, 100, mib, 100 * ms).highest_read = 100 * mib;
            made.io<PosixRecord>(made.file("/out" + std::to_string(number)), number,
                                 {.bytes_written = written, .write_time = second});
        }
        return made;
    };
    CHECK(finds(log_with(79 * mib).log, "redundant_reads"));
    CHECK_FALSE(finds(log_with(80 * mib).log, "redundant_reads"));
    Synthetic layers;
    layers.process(-1);
    const std::uint64_t file = layers.file("/array.npy");
    calls(layers, file, 0, Direction::read, 100, mib, 100 * ms).highest_read = 100 * mib;
    StdioRecord& row = layers.io<StdioRecord>(file, 0, {.bytes_read = 100 * mib, .read_time = 10 * second});
    row.reads = 100;
    row.highest_read = 100 * mib;
    CHECK_FALSE(finds(layers.log, "redundant_reads"));
}

TEST_CASE("redundant reads: ranks that each read four fifths of a file have read the same")
{
    const auto log_with = [](std::uint64_t each) {
        Synthetic made;
        made.ranks(2);
        const std::uint64_t file = made.file("/common");
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            PosixRecord& row = calls(made, file, rank, Direction::read, 100, each * mib, 200 * ms);
            row.highest_read = 1000 * mib;
        }
        return made;
    };
    const Synthetic same = log_with(8);
    const report::Finding one = finding_of(same.log, "redundant_reads");
    // Of 1600 MiB all but 1000; the ranks took 20 s each.
    CHECK(numbers_of(one) == R"(600 MiB read that other ranks read as well
7.50 s, 7.5 %, medium
read again by other ranks: 600 MiB
most time in: /common (1.56 GiB read by 2 ranks, of its first 1000 MiB))");
    CHECK_FALSE(finds(log_with(7).log, "redundant_reads"));
    // Four ranks on two nodes: half of it, but for 1000 MiB that are sent at 100 MiB/s.
    Synthetic nodes;
    nodes.ranks(4, 2);
    const std::uint64_t table = nodes.file("/common");
    for (std::int64_t rank = 0; rank < 4; ++rank)
        calls(nodes, table, rank, Direction::read, 100, 10 * mib, 400 * ms).highest_read = 1000 * mib;
    CHECK(*finding_of(nodes.log, "redundant_reads").cost_least == Approx(20 - 10));
    Synthetic processes = log_with(8);
    for (Process& process : processes.log.rows<Process>()) process.rank = -1;
    CHECK_THAT(lines_of(finding_of(processes.log, "redundant_reads")), Contains("MAP_SHARED"));
    processes.log.rows<Process>().back().program = "/home/user/next";  // who do different things with it
    CHECK_FALSE(finds(processes.log, "redundant_reads"));
}

TEST_CASE(
    "redundant reads: a tool of which a script runs two does two things, and each node may have a reader")
{
    const auto log_with = [](std::int64_t processes, std::string_view program, std::int64_t nodes = 1) {
        Synthetic made;
        const std::uint64_t file = made.file("/common");
        for (std::int64_t at = 0; at < processes; ++at) {
            made.process(-1, "node" + std::to_string(at % nodes));
            made.log.rows<Process>().back().program = program;
            calls(made, file, at, Direction::read, 100, 8 * mib, 200 * ms).highest_read = 1000 * mib;
        }
        return made;
    };
    const auto found = [&](std::int64_t processes, std::string_view program, std::int64_t nodes = 1) {
        return finds(log_with(processes, program, nodes).log, "redundant_reads");
    };
    CHECK(found(2, "/home/user/app"));
    CHECK_FALSE(found(2, "/usr/bin/grep"));
    CHECK(found(3, "/usr/bin/grep"));
    CHECK_FALSE(found(2, "/usr/bin/gawk"));
    CHECK_FALSE(found(2, "/home/user/app", 2));
    // One of ten may be another program.
    Synthetic mixed = log_with(10, "/usr/bin/grep");
    mixed.log.rows<Process>().back().program = "/usr/bin/gawk";
    CHECK(finds(mixed.log, "redundant_reads"));
    mixed.log.rows<Process>().front().program = "/usr/bin/gawk";
    CHECK_FALSE(finds(mixed.log, "redundant_reads"));
}

TEST_CASE("redundant reads: ranks that read through a stream and beneath it count once")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t file = made.file("/table");
    StdioRecord& streams =
        made.reduced_io<StdioRecord>(file, 4, 4, 0, {.bytes_read = 400 * mib, .read_time = 40 * second});
    streams.reads = 4;
    streams.highest_read = 100 * mib;
    PosixRecord& beneath = made.reduced_io<PosixRecord>(file, 4, 4, 0, {.bytes_read = mib, .read_time = ms});
    beneath.reads = 4;
    beneath.highest_read = mib / 4;
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.total(rank, Layer::stdio, Scope::direct, {.bytes_read = 100 * mib, .read_time = 10 * second});
    CHECK_THAT(finding_of(made.log, "redundant_reads").title, Contains("read that other ranks read as well"));
}

TEST_CASE("redundant reads: files that all ranks read are opened by one where one reads them")
{
    const auto log_with = [](std::uint64_t opens_each) {
        Synthetic made;
        made.ranks(4);
        for (std::size_t number = 0; number < 100; ++number) {
            const std::uint64_t file = made.file("/tiles/" + std::to_string(number));
            for (std::int64_t rank = 0; rank < 4; ++rank) {
                PosixRecord& row = calls(made, file, rank, Direction::read, 1, 4096, 100 * ms);
                row.metadata_time = 200 * ms;
                row.opens = opens_each;
                made.log.rows<Totals>().back().metadata_time += row.metadata_time;
            }
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(2).log, "redundant_reads");
    CHECK(one.title == "100 files opened and read by several ranks each");
    CHECK_THAT(lines_of(one), Contains("MPI_Allgatherv"));
    CHECK(cost_of(one) == Approx(0.75 * (10 + 20)).epsilon(0.01));
    CHECK(cost_of(log_with(3).log, "redundant_reads") == Approx(0.75 * 10).epsilon(0.01));
}

TEST_CASE("redundant reads: what one process reads again, or what several read, whichever takes longer")
{
    const auto log_with = [](std::uint64_t each_of_common) {
        Synthetic made;
        made.ranks(2);
        const std::uint64_t common = made.file("/common"), own = made.file("/own");
        for (std::int64_t rank = 0; rank < 2; ++rank)
            calls(made, common, rank, Direction::read, 100, mib, each_of_common);
        calls(made, own, 0, Direction::read, 300, mib, 100 * ms).highest_read = 100 * mib;
        return made;
    };
    // Rank 0 took 20 s to read 200 MiB of its own file again; half of the common file takes 5 s a rank.
    const report::Finding own = finding_of(log_with(100 * ms).log, "redundant_reads");
    CHECK(cost_of(own) == Approx(20).epsilon(0.002));
    CHECK_THAT(numbers_of(own), Contains("read before by the same: 200 MiB") && Contains("/own (300 MiB") &&
                                    !Contains("all but once"));
    const report::Finding common = finding_of(log_with(500 * ms).log, "redundant_reads");
    CHECK_THAT(numbers_of(common), StartsWith("100 MiB read that other ranks read as well") &&
                                       Contains("/common (200 MiB") && !Contains("read before by the same"));
    CHECK(cost_of(common) == Approx(25));
}

namespace {

// Four ranks that each make such files, under another name at first; the next rank reads them.
struct Message {
    std::uint64_t number = 200, size = 4, renamed = number;
    bool removed = true, by_another = true, mpi = true;
    std::int64_t reader = -1;  // the one that alone uses the second name, and how many ranks after the writer
};
Synthetic with_messages(const Message& message)
{
    Synthetic made;
    made.ranks(4);
    if (!message.mpi)
        for (Process& process : made.log.rows<Process>()) process.rank = -1;
    for (std::uint64_t at = 0; at < message.number; ++at) {
        const auto rank = static_cast<std::int64_t>(at % 4);
        const bool renamed = at < message.renamed;
        const Io writing{.bytes_written = message.size, .write_time = 10 * ms, .metadata_time = 20 * ms},
            reading{.bytes_read = message.size, .read_time = 10 * ms, .metadata_time = 10 * ms};
        const std::string name = "/flags/" + std::to_string(at);
        if (renamed) {
            PosixRecord& row = made.io<PosixRecord>(
                made.file(message.reader < 0 ? "/flags/." + std::to_string(at) : name + ".part"), rank,
                writing);
            row.creates = row.renames = 1;
        }
        PosixRecord& row = message.reader >= 0
                               ? made.io<PosixRecord>(made.file(name), (rank + message.reader) % 4, reading)
                           : message.by_another
                               ? made.reduced_io<PosixRecord>(made.file(name), 2, 1, renamed ? 0 : 1, reading)
                               : made.io<PosixRecord>(made.file(name), rank, reading);
        row.opens = 1;
        row.unlinks = message.removed;
        row.creates = !renamed;
        if (message.by_another && message.reader < 0)
            made.total((rank + 1) % 4, Layer::posix, Scope::direct, reading);
    }
    return made;
}

}  // namespace

TEST_CASE("files as messages: made by one rank, read by another, and removed, whatever they are called")
{
    const report::Finding one = finding_of(with_messages({}).log, "files_as_messages");
    CHECK(one.title == "200 files of 4 B pass between ranks and are removed");
    // 50 ms for each, of which the slowest rank has a quarter.
    CHECK(cost_of(one) == Approx(10));
    CHECK(one.cost_least == Approx(2.5).epsilon(0.01));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(lines_of(one), Contains("MPI_Sendrecv"));
    CHECK_FALSE(finds(with_messages({}).log, "metadata_bound"));
    const auto found = [](const Message& message) {
        return finds(with_messages(message).log, "files_as_messages");
    };
    CHECK_FALSE(found({.number = 199}));
    CHECK(found({.number = 400, .renamed = 0}));
    CHECK(found({.size = 64 << 10}));
    CHECK_FALSE(found({.size = (64 << 10) + 1}));
    CHECK(found({.reader = 1}));
    CHECK_FALSE(found({.reader = 0}));          // its own
    CHECK_FALSE(found({.removed = false}));     // results that get their name when they are whole
    CHECK_FALSE(found({.by_another = false}));  // files of its own
    CHECK_FALSE(found({.mpi = false}));
}

TEST_CASE("files as messages: sleeps until they are there go with them")
{
    const auto cost_with = [](std::string_view awaited) {
        Synthetic made = with_messages({});
        for (Process& process : made.log.rows<Process>()) {
            process.polls = 200;
            process.poll_time = 5 * second;
        }
        FailedPath path{.path = awaited, .calls = 800, .cause = 2};
        path.slept = 20 * second;
        made.log.rows<FailedPath>().push_back(path);
        if (awaited != "/flags/7") made.io<PosixRecord>(made.file(std::string(awaited)), 0, {});
        return std::pair(cost_of(made.log, "files_as_messages"), finds(made.log, "polling"));
    };
    CHECK(cost_with("/flags/7") == std::pair(15.0, false));
    CHECK(cost_with("/stage/1") == std::pair(10.0, true));
}

TEST_CASE("redundant reads: seeks that each empty the buffer of a stream of C++")
{
    const auto made = [](std::uint64_t size, std::uint64_t seeks, std::string_view libraries) {
        Synthetic job;
        job.process(-1);
        Process& process = job.log.rows<Process>().front();
        process.libraries = libraries;
        process.end = job_start + 10 * second;
        PosixRecord& row = calls(job, job.file("/data/events"), 0, Direction::read, 100'000, size, 10 * us);
        row.highest_read = 10 * mib;
        row.seeks = seeks;
        row.metadata_time = second;
        return job;
    };
    const report::Finding one = finding_of(made(8191, 100'000, "libc libstdc++").log, "redundant_reads");
    CHECK_THAT(lines_of(one), Contains("no seekg"));
    CHECK_THAT(lines_of(finding_of(made(8191, 89'000, "libc libstdc++").log, "redundant_reads")),
               !Contains("seekg"));
    CHECK_THAT(lines_of(finding_of(made(8193, 100'000, "libc libstdc++").log, "redundant_reads")),
               !Contains("seekg"));
    CHECK_THAT(lines_of(finding_of(made(8191, 100'000, "libc").log, "redundant_reads")), !Contains("seekg"));
}
