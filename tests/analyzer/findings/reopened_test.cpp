// Files that libraries open again and again, that a process reads back, and what moves within files.
#include <catch2/catch.hpp>

#include "tests/analyzer/datasets.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Reopened {
    std::string_view path = "/results.zip", program = "/usr/bin/python3", libraries = "libc";
    std::uint64_t bytes_read = 0, writes = 10'000, held = 45 * second, cpu_time = 40 * second;
};

// A file that is opened 10,000 times: 5 s of calls that move no data.
Synthetic reopened(const Reopened& how)
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.program = how.program;
    process.libraries = how.libraries;
    process.cpu_time = how.cpu_time;
    PosixRecord& row = made.io<PosixRecord>(made.file(how.path), 0,
                                            {.bytes_read = how.bytes_read,
                                             .bytes_written = how.writes > 0 ? mib : 0,
                                             .read_time = how.bytes_read > 0 ? 8 * second : 0,
                                             .metadata_time = 5 * second});
    row.opens = row.closes = 10'000;
    row.reads = how.bytes_read > 0 ? 10'000 : 0;
    row.writes = how.writes;
    row.consecutive_reads = row.reads;
    row.highest_read = row.highest_written = mib;
    row.held_time = how.held;
    return made;
}

std::string words_of(const report::Finding& finding)
{
    std::string all;
    for (const report::Advice& advice : finding.advice) all += advice.text + "\n";
    return all;
}

}  // namespace

TEST_CASE("needless opens: what an interpreter's libraries compute while the file is open is saved at most")
{
    const report::Finding one = finding_of(reopened({}).log, "open_close_churn");
    CHECK(*one.cost_least == Approx(5 + 0.05).epsilon(1e-3));
    // Of the 40 s that it computed and the 5 s in calls; it was open for longer.
    CHECK(cost_of(one) == Approx(5 + 40 - 5).epsilon(1e-3));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(one.cost_basis, Contains("while the file is open"));
    CHECK(cost_of(reopened({.held = 25 * second}).log, "open_close_churn") ==
          Approx(5 + 25 - 5).epsilon(1e-3));
    CHECK_FALSE(finding_of(reopened({.held = 5 * second}).log, "open_close_churn").cost_least);
    // Over 5 ms each time it is the program's own.
    CHECK(finding_of(reopened({.held = 55 * second, .cpu_time = 90 * second}).log, "open_close_churn")
              .cost_least);
    CHECK_FALSE(finding_of(reopened({.held = 56 * second, .cpu_time = 90 * second}).log, "open_close_churn")
                    .cost_least);
    // But for what a long index takes: 100 ns for each byte that is read of an archive.
    const auto reading = [](std::string_view path, std::uint64_t held, std::uint64_t read = 5'000 * mib) {
        return finding_of(
            reopened({.path = path, .bytes_read = read, .held = held, .cpu_time = 900 * second}).log,
            "open_close_churn");
    };
    CHECK(reading("/results.zip", 500 * second).cost_least);
    CHECK_FALSE(reading("/results.zip", 800 * second).cost_least);
    CHECK_FALSE(reading("/results.bin", 500 * second, 9'000 * mib).cost_least);
    // What a compiled program computes meanwhile is its own.
    CHECK_FALSE(finding_of(reopened({.program = "/home/user/app"}).log, "open_close_churn").cost_least);
    // PyTables reads some hundred attributes at each.
    Synthetic tables = reopened({.held = 100 * second, .cpu_time = 900 * second});
    DataFileRecord& described = tables.log.rows<DataFileRecord>().emplace_back();
    described.file = tables.log.rows<PosixRecord>().front().file;
    described.library = static_cast<std::uint64_t>(DataLibrary::hdf5);
    described.processes = 1;
    described.opens = 10'000;
    described.attribute_opens = 1'400'000;
    CHECK(finding_of(tables.log, "open_close_churn").cost_least);
    tables.log.rows<DataFileRecord>().front().attribute_opens = 1'100'000;
    CHECK_FALSE(finding_of(tables.log, "open_close_churn").cost_least);
    Synthetic older = reopened({});
    older.log.not_recorded.insert("posix.held_time");
    CHECK_FALSE(finding_of(older.log, "open_close_churn").cost_least);
}

TEST_CASE("needless opens: what HDF5 and NetCDF do while the file is open is saved at most, also in C")
{
    const auto log_with = [](std::string_view libraries, std::uint64_t held,
                             std::string_view path = "/a.h5") {
        return finding_of(
            reopened({.path = path, .program = "/home/user/app", .libraries = libraries, .held = held}).log,
            "open_close_churn");
    };
    const report::Finding one = log_with("libc libhdf5", 9 * second);
    CHECK(*one.cost_least == Approx(5).epsilon(1e-3));
    CHECK(cost_of(one) == Approx(5 + 9 - 5).epsilon(1e-3));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK(log_with("libc libhdf5 libnetcdf", 9 * second, "/a.nc").cost_least);
    // Over 1 ms each time, and in files of no library, it is the program's own.
    CHECK(log_with("libc libhdf5", 15 * second).cost_least);
    CHECK_FALSE(log_with("libc libhdf5", 16 * second).cost_least);
    CHECK_FALSE(log_with("libc libhdf5", 9 * second, "/a.txt").cost_least);
    CHECK_FALSE(log_with("libc", 9 * second).cost_least);
}

TEST_CASE("needless opens: an index that is read at each of them is one finding with them")
{
    const auto rules_of = [](const Synthetic& made) {
        std::string ids;
        for (const report::Finding& one : found_in(made.log)) ids += one.id + " ";
        return ids;
    };
    const Synthetic archive = reopened({.bytes_read = 10'000 * mib, .held = 0});
    CHECK(rules_of(archive) == "open_close_churn ");
    CHECK_THAT(words_of(finding_of(archive.log, "open_close_churn")), Contains("archive or database"));
    // By what is done with it, where the name does not tell: written in between, or little of it read.
    CHECK(rules_of(reopened({.path = "/x", .bytes_read = 10'000 * mib, .held = 0})) == "open_close_churn ");
    CHECK(rules_of(reopened({.path = "/x", .bytes_read = 10'000 * mib, .writes = 2500, .held = 0})) ==
          "open_close_churn ");
    CHECK_THAT(rules_of(reopened({.path = "/x", .bytes_read = 10'000 * mib, .writes = 2499, .held = 0})),
               Contains("redundant_reads"));
    CHECK(rules_of(reopened({.path = "/x", .bytes_read = 2499 * mib, .writes = 0, .held = 0})) ==
          "open_close_churn ");
    // It grows, and is read whole each time: what was read before is read again.
    CHECK(rules_of(reopened({.path = "/x", .bytes_read = 5'000 * mib, .held = 0})) == "redundant_reads ");
    CHECK(rules_of(reopened({.path = "/x", .bytes_read = 3'400 * mib, .held = 0})) == "open_close_churn ");
    CHECK(rules_of(reopened({.bytes_read = 5'000 * mib, .held = 0})) == "open_close_churn ");
    // Read whole and not changed: it is kept in memory, not open. Both go, whichever takes longer.
    Synthetic whole = reopened({.path = "/x",
                                .program = "/home/user/app",
                                .bytes_read = 10'000 * mib,
                                .writes = 0,
                                .held = 0,
                                .cpu_time = 0});
    CHECK(rules_of(whole) == "redundant_reads ");
    whole.log.rows<PosixRecord>().front().metadata_time = 13 * second;
    whole.log.rows<PosixRecord>().front().read_time = 5 * second;
    CHECK(rules_of(whole) == "open_close_churn ");
    CHECK(cost_of(whole.log, "open_close_churn") == Approx(13 + 5).epsilon(0.01));
}

TEST_CASE("read back: what a process wrote whole, and then read whole")
{
    const auto log_with = [](std::uint64_t read, std::uint64_t first_read, std::uint64_t consecutive = 999) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/result"), 0, Direction::write, 1000, mib, ms);
        row.bytes_read = read;
        row.reads = 1000;
        row.read_time = 8 * second;
        row.consecutive_reads = consecutive;
        row.highest_read = row.highest_written;
        row.first_write = job_start;
        row.last_write = job_start + 10 * second;
        row.first_read = first_read;
        row.last_read = job_start + 20 * second;
        Totals& totals = made.log.rows<Totals>().front();
        totals.bytes_read = read;
        totals.read_time = 8 * second;
        return made;
    };
    const std::uint64_t after = job_start + 10 * second;
    const report::Finding one = finding_of(log_with(1000 * mib, after).log, "read_back");
    CHECK(numbers_of(one) == R"(1000 MiB read back by the process that had just written them
8.00 s, 8 %, medium
written, and read afterwards: 1000 MiB
files: 1 (each written whole, then read whole)
most time in: /result (8.00 s in reads of it))");
    CHECK_FALSE(finds(log_with(1000 * mib, after - 1).log, "read_back"));  // as a database does
    CHECK(finds(log_with(900 * mib, after).log, "read_back"));
    CHECK_FALSE(finds(log_with(899 * mib, after).log, "read_back"));
    CHECK_FALSE(finds(log_with(1101 * mib, after).log, "read_back"));
    CHECK_FALSE(finds(log_with(1000 * mib, after, 897).log, "read_back"));  // looked up, not read
    Synthetic other = log_with(1000 * mib, after);
    other.process(-1);
    other.io<PosixRecord>(other.log.rows<PosixRecord>().front().file, 1, {.bytes_read = mib});
    CHECK_FALSE(finds(other.log, "read_back"));
}

TEST_CASE("redundant reads: text and what is compressed are taken apart, whatever the size of requests")
{
    const auto log_with = [](std::string_view path) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file(path), 0, Direction::read, 1000, 64 << 10, ms).highest_read = 8 * mib;
        made.burst(0, 10, 30);
        Process& process = made.log.rows<Process>().front();
        process.cpu_time = 90 * second;
        process.burst_gap = 1'000'000;
        return made;
    };
    CHECK_FALSE(finds(log_with("/data").log, "redundant_reads"));
    const report::Finding text = finding_of(log_with("/data.csv").log, "redundant_reads");
    CHECK(cost_of(text) == Approx((1 - 8 / 62.5) * 20).epsilon(0.01));
    CHECK(*text.cost_least == Approx((1 - 8 / 62.5) * (1 + 19.0 * 0.75)).epsilon(0.01));
    // How long it was open tells more than the pauses between calls, where it tells that.
    const auto held_for = [&](std::uint64_t held) {
        Synthetic made = log_with("/data.csv");
        made.log.rows<Burst>().clear();
        made.log.rows<PosixRecord>().front().held_time = held;
        return made;
    };
    CHECK(cost_of(held_for(51 * second).log, "redundant_reads") ==
          Approx((1 - 8 / 62.5) * (1 + 50)).epsilon(0.01));
    CHECK_FALSE(finds(held_for(67 * second).log, "redundant_reads"));  // over 1 us a byte
    // A log that is open all the time, and that the program writes.
    Synthetic protocol = held_for(51 * second);
    protocol.log.rows<PosixRecord>().front().bytes_written = mib;
    CHECK_FALSE(finds(protocol.log, "redundant_reads"));
    protocol.log.rows<PosixRecord>().front().opens = 4;
    CHECK(finds(protocol.log, "redundant_reads"));
    Synthetic twice = held_for(51 * second);
    twice.log.rows<PosixRecord>().front().highest_read = 1000 * (64 << 10) / 3 + 1;
    CHECK_FALSE(finds(twice.log, "redundant_reads"));
    CHECK_THAT(words_of(finding_of(log_with("/data.tar.gz").log, "redundant_reads")),
               Contains("begins anew at each step back"));
}

TEST_CASE("redundant reads: Python takes a table apart anew where it opens it anew, and reads it in blocks")
{
    const auto log_with = [](std::string_view program, std::uint64_t opens, std::uint64_t block,
                             std::uint64_t held) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row =
            calls(made, made.file("/data"), 0, Direction::read, (512 << 20) / block, block, ms / 10);
        row.highest_read = 64 * mib;
        row.opens = row.closes = opens;
        row.held_time = held;
        Process& process = made.log.rows<Process>().front();
        process.program = program;
        process.libraries = "libc";
        process.cpu_time = 90 * second;
        return made;
    };
    constexpr std::string_view python = "/usr/bin/python3";
    const std::uint64_t block = 256 << 10;
    const report::Finding one =
        finding_of(log_with(python, 8, block, 20 * second + 205 * ms).log, "redundant_reads");
    CHECK(cost_of(one) == Approx(1.25 * 20.2 * 7 / 8).epsilon(0.02));
    CHECK(*one.cost_least < 0.2);
    // Objects that are made of what is read, whatever the size of requests.
    const auto pickled = [&](std::string_view path) {
        Synthetic made = log_with(python, 8, 32 << 10, 21 * second);
        made.log.rows<FileName>().back().path = path;
        return made;
    };
    CHECK(cost_of(pickled("/table.pkl").log, "redundant_reads") > 17);
    CHECK_FALSE(finds(pickled("/table.bin").log, "redundant_reads"));
    const auto finds_more = [](const Synthetic& made) {
        return finds(made.log, "redundant_reads") && cost_of(made.log, "redundant_reads") > 1;
    };
    CHECK_FALSE(finds_more(log_with(python, 8, block, 60 * second)));  // over 100 ns a byte
    CHECK_FALSE(finds_more(log_with(python, 1, block, 20 * second)));
    CHECK_FALSE(finds_more(log_with(python, 8, 1 << 20, 20 * second)));
    CHECK_FALSE(finds_more(log_with("/home/user/app", 8, block, 20 * second)));
}

TEST_CASE("redundant reads: a database of SQLite wants an index, whatever program asks it")
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.program = "/usr/bin/python3";
    process.libraries = "libc libsqlite3";
    calls(made, made.file("/shop.db"), 0, Direction::read, 1000, 128 << 10, ms).highest_read = mib;
    made.log.rows<Process>().front().end = job_start + 10 * second;
    CHECK_THAT(words_of(finding_of(made.log, "redundant_reads")), Contains("want an index"));
    process.libraries = "libc";
    CHECK_THAT(words_of(finding_of(made.log, "redundant_reads")), !Contains("want an index"));
}

TEST_CASE("redundant reads: a database that is gone through four times is not worked on again")
{
    const auto log_with = [](std::uint64_t extent) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file("/shop.db"), 0, Direction::read, 3000, 4096, 10 * us).highest_read = extent;
        made.burst(0, 10, 50);
        Process& process = made.log.rows<Process>().front();
        process.cpu_time = 90 * second;
        process.burst_gap = 1'000'000;
        return made;
    };
    CHECK(finds(log_with(4096 * 600).log, "redundant_reads"));
    CHECK_FALSE(finds(log_with(4096 * 601).log, "redundant_reads"));
    // Whatever its name, by sqlite3.
    Synthetic nameless = log_with(4096 * 601);
    nameless.log.rows<FileName>().front().path = "/shop";
    CHECK(finds(nameless.log, "redundant_reads"));
    nameless.log.rows<Process>().front().program = "/usr/bin/sqlite3";
    CHECK_FALSE(finds(nameless.log, "redundant_reads"));
    // Nor while it is made.
    Synthetic written = log_with(4096 * 600);
    written.log.rows<PosixRecord>().front().bytes_written = 4096 * 300;
    CHECK(finds(written.log, "redundant_reads"));
    written.log.rows<PosixRecord>().front().bytes_written = 4096 * 301;
    CHECK_FALSE(finds(written.log, "redundant_reads"));
}

TEST_CASE("redundant reads: what HDF5 reads again of its own are no datasets read again")
{
    DatasetLog made(1);
    made.io<PosixRecord>(made.container, 0, {.bytes_read = 100 * mib, .read_time = 50 * second})
        .highest_read = 10 * mib;
    made.data_file(0);
    DatasetRecord& row = made.dataset("/u", 0);
    row.bytes_read = 10 * mib;
    CHECK_FALSE(finds(made.log, "redundant_reads"));
    row.bytes_read = 50 * mib;
    CHECK(finds(made.log, "redundant_reads"));
}

TEST_CASE(
    "moved header: classic NetCDF that reads two blocks for each that it writes, more than the file has")
{
    const auto log_with = [](std::uint64_t read, std::uint64_t written, std::string_view libraries) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = libraries;
        PosixRecord& row = made.io<PosixRecord>(made.file("/a.nc"), 0,
                                                {.bytes_read = read,
                                                 .bytes_written = written,
                                                 .read_time = 6 * second,
                                                 .write_time = 3 * second,
                                                 .metadata_time = second});
        row.reads = 2000;
        row.writes = 1000;
        row.switches = 1800;
        row.highest_read = row.highest_written = 100 * mib;
        return made;
    };
    const report::Finding one =
        finding_of(log_with(1350 * mib, 1000 * mib, "libc libnetcdf").log, "moved_header");
    CHECK(one.title == "900 MiB moved within files of classic NetCDF, as when their headers grow");
    CHECK(cost_of(one) == Approx(9));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_FALSE(finds(log_with(1500 * mib, 1000 * mib, "libc").log, "moved_header"));
    CHECK_FALSE(finds(log_with(1349 * mib, 1000 * mib, "libc libnetcdf").log, "moved_header"));
    CHECK_FALSE(finds(log_with(1500 * mib, 199 * mib, "libc libnetcdf").log, "moved_header"));
}

TEST_CASE("written again: classic NetCDF that is synced after each value, more than fill values can be")
{
    const auto log_with = [](std::uint64_t written) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libnetcdf";
        PosixRecord& row = made.io<PosixRecord>(made.file("/a.nc"), 0,
                                                {.bytes_read = written - 8 * mib,
                                                 .bytes_written = written,
                                                 .read_time = 2 * second,
                                                 .write_time = 8 * second});
        row.reads = row.writes = 1000;
        row.consecutive_reads = row.consecutive_writes = 999;
        row.creates = 1;
        row.first_write = job_start;
        row.last_write = job_start + 10 * second;
        row.highest_read = row.highest_written = 8 * mib;
        return made;
    };
    const report::Finding one = finding_of(log_with(80 * mib).log, "written_again");
    CHECK(one.title == "72 MiB written over what the program had just written");
    CHECK(cost_of(one) == Approx(9));
    CHECK_THAT(lines_of(one), Contains("nc_sync(file)"));
    CHECK_FALSE(finds(log_with(80 * mib).log, "fill_values"));
    CHECK(finds(log_with(16 * mib).log, "fill_values"));
}

TEST_CASE("redundant reads: text that a compiled program takes apart again at each open")
{
    const auto log_with = [](std::uint64_t text, std::uint64_t opens) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libstdc++";
        made.log.rows<Process>().front().cpu_time = 90 * second;
        const std::uint64_t file = made.file("/absorb.lut");
        PosixRecord& row = calls(made, file, 0, Direction::read, 10'000, 8191, us);
        row.opens = 0;
        row.highest_read = mib;
        row.looks = 10;
        row.text_looks = text;
        StdioRecord& stream = made.io<StdioRecord>(file, 0, {});  // a stream of C++
        stream.opens = opens;
        stream.held_time = 6 * second;
        return made;
    };
    const report::Finding one = finding_of(log_with(10, 78).log, "redundant_reads");
    CHECK(cost_of(one) == Approx(6 * 77.0 / 78).epsilon(0.01));
    CHECK_FALSE(finds(log_with(0, 78).log, "redundant_reads"));
    CHECK_FALSE(finds(log_with(10, 38).log, "redundant_reads"));
}

TEST_CASE("replaced unread: through MPI-IO as often as all ranks opened the file and wrote all of it")
{
    const auto log_with = [](std::uint64_t opens, std::uint64_t writes) {
        Synthetic made;
        made.ranks(2);
        const std::uint64_t file = made.file("/restart");
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            through_mpiio(made, file, rank, writes, 4 * mib, 3 * second).opens = opens;
            calls(made, file, rank, Direction::write, writes, 4 * mib, second).highest_written = 8 * mib;
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(20, 20).log, "replaced_unread");
    CHECK(one.title == "One file written whole 20 times, each in place of the last, and not read in between");
    CHECK(cost_of(one) == Approx(57));
    CHECK_FALSE(finds(log_with(20, 17).log, "replaced_unread"));  // not all of it
    CHECK_FALSE(finds(log_with(3, 20).log, "replaced_unread"));
}

TEST_CASE("many datasets: 256 of a file with less than 8 KiB each, and what h5py does around them")
{
    const auto log_with = [](std::size_t count, std::uint64_t each, std::string_view libraries) {
        DatasetLog made(1);
        made.log.rows<Process>().front().program = "/usr/bin/python3";
        made.log.rows<Process>().front().libraries = libraries;
        DataFileRecord& closed = made.data_file(0);
        closed.close_time = closed.metadata_time = second;
        for (std::size_t at = 0; at < count; ++at) {
            DatasetRecord& row = made.dataset("/t" + std::to_string(at), 0);
            row.opens = 0;
            row.creates = 1;
            row.metadata_time = 40 * ms;
            add_writes(row, 1, each, 10 * ms);
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(256, 8 << 10, "libc libhdf5").log, "many_datasets");
    CHECK(one.title == "256 datasets with 8 KiB moved in each on average");
    CHECK(cost_of(one) == Approx(256 * 0.05 + 1 + 4.5 * 256 * 45e-6).epsilon(1e-4));
    CHECK_FALSE(finds(log_with(255, 8 << 10, "libc libhdf5").log, "many_datasets"));
    CHECK_FALSE(finds(log_with(256, (8 << 10) + 8, "libc libhdf5").log, "many_datasets"));
}

TEST_CASE("small requests: a program that writes to descriptors gets no advice on streams")
{
    const auto words_with = [](std::uint64_t opens, bool stream, std::string_view path = "/data") {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libstdc++";
        const std::uint64_t file = made.file(path);
        calls(made, file, 0, Direction::write, 10'000, 1000, ms).opens = opens;
        if (stream) made.io<StdioRecord>(file, 0, {}).opens = 1;
        return words_of(finding_of(made.log, "small_requests"));
    };
    CHECK_THAT(words_with(1, false), Contains("Collect data in memory") && !Contains("stream"));
    CHECK_THAT(words_with(0, true), Contains("stream"));
    CHECK_THAT(words_with(1, false, "/data.gz"), Contains("Do not flush the compressor"));
}

TEST_CASE(
    "random access: reads that were as quick as large ones cost nothing, whatever is sought before them")
{
    const auto log_with = [](std::uint64_t each) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/data"), 0, Direction::read, 10'000, mib, each);
        row.consecutive_reads = 0;
        row.sequential_reads = 4999;
        row.seeks = 10'000;
        row.metadata_time = 50 * second;
        made.log.rows<Totals>().front().metadata_time = 50 * second;
        made.operations(Layer::posix, Kind::seek, 0, std::vector<std::uint64_t>(10'000, 5 * ms));
        PosixRecord& script = calls(made, made.file("/script"), 0, Direction::read, 4, 100, 10 * us);
        script.consecutive_reads = 0;
        return made;
    };
    CHECK_FALSE(finds(log_with(1000).log, "random_access"));
    CHECK_THAT(numbers_of(finding_of(log_with(ms).log, "random_access")), Contains("most time in: /data"));
}

TEST_CASE("classic NetCDF without its buffer: records one by one, and their number after each")
{
    const auto log_with = [](std::string_view path, std::string_view libraries, std::uint64_t size) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = libraries;
        PosixRecord& row = calls(made, made.file(path), 0, Direction::write, 60'000, size, 100 * us);
        row.creates = 1;
        row.consecutive_writes = 0;
        row.sequential_writes = 30'000;
        return made;
    };
    const Synthetic shared = log_with("/a.nc", "libc libnetcdf", 1023);
    CHECK_THAT(finding_of(shared.log, "small_requests").advice.front().text, Contains("NC_SHARE"));
    CHECK_FALSE(finds(shared.log, "random_access"));
    CHECK_THAT(finding_of(log_with("/a.nc", "libc libnetcdf libpython3", 1023).log, "small_requests")
                   .advice.front()
                   .text,
               Contains("s behind the mode"));
    for (const Synthetic& other :
         {log_with("/a.nc", "libc", 1023), log_with("/a.dat", "libc libnetcdf", 1023),
          log_with("/a.nc", "libc libnetcdf", 1024)}) {
        const auto found = found_in(other.log);
        for (const report::Finding& one : found) CHECK_THAT(one.advice.front().text, !Contains("NC_SHARE"));
    }
}

TEST_CASE("fill values of classic NetCDF: each block read and written over once, and nothing else read")
{
    const auto log_with = [](std::string_view libraries, std::uint64_t read, std::uint64_t written) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = libraries;
        const std::uint64_t file = made.file("/a.nc");
        PosixRecord& row = calls(made, file, 0, Direction::write, written / 8192, 8192, 500 * us);
        row.highest_written = 100 * mib;
        row.creates = 1;
        row.bytes_read = read;
        row.read_time = 2 * second;
        row.first_write = job_start;
        row.last_write = job_start + 20 * second;
        return made;
    };
    const Synthetic filled = log_with("libc libnetcdf", 110 * mib, 200 * mib);
    const report::Finding one = finding_of(filled.log, "fill_values");
    CHECK(one.title == "100 MiB of fill values that NetCDF wrote, and the program wrote over");
    CHECK(cost_of(one) == Approx((25'600 * 500e-6 + 2) / 2));
    CHECK_THAT(lines_of(one), Contains("NC_NOFILL"));
    CHECK_FALSE(finds(filled.log, "small_requests"));  // it is those
    CHECK_FALSE(finds(log_with("libc", 110 * mib, 200 * mib).log, "fill_values"));
    CHECK_FALSE(finds(log_with("libc libnetcdf", 130 * mib, 200 * mib).log, "fill_values"));
    const Synthetic once = log_with("libc libnetcdf", 0, 125 * mib);
    CHECK_FALSE(finds(once.log, "fill_values"));
    CHECK_FALSE(finds(once.log, "small_requests"));  // its library's buffer
}

TEST_CASE("replaced unread: written whole twenty times and more, for 15 % of the run")
{
    const auto log_with = [](std::uint64_t times, std::uint64_t took, std::uint64_t read = 0) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row =
            calls(made, made.file("/restart"), 0, Direction::write, times, 8 * mib, took / times);
        row.creates = 1;
        row.truncates = times - 1;
        row.highest_written = 8 * mib;
        row.bytes_read = read;
        return made;
    };
    const report::Finding one = finding_of(log_with(20, 20 * second).log, "replaced_unread");
    CHECK(one.title == "One file written whole 20 times, each in place of the last, and not read in between");
    CHECK(cost_of(one) == Approx(19));
    CHECK(*one.cost_least == Approx(9.5));
    CHECK_FALSE(finds(log_with(19, 20 * second).log, "replaced_unread"));
    // Of fewer times the last is no small part: three tenths of the run then, or half.
    CHECK(finds(log_with(8, 35 * second).log, "replaced_unread"));
    CHECK_FALSE(finds(log_with(7, 35 * second).log, "replaced_unread"));
    CHECK(finds(log_with(4, 70 * second).log, "replaced_unread"));
    CHECK_FALSE(finds(log_with(3, 90 * second).log, "replaced_unread"));
    Synthetic kept = log_with(4, 70 * second);
    kept.log.rows<PosixRecord>().front().renames = 3;  // the last one beside it
    CHECK_FALSE(finds(kept.log, "replaced_unread"));
    CHECK_FALSE(finds(log_with(20, 15 * second).log, "replaced_unread"));
    CHECK(finds(log_with(20, 20 * second, 8 * mib).log, "replaced_unread"));
    CHECK_FALSE(finds(log_with(20, 20 * second, 9 * mib).log, "replaced_unread"));
    Synthetic hours = log_with(20, 400 * second);
    hours.log.rows<Process>().front().end = job_start + 1201 * second;
    CHECK_FALSE(finds(hours.log, "replaced_unread"));  // once a minute may be needed
    const auto made_of_state = [&](std::uint64_t held, std::string_view libraries) {
        Synthetic made = log_with(20, second);
        Process& process = made.log.rows<Process>().front();
        process.libraries = libraries;
        process.cpu_time = 100 * second;
        made.log.rows<PosixRecord>().front().held_time = held;
        return made;
    };
    CHECK(cost_of(made_of_state(21 * second, "libc libpython3").log, "replaced_unread") == Approx(0.95 * 21));
    CHECK_FALSE(finds(made_of_state(21 * second, "libc").log, "replaced_unread"));
}

TEST_CASE("small requests: SQLite writes pages, whatever it is given")
{
    const auto log_with = [](std::string_view path) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file(path), 0, Direction::write, 10'000, 4096, ms);
        return made;
    };
    CHECK(finds(log_with("/a.dat").log, "small_requests"));
    CHECK_FALSE(finds(log_with("/a.sqlite").log, "small_requests"));
    CHECK_FALSE(finds(log_with("/a.db-wal").log, "small_requests"));
    CHECK(finds(log_with("/a-wal").log, "small_requests"));
}

TEST_CASE("small requests: what goes to the same few bytes again and again is kept in memory")
{
    const auto log_with = [](std::uint64_t extent) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/state"), 0, Direction::write, 20'000, 8, 500 * us);
        row.creates = 1;
        row.consecutive_writes = 0;
        row.highest_written = extent;
        row.bytes_read = row.bytes_written;  // else it is written again
        row.reads = 1;
        return made;
    };
    CHECK_THAT(finding_of(log_with(4095).log, "small_requests").advice.front().text,
               Contains("the same few bytes"));
    CHECK_FALSE(finds(log_with(4095).log, "random_access"));
    CHECK(finds(log_with(4096).log, "random_access"));
}
