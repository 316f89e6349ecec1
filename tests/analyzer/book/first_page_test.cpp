// The first page: what its verdict says, whom it names, and that it fits.
#include "analyzer/document/first_page.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "analyzer/book/book.h"
#include "analyzer/book/verdict.h"
#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/job/who.h"
#include "tests/analyzer/datasets.h"
#include "tests/analyzer/document/sample_document.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using report::Confidence;
using report::Finding;

namespace {

Finding finding(std::string title, double cost, Confidence confidence)
{
    return {.id = "x",
            .title = std::move(title),
            .cost = report::seconds(cost),
            .cost_basis = "",
            .confidence = confidence,
            .evidence = {},
            .why = "",
            .doubt = "",
            .advice = {{"Do this. Then that."}}};
}

// A rank that runs for 100 s, with so many in writes.
Synthetic writing_for(double time)
{
    Synthetic made;
    made.ranks(1);
    made.io<PosixRecord>(made.file("/data/a"), 0,
                         {.bytes_written = mib, .write_time = static_cast<std::uint64_t>(time * 1e9)});
    return made;
}

std::string verdict(const Synthetic& made, const std::vector<Finding>& findings, const std::string& part = "")
{
    const Job job(made.log);
    return verdict_of(job, time_use_of(job), findings, part);
}

}  // namespace

TEST_CASE("the verdict says how much of the run was I/O, and names the cause that stands out")
{
    const Synthetic half = writing_for(50);
    CHECK(verdict(half, {finding("Small writes", 9, Confidence::high)}) ==
          "I/O took 50.0 s of 100 s (50 %). One cause is known, about 9.00 s: Small writes.");
    CHECK_THAT(verdict(half, {finding("Small writes", 9, Confidence::high),
                              finding("Many files", 4, Confidence::high)}),
               Contains("Most of what can be saved has one cause, about 9.00 s: Small writes."));
    CHECK_THAT(verdict(half, {finding("Small writes", 9, Confidence::high),
                              finding("Many files", 8, Confidence::high)}),
               Contains("The costliest of 2 causes, about 9.00 s: Small writes."));
    CHECK_THAT(verdict(half, {finding("Small writes", 9, Confidence::low)}),
               Contains("A possible cause, about 9.00 s, with low confidence: Small writes."));
    CHECK_THAT(verdict(half, {finding("Small writes", 9, Confidence::high)}, "The largest part is syncs."),
               Contains("about 9.00 s: Small writes. The largest part is syncs."));
    CHECK(
        verdict(half, {}, "The largest part is writes.") ==
        "I/O took 50.0 s of 100 s (50 %). No known problem cost 4 % of the run or more. The largest part is "
        "writes.");
}

TEST_CASE(
    "the verdict says what HDF5 spent itself, which is in no I/O call, where it is 2 % of the run or more")
{
    DatasetLog made(1);
    made.io<PosixRecord>(made.container, 0, {.bytes_written = mib, .write_time = 2 * second});
    DatasetRecord& row = made.dataset("/u", 0);
    add_writes(row, 1000, 1024, 12 * second);
    add_posix_writes(row, 1000, 1024, 2 * second);
    CHECK_THAT(verdict(made, {}),
               StartsWith("I/O took 2.00 s of 100 s (2 %); HDF5 itself took another 10.0 s."));
    row.library = static_cast<std::uint64_t>(DataLibrary::pnetcdf);
    CHECK_THAT(verdict(made, {}), Contains("; PnetCDF itself took another 10.0 s."));
    row.write_time = 4 * second - 1;
    CHECK_THAT(verdict(made, {}), !Contains("HDF5"));
}

TEST_CASE("the verdict says what Fortran's statements took beside the calls beneath them")
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/a"), 0, {.bytes_written = mib, .write_time = second / 2});
    Process& process = made.log.rows<Process>().front();
    process.fortran_time = 20 * second + second / 2;
    CHECK_THAT(verdict(made, {}), StartsWith("I/O took 500 ms of 100 s (0.5 %); Fortran's read and write "
                                             "statements took another 20.0 s. No known problem"));
    process.fortran_time = 2 * second + second / 2 - 1;
    CHECK_THAT(verdict(made, {}), !Contains("Fortran") && Contains("not what made this run slow"));
}

TEST_CASE("the verdict names the rank that the others wait for, and times that cannot be right")
{
    Synthetic made;
    made.ranks(4);
    made.io<PosixRecord>(made.file("/data/a"), 2, {.bytes_written = mib, .write_time = 40 * second});
    CHECK_THAT(
        verdict(made, {}),
        Contains("I/O took 10.0 s of the 100 s that a rank ran (10 %) in the mean, and 40.0 s on rank 2."));
    made.log.rows<Totals>()[0].write_time = 900 * second;
    CHECK(verdict(made, {finding("Small writes", 9, Confidence::low)}) ==
          "The log has 15 min 00 s in I/O for a run of 400 s: times in it cannot be right.");
}

TEST_CASE("the verdict does not blame I/O that took next to nothing, nor I/O that was not")
{
    CHECK(verdict(writing_for(1), {}) ==
          "I/O took 1.00 s of 100 s (1 %): these calls are not what made this run slow.");
    Synthetic none;
    none.ranks(2);
    CHECK(verdict(none, {}) == "The program did no I/O on files.");
    none.log.add_fact("excluded", "/usr");
    CHECK(verdict(none, {}) ==
          "The program did no I/O on files outside of the system's folders (/usr, /etc and the like).");
    CHECK_THAT(verdict(Synthetic(), {}), Contains("The log has no process"));
}

TEST_CASE("the verdict acquits no program whose calls nobody saw")
{
    Synthetic none;
    none.process(-1);
    CHECK_THAT(verdict(none, {}), Contains("did no I/O on files"));
    none.log.rows<Process>().front().program = "/usr/bin/restic";
    none.log.rows<Process>().front().libraries = "go";
    CHECK(
        verdict(none, {}) ==
        "restic is written in Go, whose programs make system calls of their own: their I/O is not recorded.");
    Synthetic little = writing_for(0.1);
    CHECK_THAT(verdict(little, {}), Contains("these calls are not what made this run slow"));
    little.log.add_fact("not_recorded", "postgres");
    CHECK_THAT(verdict(little, {}), Contains("what they did is not known") && !Contains("not what made"));
    Synthetic php = writing_for(0.1);
    php.log.rows<Process>().front().program = "/usr/bin/php8.2";
    CHECK_THAT(verdict(php, {}), EndsWith("What PHP's extensions did is not known (below)."));
}

TEST_CASE("the verdict says no more than the log knows: of streams, of threads, of short runs")
{
    Synthetic piped;
    piped.process(-1);
    piped.total(0, Layer::posix, Scope::streams, {.bytes_read = 3 * mib, .bytes_written = mib});
    CHECK(verdict(piped, {}) ==
          "The program did no I/O on files; 4 MiB went through standard streams, pipes and devices.");
    CHECK_THAT(verdict(piped, {finding("Small messages", 9, Confidence::medium)}),
               Contains("pipes and devices. One cause is known, about 9.00 s: Small messages."));
    Synthetic threads = writing_for(250);
    threads.log.rows<Process>()[0].threads = 8;
    CHECK(verdict(threads, {}) == "Threads did I/O side by side: 250 s in all, in a run of 100 s.");
    Synthetic brief = writing_for(0.5);
    brief.log.rows<Process>()[0].end = job_start + second;
    CHECK_THAT(verdict(brief, {}), Contains("(50 %). No known problem cost 10 % of the run or more."));
}

TEST_CASE("bytes whose time nobody saw have no rate but that of the clock, and a warning")
{
    Synthetic made = writing_for(0.001);
    PosixRecord& record = made.log.rows<PosixRecord>().front();
    record.writes = record.async_writes = record.async_unseen = 100;
    made.burst(0, 0, 10);
    const auto first = make_report(Job(made.log), {.brief = true}).first;
    CHECK_THAT(first->verdict, !Contains("not what made this run slow"));
    CHECK_THAT(first->notes.front().text, Contains("100 reads and writes went through rings of io_uring"));
    for (const report::KeyNumber& one : first->numbers) CHECK(one.rate.empty());
    CHECK(first->numbers[2].label == "rate by the clock");
}

TEST_CASE("a process that exec replaced is no process of its own")
{
    Synthetic made;
    made.process(-1);
    made.process(-1);
    made.process(-1);
    made.log.rows<Process>()[1].ending = static_cast<std::uint64_t>(Ending::replaced);
    CHECK(processes_of(Job(made.log)) == 2);
}

TEST_CASE("the program is what did the work: rank 0's, or no shell and no launcher")
{
    Synthetic shell;
    shell.process(-1);
    shell.process(-1);
    shell.log.rows<Process>()[0].program = "/usr/bin/bash";
    shell.log.rows<Process>()[0].command = "bash run.sh";
    shell.log.rows<Process>()[1].program = "/usr/bin/sort";
    shell.log.add_fact("command", "/usr/bin/bash run.sh");
    CHECK(program_name_of(Job(shell.log)) == "sort");
    CHECK(command_of(Job(shell.log)) == "bash run.sh");
    Synthetic mpi;
    mpi.process(-1);
    mpi.process(0);
    mpi.log.rows<Process>()[0].program = "/usr/bin/orterun";
    mpi.log.rows<Process>()[1].command = "/home/user/app --steps 3";
    mpi.log.add_fact("command", "mpirun -np 1 /home/user/app --steps 3");
    CHECK(program_name_of(Job(mpi.log)) == "app");
    CHECK(command_of(Job(mpi.log)) == "app --steps 3");
    CHECK(program_name_of(Job(Synthetic().log)).empty());
}

TEST_CASE("the batch job has its step, but for the shells of Slurm")
{
    Synthetic made = writing_for(1);
    CHECK(batch_job_of(Job(made.log)).empty());
    made.log.add_fact("batch_system", "Slurm");
    made.log.add_fact("job_id", "4711");
    CHECK(batch_job_of(Job(made.log)) == "Slurm job 4711");
    made.log.add_fact("job_step", "0");
    CHECK(batch_job_of(Job(made.log)) == "Slurm job 4711.0");
}

TEST_CASE("the first page is 40 lines of 80 columns at most, with findings and warnings too")
{
    Log log = small_job();
    log.rows<Process>()[2].ending = static_cast<std::uint64_t>(Ending::killed);
    log.rows<Process>()[2].status = 9;
    log.problems.push_back("a block is damaged");
    const report::Document document = make_report(Job(log), {.brief = true});
    REQUIRE(document.first != nullptr);
    for (const report::Section& section : document.sections) CHECK_FALSE(is_shown(section));
    for (const std::size_t width : {80U, 100U}) {
        std::istringstream text(report::renderer_of_format("text")->render(document, {width, true}));
        std::size_t lines = 0;
        for (std::string line; std::getline(text, line); ++lines) CHECK(report::display_width(line) <= width);
        CHECK(lines <= 40);
    }
    CHECK_FALSE(document.first->all_well);
    CHECK(document.first->notes.size() == 2);
}

TEST_CASE("of long advice the first page has two lines, up to where a clause ends")
{
    report::FirstPage page;
    page.findings = {{.title = "Pieces",
                      .cost = "9 s",
                      .advice = "Collect what a rank moves, " + std::string(40, 'a') +
                                " by one call (a collective call for each "
                                "piece takes longer); a view takes more"}};
    report::Document document;
    document.first = std::make_shared<report::FirstPage>(page);
    std::ostringstream text;
    text << report::renderer_of_format("text")->render(document, {80, true});
    CHECK_THAT(text.str(), Contains("piece takes longer) …\n"));
}

TEST_CASE("the first page without its sections has what it has with them")
{
    const Log log = small_job();
    const auto brief = make_report(Job(log), {.brief = true}).first, whole = make_report(Job(log), {}).first;
    CHECK(brief->verdict == whole->verdict);
    CHECK(brief->findings_in_all == whole->findings_in_all);
    CHECK(brief->over_time.has_value() == whole->over_time.has_value());
    CHECK(brief->sizes.has_value() == whole->sizes.has_value());
    CHECK(brief->numbers.size() == 3);
}

TEST_CASE(
    "the first page draws what took most of the time, bytes or metadata calls, and of a few KiB nothing")
{
    const auto chart_of = [](std::uint64_t bytes, std::uint64_t metadata_time) {
        Synthetic made;
        made.ranks(2);
        made.total(1, Layer::posix, Scope::direct,
                   {.bytes_read = bytes, .read_time = 10 * second, .metadata_time = metadata_time});
        for (std::uint64_t at = 0; at < 50; ++at)
            made.slice(
                    1, Layer::posix, at, second,
                    {.bytes_read = bytes / 50, .read_time = second / 5, .metadata_time = metadata_time / 50})
                .metadata = 40;
        const auto page = make_report(Job(made.log), {.brief = true}).first;
        return (page->over_time ? page->over_time->id : "none") + ", " +
               (page->by_rank ? page->by_rank->id : "none");
    };
    CHECK(chart_of(mib, 9 * second) == "rate_over_time, bytes_by_rank_and_time");
    CHECK(chart_of(mib, 11 * second) == "metadata_over_time, time_by_rank_and_time");
    CHECK_THAT(chart_of(1000, 9 * second), StartsWith("none"));
}
