// Small requests: how many are many, what counts as small, whose time they are, and how sure that is.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

constexpr const char* small_ones = "small_requests";

// One process that makes so many requests of a size, 10 ms each.
Synthetic moving(Direction direction, std::uint64_t count, std::uint64_t size)
{
    Synthetic made;
    made.process(-1);
    calls(made, made.file("/data"), 0, direction, count, size, 10 * ms);
    return made;
}
Synthetic writing(std::uint64_t count, std::uint64_t size)
{
    return moving(Direction::write, count, size);
}

Synthetic untimed(Synthetic made)
{
    made.log.rows<OperationTimes>().clear();
    made.log.rows<DurationBin>().clear();
    return made;
}

}  // namespace

TEST_CASE("small requests: a thousand of up to 100 KiB are many, 999 or larger ones are not")
{
    CHECK(finds(moving(Direction::read, 1000, 1000).log, small_ones));
    CHECK_FALSE(finds(moving(Direction::read, 999, 1000).log, small_ones));
    CHECK(finds(writing(1000, 100 << 10).log, small_ones));
    CHECK_FALSE(finds(writing(1000, (100 << 10) + 1).log, small_ones));
    Synthetic both = writing(500, 1000);
    calls(both, both.file("/read"), 0, Direction::read, 500, 1000, 10 * ms);
    CHECK(finds(both.log, small_ones));
}

TEST_CASE("small requests: 200 writes are many where each waits for the device")
{
    const auto writes_of = [](std::uint64_t count, std::uint64_t each) {
        Synthetic made;
        made.process(-1);
        Process& process = made.log.rows<Process>().front();
        process.end = process.start + second - 10 * ms;
        calls(made, made.file("/data"), 0, Direction::write, count, 8, each);
        return made;
    };
    CHECK(finds(writes_of(200, 500 * us).log, small_ones));
    CHECK_FALSE(finds(writes_of(199, 500 * us).log, small_ones));
    CHECK_FALSE(finds(writes_of(900, 499 * us).log, small_ones));
    Synthetic busy = writes_of(200, 500 * us);
    Process& process = busy.log.rows<Process>().front();
    process.cpu_time = second / 2;
    process.core_wait = second / 4;
    CHECK_FALSE(finds(busy.log, small_ones));
}

TEST_CASE("small requests: of operations that are under way side by side, the time in which any was counts")
{
    // Eight at a time: the record has how long any was under way.
    Synthetic made = moving(Direction::read, 8000, 1000);
    made.log.rows<PosixRecord>().front().read_time /= 8;
    const report::Finding one = finding_of(made.log, small_ones);
    CHECK(cost_of(one) == Approx(10).epsilon(0.01));
    CHECK_THAT(numbers_of(one), Contains("together they took 10.0 s"));
}

TEST_CASE("small requests: reads in order that wait for what is read ahead would do so in larger ones")
{
    // Of 2,000 reads of 64 KiB four in five find their data in memory, on a machine so busy that they take
    // long.
    const auto reading = [](std::uint64_t in_order, std::uint64_t size = 64 << 10) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().end = job_start + 10 * second;
        calls(made, made.file("/data"), 0, Direction::read, 2000, size, 380 * us);
        made.log.rows<PosixRecord>().front().consecutive_reads = in_order;
        std::vector<std::uint64_t> durations(1600, 100 * us);
        durations.insert(durations.end(), 400, 1500 * us);
        made = untimed(std::move(made));
        made.operations(Layer::posix, Kind::read, SizeHistogram::class_of(size), durations);
        return made;
    };
    CHECK_FALSE(finds(reading(1601).log, small_ones));
    CHECK(finds(reading(1600).log, small_ones));
    CHECK_FALSE(finds(reading(1601, 10 << 10).log, small_ones));  // tar's blocks
    CHECK(finds(reading(1601, 9 << 10).log, small_ones));
}

TEST_CASE("small requests: where all of a file is read by trips to the device, those are most of their time")
{
    constexpr std::uint64_t calls_of = 400'000, whole = calls_of * 4096;
    const auto made = [](std::uint64_t each, std::uint64_t extent) {
        Synthetic job;
        job.process(-1);
        calls(job, job.file("/data"), 0, Direction::read, calls_of, 4096, each).highest_read = extent;
        return finding_of(job.log, small_ones);
    };
    const report::Finding direct = made(50 * us, whole);
    CHECK(*direct.cost_least == Approx(cost_of(direct) * 2 / 3).epsilon(0.01));
    CHECK(*made(50 * us, 10 * whole).cost_least == Approx(0));  // here and there
    CHECK(*made(19 * us, whole).cost_least == Approx(0));
}

TEST_CASE("small requests: HDF5 that is linked statically does some us of work around each")
{
    const auto made = [](std::string_view libraries) {
        Synthetic job;
        job.process(-1);
        job.log.rows<Process>().front().libraries = libraries;
        calls(job, job.file("/a.h5"), 0, Direction::write, 1'000'000, 100, 8 * us);
        return finding_of(job.log, small_ones);
    };
    const report::Finding bare = made("libc"), one = made("libc libhdf5.a");
    CHECK(cost_of(one) == Approx(cost_of(bare) + 6));
    CHECK(*one.cost_least == Approx(*bare.cost_least + 1.2));
}

TEST_CASE("small requests: of two for each open there is nothing to put together")
{
    Synthetic made = writing(1000, 1000);
    PosixRecord& row = made.log.rows<PosixRecord>().front();
    row.opens = 500;
    CHECK_FALSE(finds(made.log, small_ones));
    row.opens = 499;
    CHECK(finds(made.log, small_ones));
}

TEST_CASE("small requests: those that find the end of the file are none to put together")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = calls(made, made.file("/a"), 0, Direction::read, 10'000, 1, ms);
    CHECK(finds(made.log, "small_requests"));
    row.bytes_read = 5'000;
    CHECK_FALSE(finds(made.log, "small_requests"));
}

TEST_CASE("small requests: reads and writes are separated, the file with most of them is named")
{
    Synthetic made;
    made.process(-1);
    large(made, made.file("/large"), 0);
    calls(made, made.file("/some"), 0, Direction::write, 2000, 3000, 50 * us);
    calls(made, made.file("/most"), 0, Direction::write, 100'000, 1000, 100 * us);
    calls(made, made.file("/others"), 0, Direction::write, 3000, 1000, 100 * us);
    calls(made, made.file("/read"), 0, Direction::read, 1500, 500, 200 * us);
    const report::Finding one = finding_of(made.log, small_ones);
    CHECK(numbers_of(one) == R"(105,000 small writes, of 1.01 KiB on average
10.7 s, 10.7 %, high
reads of up to 100 KiB: 1,500 (of 1,500 reads; together they took 300 ms, 200 µs each on average)
writes of up to 100 KiB: 105,000 (of 105,512 writes; together they took 10.4 s, 99.0 µs each on average)
most of them in: /most (100,000 small writes))");
    CHECK_THAT(one.cost_basis, Contains("the time of these requests beyond") &&
                                   Contains("the 1 GiB in requests of over 1 MiB: 1,026 MiB/s"));
    CHECK(lines_of(one) ==
          "static char buffer[4 << 20];    // for NULL glibc ignores the size\nsetvbuf(file, buffer, _IOFBF, "
          "sizeof buffer);\nopen(path, \"wb\", buffering=4 << 20)\n");
}

TEST_CASE("small requests: they are called by the direction that costs more, and judged by its reference")
{
    Synthetic made;
    made.process(-1);
    large(made, made.file("/large"), 0);  // writes have a reference, reads have none
    calls(made, made.file("/written"), 0, Direction::write, 9000, 1000, 100 * us);
    calls(made, made.file("/read"), 0, Direction::read, 5000, 1000, ms);
    const report::Finding one = finding_of(made.log, small_ones);
    CHECK(one.title == "5,000 small reads, of 1000 B on average");
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(one.cost_basis, Contains("which is assumed"));
    CHECK_THAT(lines_of(one), Contains("\"rb\""));
}

TEST_CASE("small requests: those that lie apart in the order of the file are not to be sorted")
{
    Synthetic made = writing(1001, 1000);
    PosixRecord& row = made.log.rows<PosixRecord>().front();
    row.creates = 1;
    row.consecutive_writes = 500;
    CHECK_THAT(finding_of(made.log, small_ones).advice[0].text, Contains("sort them by offset"));
    // Threads append to one file: nothing lies between their pieces.
    row.sequential_writes = 500;
    CHECK_THAT(finding_of(made.log, small_ones).advice[0].text, Contains("Collect data"));
    row.highest_written = 2 * row.bytes_written;
    CHECK_THAT(finding_of(made.log, small_ones).advice[0].text, Contains("They lie apart"));
}

TEST_CASE(
    "small requests: of reads from memory, those that one pass over the file may all have cost their time")
{
    const auto made = [](std::uint64_t forward, std::uint64_t extent) {
        Synthetic job;
        job.process(-1);
        PosixRecord& row = calls(job, job.file("/raster"), 0, Direction::read, 10'000'000, 4, 2 * us);
        row.consecutive_reads = 0;
        row.sequential_reads = forward;
        row.highest_read = extent;
        return finding_of(job.log, small_ones);
    };
    constexpr std::uint64_t one_a_page = 40'960 * mib;
    const report::Finding here_and_there = made(9'000'000, one_a_page), strided = made(9'000'001, one_a_page),
                          backwards = made(999'999, one_a_page), often = made(5'000'000, 2048 * mib);
    CHECK(cost_of(here_and_there) == Approx(7));
    CHECK(cost_of(strided) == Approx(20).epsilon(0.01));
    CHECK(*strided.cost_least == Approx(7).margin(0.01));
    CHECK(cost_of(backwards) == cost_of(strided));
    CHECK(cost_of(often) == Approx(19).epsilon(0.01));  // 1 s for all that lies between them
    CHECK(*often.cost_least == Approx(7).margin(0.01));
    CHECK(cost_of(made(5'000'000, 9'700 * mib)) == Approx(20 - 4.74).epsilon(0.01));
    CHECK(cost_of(made(5'000'000, 9'800 * mib)) == Approx(7));  // not four to a page
}

TEST_CASE("small requests: a file is no database of SQLite's by its name alone")
{
    const auto made = [](std::uint64_t size, std::uint64_t locks) {
        Synthetic job;
        job.process(-1);
        PosixRecord& row =
            calls(job, job.file("/genotypes.db"), 0, Direction::read, 10'000'000, size, 2 * us);
        row.consecutive_reads = 0;
        row.locks = locks;
        return finds(job.log, small_ones);
    };
    CHECK(made(64, 0));
    CHECK_FALSE(made(64, 1));  // it looks at a counter in the header each time
    CHECK_FALSE(made(512, 0));
}

TEST_CASE("small requests: what one rank reads by tiny pieces it may send to the others piece by piece")
{
    const auto made = [](std::uint64_t seconds, std::string_view path = "/restart.bin",
                         std::uint64_t size = 1024) {
        Synthetic job;
        job.ranks(4);
        for (Process& process : job.log.rows<Process>()) process.libraries = "libc";
        PosixRecord& row = calls(job, job.file(path), 2, Direction::read, 8000, size, ms);
        row.first_read = job_start;
        row.last_read = job_start + seconds * second;
        return job;
    };
    const report::Finding one = finding_of(made(58).log, small_ones);
    CHECK(one.title == "8,000 small reads, of 1 KiB on average, by one of 4 ranks");
    CHECK(cost_of(one) == Approx(58).epsilon(0.01));
    CHECK(*one.cost_least <= 8);
    CHECK_THAT(lines_of(one), Contains("MPI_Bcast"));
    // It works on them, or makes more of them.
    for (const Synthetic& other : {made(89), made(58, "/restart.txt"), made(58, "/restart.bin", 4097)})
        CHECK(cost_of(other.log, small_ones) == Approx(8).epsilon(0.02));
}

TEST_CASE("small requests: large pieces on a file system that nodes share may be all that the link gives")
{
    const auto made = [](std::string_view type) {
        Synthetic job;
        job.process(-1);
        job.log.rows<Mount>().push_back({"/shared", type, "server"});
        calls(job, job.file("/shared/out"), 0, Direction::write, 2000, 20'000, 5 * ms);
        return finding_of(job.log, small_ones);
    };
    CHECK(made("ext4").confidence == report::Confidence::medium);
    CHECK(made("nfs4").confidence == report::Confidence::low);
    CHECK(made("nfs4").cost_least == Approx(0));
    CHECK(cost_of(made("nfs4")) == Approx(10 - 2000 * 20'000 / (100.0 * (1 << 20))));
}

TEST_CASE("small requests: where a link of 50 MiB/s would take nearly as long, it may be the reason")
{
    // 2,000 of 8 KiB, 500 of each rank: 0.31 s over such a link.
    const auto made = [](std::uint64_t each) {
        Synthetic job;
        job.ranks(4);
        job.log.rows<Mount>().push_back({"/shared", "nfs4", "server"});
        const std::uint64_t file = job.file("/shared/out");
        for (std::int64_t rank = 0; rank < 4; ++rank)
            calls(job, file, rank, Direction::write, 500, 8 << 10, each);
        for (Process& process : job.log.rows<Process>()) process.end = process.start + 3 * second;
        return job;
    };
    CHECK_FALSE(finds(made(800 * us).log, small_ones));
    const double over_network = 500 * 8192.0 / (100 << 20), over_link = 2000 * 8192.0 / (50 << 20);
    CHECK(*finding_of(made(1200 * us).log, small_ones).cost_least == Approx(0.6 - over_network - over_link));
}

TEST_CASE("small requests: those that do not follow one another are not to be buffered")
{
    Synthetic made = writing(1001, 1000);
    PosixRecord& row = made.log.rows<PosixRecord>().front();
    row.creates = 1;
    row.consecutive_writes = 500;  // no more than half
    CHECK(lines_of(finding_of(made.log, small_ones)).empty());
    row.consecutive_writes = 501;
    CHECK_FALSE(lines_of(finding_of(made.log, small_ones)).empty());
}

TEST_CASE("small requests: beneath MPI-IO they are no fault of the program's, and their time is left out")
{
    Synthetic made = writing(2000, 1000);
    const std::uint64_t shared = made.file("/shared");
    through_mpiio(made, shared, 0, 1, mib, ms);
    calls(made, shared, 0, Direction::write, 2000, 1000, 10 * ms);
    const report::Finding one = finding_of(made.log, small_ones);
    CHECK(one.title == "2,000 small writes, of 1000 B on average");
    // Of 40 s that all small writes took, half; MPI-IO's own millisecond is I/O too, POSIX's beneath is not.
    CHECK(cost_of(one) == Approx(20).epsilon(0.01));
    CHECK_THAT(numbers_of(one), Contains("of 2,000 writes; together they took 20.0 s"));
}

TEST_CASE("small requests: without durations it is their part of the time by number, but for syncs")
{
    Synthetic made = untimed(writing(4000, 1000));
    PosixRecord& row = made.log.rows<PosixRecord>().front();
    row.write_size.add(mib, 1000);
    row.writes += 1000;
    row.syncs = 1;
    row.sync_time = 10 * second;
    const report::Finding one = finding_of(made.log, small_ones);
    // 40 s, of which 10 s are a sync; 4 of 5 writes are small; their 4 MB take next to nothing.
    CHECK(cost_of(one) == Approx(24).epsilon(0.01));
    CHECK_THAT(one.cost_basis, Contains("their share, by number, of the time in writes"));
    CHECK_THAT(numbers_of(one), Contains("together they took about 24.0 s, 6.00 ms each"));
}

TEST_CASE("small requests: how sure they are by number depends on whether nine in ten are small")
{
    const auto sure = [](std::uint64_t of_all) {
        Synthetic made = untimed(writing(9000, 1000));
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.write_size.add(mib, of_all - row.writes);
        row.writes = of_all;
        return finding_of(made.log, small_ones).confidence;
    };
    CHECK(sure(10'000) == report::Confidence::medium);
    CHECK(sure(10'001) == report::Confidence::low);
}

TEST_CASE("small requests: by number, their bytes are known where all are small, else by their classes")
{
    const auto cost = [](std::uint64_t large_ones) {
        Synthetic made = untimed(writing(1000, 100 << 10));  // the largest of their class
        PosixRecord& row = made.log.rows<PosixRecord>().front();
        row.write_time = made.log.rows<Totals>().front().write_time = 200 * ms;
        row.bytes_written += large_ones * 2 * mib;
        row.writes += large_ones;
        row.write_size.add(2 * mib, large_ones);
        made.log.rows<Process>().front().end = job_start + second;
        return cost_of(made.log, small_ones);
    };
    // 97.7 MiB at 2 GiB/s take 47.7 ms; by the middle of the class, 31.6 KiB, they take a third of it.
    CHECK(cost(0) == Approx(0.2 - 1000.0 * 0x1p-11 * 100 / 1024).epsilon(1e-6));
    CHECK(cost(1) ==
          Approx(0.2 * 1000 / 1001 - 1000.0 * 0x1p-11 * std::sqrt(10.0 * 100) / 1024).epsilon(1e-6));
}

TEST_CASE("small requests: a seek before each is needless as well, and no finding of its own then")
{
    const auto log_with = [](std::uint64_t seeks) {
        Synthetic made = writing(2000, 1000);
        made.log.rows<PosixRecord>().front().seeks = seeks;
        made.log.rows<PosixRecord>().front().metadata_time = 12 * second;
        made.log.rows<Totals>().front().metadata_time = 12 * second;
        made.operations(Layer::posix, Kind::seek, 0, std::vector<std::uint64_t>(seeks, 12 * second / seeks));
        return made;
    };
    CHECK(cost_of(log_with(2000).log, small_ones) == Approx(20 + 12).epsilon(0.01));
    CHECK_FALSE(finds(log_with(2000).log, "metadata_bound"));
    CHECK(cost_of(log_with(1001).log, small_ones) == Approx(20 + 12).epsilon(0.01));
    CHECK(cost_of(log_with(1000).log, small_ones) == Approx(20).epsilon(0.01));
    CHECK(finds(log_with(1000).log, "metadata_bound"));
}

namespace {

// 50,000 of 512 bytes, 1 us each, by a program that computed 2 s of 4 s.
Synthetic by_program(std::string_view program, std::string_view path, Direction direction,
                     std::uint64_t size = 512, std::uint64_t count = 50'000)
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.program = program;
    process.libraries = "libc";
    process.cpu_time = 2 * second;
    process.threads = 1;
    process.end = process.start + 4 * second;
    calls(made, made.file(path), 0, direction, count, size, us);
    return made;
}

}  // namespace

TEST_CASE("small requests: Node.js hands each to a thread of its pool, where it is asked for asynchronously")
{
    for (const Direction direction : directions) {
        Synthetic made = by_program("/usr/bin/node", "/data", direction);
        const double synchronous = finds(made.log, small_ones) ? cost_of(made.log, small_ones) : 0;
        CHECK(synchronous < 0.051);
        Process& process = made.log.rows<Process>().front();
        process.threads = 5;
        process.burst_gap = 1'000'000;
        made.burst(0, 1, 3);
        CHECK(cost_of(made.log, small_ones) == Approx(synchronous + 1.25).epsilon(0.05));
        // No more than lies between the calls, nor than it computed.
        made.log.rows<Burst>().clear();
        made.burst(0, 1, 1.25);
        CHECK(cost_of(made.log, small_ones) < 0.25);
        made.burst(0, 1.25, 3);
        process.cpu_time = 500 * ms;
        CHECK(cost_of(made.log, small_ones) <= 0.5);
        process.program = "/home/user/app";
        CHECK_FALSE(finds(made.log, small_ones));
    }
}

TEST_CASE("small requests: Python's logging takes some us for each line of a log, at most")
{
    const report::Finding one = finding_of(
        by_program("/usr/bin/python3", "/run.log", Direction::write, 100, 200'000).log, small_ones);
    CHECK(cost_of(one) == Approx(0.43 + 1.4).epsilon(0.02));
    CHECK(*one.cost_least < 0.43);
    CHECK_THAT(one.cost_basis, Contains("Python's logging"));
    CHECK_THAT(one.advice.front().text, Contains("Log less"));
    const auto cost_by = [](std::string_view program, std::string_view path, Direction direction,
                            std::uint64_t size, std::uint64_t count = 200'000) {
        const Synthetic made = by_program(program, path, direction, size, count);
        return finds(made.log, small_ones) ? cost_of(made.log, small_ones) : 0;
    };
    CHECK(cost_by("/usr/bin/python3", "/run.dat", Direction::write, 100) < 0.25);
    CHECK(cost_by("/usr/bin/python3", "/run.log", Direction::write, 501) < 0.4);
    // One that costs little to write is as it should be.
    CHECK(cost_by("/usr/bin/python3", "/run.log", Direction::write, 100, 50'000) < 0.07);
    CHECK(cost_by("/usr/bin/python3", "/run.log", Direction::read, 100) < 0.25);
    CHECK(cost_by("/home/user/app", "/run.log", Direction::write, 100) < 0.25);
    // Modules of a Python that is not in /usr are recorded.
    Synthetic prints = by_program("/opt/bin/python3", "/run.log", Direction::write, 100, 200'000);
    prints.io<PosixRecord>(prints.file("/opt/lib/python3.11/__pycache__/bisect.cpython-311.pyc"), 0, {});
    CHECK(cost_of(prints.log, small_ones) < 0.44);
    prints.io<PosixRecord>(prints.file("/opt/lib/python3.11/logging/__pycache__/__init__.cpython-311.pyc"), 0,
                           {});
    CHECK(cost_of(prints.log, small_ones) > 1.5);
}

TEST_CASE("small requests: writes of a page and more find new memory, however large they are")
{
    const auto cost_with = [](std::uint64_t size) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file("/data"), 0, Direction::write, 1 << 20, size, 20 * us);
        return cost_of(made.log, small_ones);
    };
    constexpr double calls_of = 1 << 20, rate = 1 << 30;
    CHECK(cost_with(4096) == Approx(calls_of * (20e-6 - 4096 / rate)).epsilon(0.001));
    CHECK(cost_with(4095) == Approx(calls_of * (20e-6 - 4095 / rate / 2)).epsilon(0.001));
}
