// Numbers that go through files as text, and text that is read again.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Text {
    std::string_view path = "/restart", libraries = "libc libgfortran";
    std::uint64_t written = 64 * mib, read = 64 * mib, opens = 2;
    std::uint64_t size = 8192, held = 5 * second;
    std::string_view program = "/home/user/app";
    std::uint64_t looks = 0, number_looks = 0;
    std::int64_t rank = -1;
};

Synthetic log_with(const Text& text)
{
    Synthetic made;
    made.process(text.rank);
    Process& process = made.log.rows<Process>().front();
    process.program = text.program;
    process.libraries = text.libraries;
    process.cpu_time = 90 * second;
    process.end = job_start + 20 * second;
    PosixRecord& row =
        calls(made, made.file(text.path), 0, Direction::write, text.written / text.size, text.size, us);
    row.bytes_read = text.read;
    row.reads = text.read / text.size;
    row.opens = text.opens;
    row.held_time = text.held;
    row.looks = row.text_looks = text.looks;
    row.number_looks = text.number_looks;
    return made;
}

bool found(const Text& text)
{
    return finds(log_with(text).log, "text_data");
}

}  // namespace

TEST_CASE("text that Fortran writes into many files counts together, for no more than its statements took")
{
    const auto log_with_files = [](std::uint64_t each) {
        Synthetic made = log_with({.path = "/out.0", .written = each, .read = 0, .opens = 1});
        for (const std::string_view path : {"/out.1", "/out.2", "/out.3"})
            calls(made, made.file(path), 0, Direction::write, each / 8192, 8192, us).opens = 1;
        Process& process = made.log.rows<Process>().front();
        process.fortran_statements = process.fortran_formatted = 100'000;
        process.fortran_time = process.fortran_formatted_time = 2 * second;
        return made;
    };
    const report::Finding one = finding_of(log_with_files(8 * mib).log, "text_data");
    CHECK(one.title == "32 MiB of numbers are written to 4 files as text");
    CHECK(cost_of(one) == Approx(2).epsilon(1e-3));  // the calls beneath are in their time
    CHECK(one.confidence == report::Confidence::low);
    CHECK_FALSE(finds(log_with_files(7 * mib).log, "text_data"));
}

TEST_CASE("text: at most all that was computed while its files were open")
{
    const report::Finding one = finding_of(log_with({}).log, "text_data");
    CHECK(one.title == "128 MiB of numbers pass through a file as text");
    CHECK(cost_of(one) == Approx(5).epsilon(0.01));
    CHECK(one.cost_least < 0.01);
    CHECK(one.confidence == report::Confidence::medium);
    CHECK_THAT(lines_of(one), Contains("unformatted"));
    CHECK_FALSE(finds(log_with({}).log, "small_requests"));
    // 10 to 100 ns a byte; what takes longer is the program's own.
    CHECK_FALSE(found({.held = second}));
    CHECK(found({.held = 13 * second}));
    CHECK_FALSE(found({.held = 14 * second}));
    CHECK(found({.path = "/t.csv",
                 .libraries = "libc libpython3",
                 .held = 14 * second,
                 .program = "/usr/bin/python3"}));
}

TEST_CASE("text: read back, or dumped by Fortran four times and more")
{
    CHECK(found({.written = 4 * mib, .read = 4 * mib, .held = 820 * ms}));
    CHECK_FALSE(found({.written = 4 * mib - 8192, .read = 4 * mib - 8192, .held = 820 * ms}));
    CHECK(found({.path = "/restart.txt", .libraries = "libc", .read = 52 * mib}));
    CHECK_FALSE(found({.path = "/restart.txt", .libraries = "libc", .read = 51 * mib}));
    CHECK(finding_of(log_with({.read = 0, .opens = 4, .held = 3 * second}).log, "text_data").confidence ==
          report::Confidence::low);
    // Or so much that nobody reads it.
    CHECK(found({.written = 32 * mib, .read = 0, .opens = 3, .held = 2 * second}));
    CHECK_FALSE(found({.written = 32 * mib - 8192, .read = 0, .opens = 3, .held = 2 * second}));
    CHECK_THAT(finding_of(log_with({.read = 0, .held = 3 * second}).log, "text_data").title,
               Contains("of numbers are written to a file as text"));
    CHECK_FALSE(found({.size = 128 << 10}));
    CHECK_FALSE(found({.libraries = "libc"}));
    CHECK(found({.path = "/restart.txt", .libraries = "libc"}));
    CHECK_FALSE(found({.path = "/restart.json", .libraries = "libc"}));
    CHECK_FALSE(found({.path = "/restart.txt", .libraries = "libc", .program = "/usr/bin/sort"}));
    Synthetic streamed;
    streamed.process(-1);
    streamed.log.rows<Process>().front().libraries = "libc";
    streamed.log.rows<Process>().front().cpu_time = 90 * second;
    StdioRecord& stream = streamed.io<StdioRecord>(streamed.file("/t.csv"), 0,
                                                   {.bytes_read = 64 * mib, .bytes_written = 64 * mib});
    stream.held_time = 5 * second;
    CHECK(cost_of(streamed.log, "text_data") == Approx(5));
    Synthetic printed = log_with({.libraries = "libc"});
    StdioRecord& row = printed.io<StdioRecord>(printed.log.rows<PosixRecord>().front().file, 0, {});
    row.writes = 1000;
    row.formatted = 501;
    CHECK(finds(printed.log, "text_data"));
    printed.log.rows<StdioRecord>().back().formatted = 500;
    CHECK_FALSE(finds(printed.log, "text_data"));
}

TEST_CASE("text: numbers of compiled programs, by a sample of what they write and read, in one pass as well")
{
    const Text dump{.path = "/dump",
                    .libraries = "libc",
                    .written = 64 * mib,
                    .read = 0,
                    .held = 19 * second,
                    .looks = 9,
                    .number_looks = 5};
    const report::Finding one = finding_of(log_with(dump).log, "text_data");
    CHECK(one.title == "64 MiB of numbers are written to a file as text");
    // 40 and 6 ns a byte, however long the file is open.
    CHECK(cost_of(one) == Approx(0.040 * 64 * 1.048576 + 0.008).epsilon(0.01));
    CHECK(*one.cost_least == Approx(0.006 * 64 * 1.048576 + 0.004).epsilon(0.01));
    CHECK(one.confidence == report::Confidence::low);
    // What takes no longer than text may take is nearly all for it.
    Text quick = dump;
    quick.held = second;
    CHECK(*finding_of(log_with(quick).log, "text_data").cost_least == Approx(0.6).epsilon(0.02));
    Text script = dump;
    script.program = "/usr/bin/python3";
    script.held = 5 * second;
    CHECK(*finding_of(log_with(script).log, "text_data").cost_least == Approx(0.75 * 5).epsilon(0.02));
    const auto with = [&](auto change) {
        Text other = dump;
        change(other);
        return found(other);
    };
    CHECK_FALSE(with([](Text& of) { of.number_looks = 4; }));
    CHECK_FALSE(with([](Text& of) { of.looks = of.number_looks = 2; }));
    CHECK(with([](Text& of) { of.written = 40 * mib; }));
    CHECK_FALSE(with([](Text& of) { of.written = 32 * mib - 8192; }));
    CHECK_FALSE(with([](Text& of) { of.held = 60 * ms; }));  // as quick as a copy
    // Scripts, and tools that pass text on, which simulations are not.
    CHECK_FALSE(with([](Text& of) { of.program = "/usr/bin/perl"; }));
    CHECK_FALSE(with([](Text& of) { of.program = "/usr/bin/sort"; }));
    CHECK(with([](Text& of) { of.program = "/usr/bin/lmp", of.rank = 0; }));
    Text input = dump;
    input.written = 0, input.read = 64 * mib;
    CHECK(finding_of(log_with(input).log, "text_data").title ==
          "64 MiB of numbers are read from a file as text");
}

TEST_CASE("text: less is enough where it is much of the run, and comes from all ranks or in bursts")
{
    const auto dumps = [](std::uint64_t written, std::uint64_t statements, std::uint64_t apart) {
        Synthetic made = log_with({.written = written, .read = 0, .opens = 1});
        Process& process = made.log.rows<Process>().front();
        process.fortran_statements = process.fortran_formatted = 100'000;
        process.fortran_time = process.fortran_formatted_time = statements;
        process.end = job_start + 4 * second;
        for (const std::uint64_t at : {0UL, apart, 2 * apart})
            made.slice(0, Layer::posix, at, second / 4, {.bytes_written = written / 3, .write_time = ms});
        return made;
    };
    const report::Finding one = finding_of(dumps(4 * mib, 410 * ms, 4).log, "text_data");
    CHECK(one.title == "4 MiB of numbers are written to a file as text");
    CHECK(cost_of(one) == Approx(0.41).epsilon(0.01));
    CHECK(*one.cost_least == Approx(0.287).epsilon(0.01));  // seven tenths of what is measured, at least
    CHECK_FALSE(finds(dumps(4 * mib - 8192, 410 * ms, 4).log, "text_data"));
    CHECK_FALSE(finds(dumps(4 * mib, 390 * ms, 4).log, "text_data"));  // less than a tenth of the run
    CHECK_FALSE(finds(dumps(4 * mib, 410 * ms, 1).log, "text_data"));  // evenly, as a protocol is
}

TEST_CASE("text: a file that one rank takes apart for all, or all for themselves")
{
    const auto read_by = [](std::int64_t readers) {
        Synthetic made;
        made.ranks(4);
        const std::uint64_t file = made.file("/table");
        for (std::int64_t rank = 0; rank < readers; ++rank) {
            PosixRecord& row = calls(made, file, rank, Direction::read, 64, mib, ms);
            row.held_time = 60 * second;
            row.highest_read = 64 * mib;
            row.looks = 9;
            row.text_looks = row.number_looks = 9;
        }
        for (Process& process : made.log.rows<Process>()) {
            process.libraries = "libc";
            process.cpu_time = 90 * second;
            process.end = job_start + 4 * second;
        }
        return finding_of(made.log, "text_data");
    };
    const report::Finding one = read_by(1), all = read_by(4);
    CHECK_THAT(one.title, Contains("from a file as text, by one of 4 ranks"));
    CHECK_THAT(one.advice.back().text, Contains("each rank take a part"));
    CHECK_THAT(lines_of(one), Contains("fread(array") && !Contains("fwrite"));
    CHECK_THAT(all.title, Contains("from a file as text, the same by 4 ranks"));
    CHECK_THAT(all.advice.front().text, Contains("MPI_Bcast"));
}

TEST_CASE("redundant reads: text that Fortran, or a stream of C++, reads again is taken apart again")
{
    const auto cost_with = [](std::string_view libraries, std::uint64_t held, bool by_stream,
                              std::string_view path) {
        Synthetic made;
        made.process(-1);
        Process& process = made.log.rows<Process>().front();
        process.libraries = libraries;
        process.cpu_time = 90 * second;
        PosixRecord& row = calls(made, made.file(path), 0, Direction::read, 100'000, 8192, us);
        row.highest_read = 8192 * 1000;
        row.opens = by_stream ? 0 : 1;
        row.held_time = by_stream ? 0 : held;
        if (by_stream) made.io<StdioRecord>(row.file, 0, {}).held_time = held;
        return finds(made.log, "redundant_reads") ? cost_of(made.log, "redundant_reads") : 0;
    };
    // No more than 100 ns a byte of Fortran, whose file may be open all the time.
    CHECK(cost_with("libc libgfortran", 80 * second, false, "/forcing") == Approx(80).epsilon(0.05));
    CHECK(cost_with("libc libgfortran", 99 * second, false, "/forcing") == Approx(81.1).epsilon(0.05));
    CHECK(cost_with("libc", 50 * second, false, "/forcing") < 1);
    CHECK(cost_with("libc libstdc++", 50 * second, true, "/eos.txt") == Approx(50).epsilon(0.05));
}

TEST_CASE(
    "text that is only read is a fault where a quarter of the run takes it apart, and explains no other")
{
    Text input{.path = "/input",
               .libraries = "libc",
               .written = 0,
               .read = 16 * mib,
               .held = 10 * second,
               .looks = 9,
               .number_looks = 9};
    const auto with_run = [&](std::uint64_t run) {
        Synthetic made = log_with(input);
        made.log.rows<Process>().front().end = job_start + run;
        return made;
    };
    // 25 ns a byte.
    const double taken = 0.025 * 16 * 1.048576;
    const report::Finding one = finding_of(with_run(second).log, "text_data");
    CHECK(cost_of(one) == Approx(taken).epsilon(0.01));
    CHECK_THAT(one.doubt, Contains("converted once"));
    CHECK(finds(with_run(static_cast<std::uint64_t>(taken * 3.9e9)).log, "text_data"));
    CHECK_FALSE(finds(with_run(static_cast<std::uint64_t>(taken * 4.1e9)).log, "text_data"));
    input.read = 2 * mib - 8192;
    CHECK_FALSE(finds(with_run(100 * ms).log, "text_data"));
}

namespace {

// One of two ranks reads or writes so much text of two files, and computes while it has them open.
Synthetic text_of_one_rank(Direction direction, std::uint64_t bytes, std::uint64_t held, double text = 1,
                           std::uint64_t files = 2)
{
    Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) {
        process.libraries = "libc";
        process.cpu_time = 90 * second;
        process.end = job_start + 3 * second;
    }
    for (std::uint64_t at = 0; at < files; ++at) {
        PosixRecord& row = calls(made, made.file("/data" + std::to_string(at)), 0, direction,
                                 bytes / files / (128 << 10), 128 << 10, 10 * us);
        row.held_time = held / files;
        row.looks = 10;
        row.text_looks = static_cast<std::uint64_t>(10 * text);
    }
    return made;
}

}  // namespace

TEST_CASE("single process: one rank that takes text apart for all, or makes it")
{
    const report::Finding one =
        finding_of(text_of_one_rank(Direction::read, 64 * mib, 2 * second).log, "single_process");
    CHECK(one.title == "One of 2 ranks reads for all of them");
    // Half of 25 ns a byte, of its calls, and of passing the data on.
    const double computed = 0.025 * 64 * 1.048576, in_calls = 512 * 10e-6;
    CHECK(cost_of(one) == Approx((computed + in_calls + 64.0 / 1024) / 2).epsilon(0.01));
    CHECK_THAT(numbers_of(one), Contains("between its reads"));
    CHECK_THAT(one.advice.front().text, Contains("Deal files out by their lengths"));
    const auto found = [](std::uint64_t bytes) {
        Synthetic made = text_of_one_rank(Direction::read, bytes, 2 * second);
        for (Process& process : made.log.rows<Process>()) process.end = job_start + second;
        return finds(made.log, "single_process");
    };
    CHECK(found(8 * mib));
    CHECK_FALSE(found(4 * mib - (256 << 10)));
    CHECK_FALSE(finds(text_of_one_rank(Direction::read, 64 * mib, 2 * second, 0).log, "single_process"));
    // One input that all need.
    CHECK_FALSE(finds(text_of_one_rank(Direction::read, 64 * mib, 2 * second, 1, 1).log, "single_process"));
    CHECK_THAT(numbers_of(finding_of(text_of_one_rank(Direction::write, 64 * mib, 2 * second).log,
                                     "single_process")),
               Contains("between its writes"));
}

TEST_CASE(
    "single process: what one rank compresses for all, before it opens the file or while it has it open")
{
    const auto compressed = [](std::uint64_t held, std::string_view path = "/field.gz") {
        Synthetic made;
        made.ranks(4);
        for (Process& process : made.log.rows<Process>()) {
            process.cpu_time = 90 * second;
            process.end = job_start + 20 * second;
        }
        calls(made, made.file(path), 0, Direction::write, 16, mib, us).held_time = held;
        return made;
    };
    const report::Finding one = finding_of(compressed(8 * second).log, "single_process");
    CHECK(cost_of(one) == Approx(0.75 * (8 + 16.0 / 1024)).epsilon(0.01));
    CHECK(one.confidence == report::Confidence::low);
    CHECK_THAT(one.advice.front().text, Contains("compress its own part"));
    // 100 ns a byte, and no more than 2 us: what takes longer is the program's own.
    CHECK(cost_of(compressed(0).log, "single_process") ==
          Approx(0.75 * (1.6 * 1.048576 + 16.0 / 1024)).epsilon(0.01));
    CHECK_FALSE(finds(compressed(40 * second).log, "single_process"));
    CHECK_FALSE(finds(compressed(8 * second, "/field").log, "single_process"));
}

TEST_CASE("byte imbalance: at most also the work on what the rank with most reads")
{
    const auto log_with = [](std::uint64_t held) {
        Synthetic made;
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            Process& process = made.log.rows<Process>()[static_cast<std::size_t>(rank)];
            process.libraries = "libc";
            process.cpu_time = 90 * second;
            calls(made, made.file("/part" + std::to_string(rank)), rank, Direction::read,
                  rank == 0 ? 192 : 64, mib, ms)
                .held_time = rank == 0 ? held : second;
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(13 * second).log, "byte_imbalance");
    // A third of the calls, and of the work.
    CHECK(*one.cost_least == Approx(0.192 / 3).epsilon(0.01));
    CHECK(cost_of(one) == Approx((0.192 + 13 - 0.192) / 3).epsilon(0.01));
    CHECK_FALSE(finds(log_with(30 * second).log, "byte_imbalance"));  // more than 100 ns a byte is its own
}
