// What Fortran's library spends on each statement.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// 100,000 statements that write 8 bytes each in 2 s, of which as many as given have a format and took a
// second.
Synthetic of_statements(std::uint64_t formatted = 0, std::uint64_t bytes = 800'000)
{
    Synthetic made;
    made.process(0);
    Process& one = made.log.rows<Process>().front();
    one.end = one.start + 10 * second;
    one.libraries = "libc libgfortran";
    one.fortran_statements = 100'000;
    one.fortran_time = 2 * second;
    one.fortran_formatted = formatted;
    one.fortran_formatted_time = formatted > 0 ? second : 0;
    one.fortran_source = "src/solver.f90";
    one.fortran_line = 12;
    one.fortran_line_statements = 60'000;
    one.fortran_line_time = second;
    made.io<PosixRecord>(made.file("/out/a"), 0, {.bytes_written = bytes, .write_time = ms});
    return made;
}

}  // namespace

TEST_CASE("small statements: what Fortran's library takes for short records, and the line with most of it")
{
    const report::Finding one = finding_of(of_statements().log, "small_statements");
    CHECK(one.title ==
          "100,000 read and write statements of Fortran, 8 B each on average, most time at solver.f90:12");
    CHECK(cost_of(one) == Approx(2).epsilon(0.001));
    CHECK_THAT(numbers_of(one), Contains("solver.f90:12"));
    CHECK_THAT(lines_of(one), Contains("write(unit) array"));
    // A format takes as long in one statement.
    CHECK(cost_of(of_statements(50'000).log, "small_statements") == Approx(1).epsilon(0.001));
    CHECK_FALSE(finds(of_statements(90'000).log, "small_statements"));
    CHECK_FALSE(finds(of_statements(0, 300'000'000).log, "small_statements"));
}

TEST_CASE("redundant reads: text that ranks read again costs what Fortran's statements took for it")
{
    const auto log_with = [](std::uint64_t formatted_time) {
        Synthetic made;
        made.ranks(2);
        const std::uint64_t file = made.file("/thermo.dat");
        for (Process& process : made.log.rows<Process>()) {
            process.program = "/home/user/reactor";
            process.libraries = "libc libgfortran";
            process.end = process.start + 20 * second;
            process.fortran_formatted = process.fortran_statements = 100'000;
            process.fortran_formatted_time = process.fortran_time = formatted_time;
        }
        PosixRecord& row =
            made.reduced_io<PosixRecord>(file, 2, 2, 0, {.bytes_read = 80 * mib, .read_time = 200 * ms});
        row.reads = 10'000;
        row.highest_read = mib / 8;
        for (std::int64_t rank = 0; rank < 2; ++rank)
            made.total(rank, Layer::posix, Scope::direct, {.bytes_read = 40 * mib, .read_time = 100 * ms});
        return made;
    };
    CHECK(cost_of(log_with(8 * second).log, "redundant_reads") == Approx(8).epsilon(0.05));
    CHECK_FALSE(finds(log_with(200 * ms).log, "redundant_reads"));
}

TEST_CASE("text: no more is spent on it than Fortran's statements took")
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.program = "/home/user/app";
    process.libraries = "libc libgfortran";
    process.cpu_time = 9 * second;
    process.end = process.start + 10 * second;
    const std::uint64_t file = made.file("/restart.txt");
    PosixRecord& row = calls(made, file, 0, Direction::write, 10'000, 8 << 10, us);
    row.bytes_read = row.bytes_written;
    row.held_time = 8 * second;
    CHECK(cost_of(made.log, "text_data") > 4);
    process.fortran_formatted = process.fortran_statements = 100;
    process.fortran_formatted_time = process.fortran_time = 3 * second;
    CHECK(cost_of(made.log, "text_data") == Approx(3).epsilon(0.05));
}
