// What goes into encoding: steps that could be one, levels and formats of compression, lists of places.
#include <catch2/catch.hpp>

#include "tests/analyzer/datasets.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Two processes, one after the other, each of which runs this program for a second.
Synthetic two_steps(std::string_view first, std::string_view second_one)
{
    Synthetic made;
    for (const std::uint64_t at : {0u, 1u}) {
        made.process(-1, "node0", 2000 + at, 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = at == 0 ? first : second_one;
        one.command = "tool";
        one.start = job_start + at * second;
        one.end = one.start + second;
        one.cpu_time = second;
    }
    return made;
}

}  // namespace

TEST_CASE("chained steps: a file that one step writes and the next reads whole, to make something of it")
{
    struct Case {
        std::string_view program = "/usr/bin/cdo", next = "/usr/bin/cdo";
        std::uint64_t read = mib, made = mib / 2, unlinks = 1;
    };
    const auto made = [](const Case& of) {
        Synthetic job = two_steps(of.program, of.next);
        const std::uint64_t step = job.file("/out/step.nc");
        job.io<PosixRecord>(step, 0, {.bytes_written = mib, .write_time = 10 * ms}).unlinks = of.unlinks;
        job.io<PosixRecord>(step, 1, {.bytes_read = of.read, .read_time = 10 * ms});
        job.io<PosixRecord>(job.file("/out/result.nc"), 1, {.bytes_written = of.made, .write_time = 10 * ms});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "chained_steps");
    CHECK(one.title == "1 file written by one step of cdo and read by the next");
    CHECK(cost_of(one) == Approx(1));
    CHECK(*one.cost_least == Approx(1.0 / 3));
    CHECK_THAT(one.advice[0].lines[0], Contains("cdo -fldmean"));
    CHECK_FALSE(finds(made({.read = mib / 2}).log, "chained_steps"));
    CHECK_FALSE(finds(made({.made = 100}).log, "chained_steps"));   // an index
    CHECK_FALSE(finds(made({.unlinks = 0}).log, "chained_steps"));  // kept
    CHECK_FALSE(finds(made({.next = "/usr/bin/sox"}).log, "chained_steps"));
    CHECK_FALSE(finds(made({.program = "/home/user/cdo"}).log, "chained_steps"));
}

TEST_CASE("steps by files: what a filter writes, and the next one reads when it has ended, is for a pipe")
{
    struct Case {
        std::string_view program = "/usr/bin/cut", next = "/usr/bin/gawk";
        std::uint64_t read = mib, unlinks = 1, begins = second;
    };
    const auto made = [](const Case& of) {
        Synthetic job = two_steps(of.program, of.next);
        job.log.rows<Process>().back().start = job_start + of.begins;
        const std::uint64_t step = job.file("/out/step.txt");
        job.io<PosixRecord>(step, 0, {.bytes_written = mib, .write_time = 10 * ms}).unlinks = of.unlinks;
        job.io<PosixRecord>(step, 1, {.bytes_read = of.read, .read_time = 10 * ms});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "steps_by_files");
    CHECK(one.title == "1 file written by one step of a script and read by the next");
    CHECK(cost_of(one) == Approx(1));  // of two, on two cores
    CHECK(*one.cost_least == Approx(2.0 / 3));
    CHECK_FALSE(finds(made({.read = mib / 2}).log, "steps_by_files"));
    CHECK_FALSE(finds(made({.read = 2 * mib}).log, "steps_by_files"));  // gone through twice
    CHECK_FALSE(finds(made({.unlinks = 0}).log, "steps_by_files"));     // kept
    CHECK_FALSE(finds(made({.begins = second / 2}).log, "steps_by_files"));
    CHECK_FALSE(finds(made({.next = "/usr/bin/sort"}).log, "steps_by_files"));
    CHECK_FALSE(finds(made({.program = "/home/user/app"}).log, "steps_by_files"));
}

TEST_CASE("best compression: by the header of gzip, and what was computed while the file was open")
{
    const auto made = [](std::uint64_t best, std::uint64_t opens, const char* path = "/out/a.csv.gz",
                         std::uint64_t written = mib) {
        Synthetic job = two_steps("/usr/bin/python3", "/usr/bin/gzip");
        PosixRecord& row =
            job.io<PosixRecord>(job.file(path), 0, {.bytes_written = written, .write_time = 10 * ms});
        row.opens = opens;
        row.held_time = opens * 900 * ms;
        row.looks = 1;
        row.best_gzip = best;
        return job;
    };
    const report::Finding one = finding_of(made(1, 1).log, "best_compression");
    CHECK(one.title == "1 MiB written by gzip's best level, which is its slowest");
    CHECK(cost_of(one) == Approx(0.85 * 0.89).epsilon(0.01));
    CHECK(one.cost_least == Approx(0.25 * 0.89).epsilon(0.01));
    CHECK_THAT(one.advice[0].lines[0], Contains("compresslevel=1"));
    // What is certain comes before what may be more: syncs of 0.6 s.
    Synthetic synced = made(1, 1);
    PosixRecord& row =
        synced.io<PosixRecord>(synced.file("/out/log"), 0, {.bytes_written = mib, .write_time = 600 * ms});
    row.syncs = 100;
    row.sync_time = 600 * ms;
    CHECK(found_in(synced.log).front().id == "frequent_syncs");
    // Opened by the shell.
    CHECK(cost_of(made(1, 0).log, "best_compression") == Approx(0.85).epsilon(0.02));
    CHECK_FALSE(finds(made(0, 1).log, "best_compression"));
    const auto of_input = [&](std::uint64_t bytes) {
        Synthetic job = made(1, 1);
        job.io<PosixRecord>(job.file("/in/a"), 0, {.bytes_read = bytes, .read_time = ms});
        return finds(job.log, "best_compression");
    };
    CHECK_FALSE(of_input(mib + mib / 21));  // which nothing makes smaller
    CHECK(of_input(mib + mib / 16));
    // 1.7 and 0.85 µs for each byte that is written; or 0.17 and 0.14 for each that is read.
    CHECK(finding_of(made(0, 1, "/out/a.xz", mib / 2).log, "best_compression").title ==
          "512 KiB written by a slow level of xz");
    CHECK_FALSE(finds(made(0, 1, "/out/a.xz").log, "best_compression"));
    CHECK_FALSE(finds(made(0, 1, "/out/a.bz2", mib / 2).log, "best_compression"));
    const auto reads = [&](std::uint64_t bytes) {
        Synthetic job = made(0, 1, "/out/a.xz");
        job.io<PosixRecord>(job.file("/in/a"), 0, {.bytes_read = bytes, .read_time = 10 * ms});
        return job;
    };
    CHECK(finds(reads(5 * mib).log, "best_compression"));
    CHECK_FALSE(finds(reads(6 * mib).log, "best_compression"));
}

TEST_CASE("compressed in vain: as large as what was read, after so much work")
{
    const auto made = [](std::uint64_t written, std::uint64_t held, std::string_view file) {
        Synthetic job = two_steps("/usr/bin/python3", "/usr/bin/true");
        job.io<PosixRecord>(job.file("/in/a.jpg"), 0, {.bytes_read = 20 * mib, .read_time = 10 * ms});
        PosixRecord& row =
            job.io<PosixRecord>(job.file(file), 0, {.bytes_written = written, .write_time = 10 * ms});
        row.opens = 1;
        row.held_time = held;
        return job;
    };
    const report::Finding one =
        finding_of(made(20 * mib, 810 * ms, "/out/album.zip").log, "compressed_in_vain");
    CHECK(one.title == "20 MiB compressed, and as large as before");
    CHECK(cost_of(one) == Approx(0.8).epsilon(0.01));
    CHECK(one.cost_least == Approx(0.6 * 0.8).epsilon(0.01));
    CHECK_THAT(lines_of(one), Contains("ZIP_STORED"));
    CHECK_FALSE(finds(made(18 * mib, 810 * ms, "/out/album.zip").log, "compressed_in_vain"));
    CHECK_FALSE(finds(made(20 * mib, 110 * ms, "/out/album.zip").log, "compressed_in_vain"));  // stored
    CHECK_FALSE(finds(made(20 * mib, 810 * ms, "/out/album.bin").log, "compressed_in_vain"));
    // Of NumPy by the time for each byte, whatever was read: between 12 and 50 ns.
    const report::Finding guessed =
        finding_of(made(18 * mib, 810 * ms, "/out/all.npz").log, "compressed_in_vain");
    CHECK(guessed.title == "18 MiB compressed, and hardly smaller");
    CHECK_THAT(lines_of(guessed), Contains("numpy.savez"));
    CHECK_FALSE(finds(made(10 * mib, 810 * ms, "/out/all.npz").log, "compressed_in_vain"));
    CHECK_FALSE(finds(made(18 * mib, 210 * ms, "/out/all.npz").log, "compressed_in_vain"));
}

TEST_CASE("fancy selection: the square of how many rows h5py joins for each call")
{
    const auto made = [](std::uint64_t irregular, std::uint64_t rows, std::string_view libraries) {
        DatasetLog log(1);
        Process& process = log.log.rows<Process>().front();
        process.program = "/usr/bin/python3";
        process.libraries = libraries;
        process.cpu_time = 90 * second;
        log.data_file(0);
        DatasetRecord& row = log.dataset("/u", 0);
        row.dimensions = extents({1'000'000, 16});
        row.reads = 4;
        row.irregular = irregular;
        row.bytes_read = 4 * rows * 16 * 8;
        return log;
    };
    const report::Finding one = finding_of(made(4, 10'000, "libc libhdf5").log, "fancy_selection");
    CHECK(one.title == "dataset /u: 4 selections of up to 10,000 rows by a list of indices");
    CHECK(cost_of(one) == Approx(4 * 2.5));
    CHECK(one.cost_least == Approx(4 * 0.8));
    CHECK_THAT(one.advice[0].lines[0], Contains("rows.min()"));
    CHECK_FALSE(finds(made(3, 10'000, "libc libhdf5").log, "fancy_selection"));
    CHECK_FALSE(finds(made(4, 999, "libc libhdf5").log, "fancy_selection"));
    CHECK_FALSE(finds(made(4, 10'000, "libc").log, "fancy_selection"));
}

TEST_CASE("unfit layout: what HDF5 fetches around each value, four times what is asked for")
{
    const auto made = [](std::uint64_t fetched, std::uint64_t chunk) {
        DatasetLog log(1);
        log.data_file(0);
        DatasetRecord& row = log.dataset("/u", 0);
        row.dimensions = extents({1000, 4096});
        if (chunk > 0) row.chunk = extents({chunk, chunk});
        add_reads(row, 100, 8000, 10 * second);
        row.posix_reads = 1000;
        row.posix_bytes_read = fetched;
        return log;
    };
    const report::Finding one = finding_of(made(80'000'000, 0).log, "unfit_layout");
    CHECK(one.title == "dataset /u of a.h5: 76.3 MiB fetched for 781 KiB that are read");
    CHECK(cost_of(one) == Approx(10 * 0.99));
    CHECK_FALSE(finds(made(3'100'000, 0).log, "unfit_layout"));
    CHECK_FALSE(finds(made(80'000'000, 64).log, "unfit_layout"));
}

TEST_CASE("redundant reads: a dataset in one piece has no chunks that a cache could keep")
{
    const auto lines = [](DataLayout layout) {
        DatasetLog log(1);
        log.log.rows<Process>()[0].program = "/usr/bin/python3";
        log.log.rows<Process>()[0].libraries = "libc libpython3 libhdf5 h5py";
        log.data_file(0);
        DatasetRecord& dataset = log.dataset("/u", 0);
        dataset.layout = static_cast<std::uint64_t>(layout);
        add_reads(dataset, 10, 40 * mib, ms);
        PosixRecord& row =
            log.io<PosixRecord>(log.container, 0, {.bytes_read = 400 * mib, .read_time = 20 * second});
        row.opens = 10;
        row.reads = 100;
        row.highest_read = 40 * mib;
        return lines_of(finding_of(log.log, "redundant_reads"));
    };
    CHECK_THAT(lines(DataLayout::contiguous), Contains("row = dataset[number]") && !Contains("rdcc"));
    CHECK_THAT(lines(DataLayout::chunked), Contains("rdcc_nbytes"));
}

TEST_CASE("loaded whole: HDF5's core driver reads the file at each open, for little of it")
{
    const auto made = [](std::uint64_t reads, std::uint64_t each, std::uint64_t asked) {
        DatasetLog log(1);
        log.data_file(0);
        add_reads(log.dataset("/u", 0), 16, asked / 16, ms);
        PosixRecord& row =
            log.io<PosixRecord>(log.container, 0, {.bytes_read = reads * each, .read_time = 20 * second});
        row.opens = 10;
        row.reads = reads;
        row.highest_read = 40 * mib;
        return log;
    };
    const report::Finding one = finding_of(made(10, 40 * mib, 4 * mib).log, "loaded_whole");
    CHECK(one.title == "1 file of HDF5 read whole at each open: 400 MiB for 4 MiB that was asked for");
    CHECK(cost_of(one) == Approx(20 * 0.99));
    CHECK(finds(made(20, 20 * mib, 100 * mib).log, "loaded_whole"));
    CHECK_FALSE(finds(made(20, 20 * mib, 101 * mib).log, "loaded_whole"));
    CHECK_FALSE(finds(made(20, 20 * mib - 1, mib).log, "loaded_whole"));
    CHECK_FALSE(finds(made(21, 20 * mib, mib).log, "loaded_whole"));
}
