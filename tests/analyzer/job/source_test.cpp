// Logs of several tools: each is spoken of by its own name, and nothing is claimed that it cannot tell.
#include "analyzer/job/source.h"

#include <catch2/catch.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/job/job.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using Catch::Contains;

namespace {

// Two processes that wrote files of their own, told by this tool.
std::string report_of_source(std::string_view source)
{
    testing::Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) process.rank = -1;
    for (std::int64_t process = 0; process < 2; ++process)
        made.io<PosixRecord>(made.file(process == 0 ? "/out/a" : "/out/b"), process,
                             {.bytes_written = 1 << 20, .write_time = 1'000'000});
    if (!source.empty()) made.log.add_fact("source", source);
    for (const char* const column : {"mpiio.opens", "posix.file_alignment"})
        if (!source.empty()) made.log.mark_lacking(column);
    return report::render_text(make_report(Job(made.log), {}), {.width = 200});
}

}  // namespace

TEST_CASE("a source is a row: our own, those that are known, and one that takes nothing for granted")
{
    Log log;
    CHECK(source_of(log).own);
    CHECK(source_of(log).name == "Fathom");
    log.add_fact("source", "darshan");
    CHECK(source_of(log).name == "Darshan");
    CHECK(source_of(log).rate_formula == "agg_perf_by_slowest");
    Log other;
    other.add_fact("source", "strace");
    CHECK(source_of(other).name == "strace");
    CHECK_FALSE(source_of(other).shared_in_sum);
    Log unknown;
    unknown.add_fact("source", "recorder of tomorrow");
    CHECK_FALSE(source_of(unknown).own);
    CHECK(source_of(unknown).shared_in_sum);
    CHECK(source_of(unknown).rate_formula.empty());
}

TEST_CASE("a report speaks of the tool that made its log, and of no other")
{
    const std::string own = report_of_source(""), strace = report_of_source("strace"),
                      unknown = report_of_source("recorder of tomorrow");
    CHECK_THAT(own, Contains("no process initialised MPI") && Contains("MPI-IO was not used"));
    for (const std::string& text : {own, strace, unknown}) CHECK_THAT(text, !Contains("Darshan"));
    CHECK_THAT(strace, Contains("recorded by") && Contains("strace") && Contains("slows programs down"));
    CHECK_THAT(strace, !Contains("no process initialised MPI") && !Contains("MPI-IO was not used") &&
                           !Contains("no MPI ranks") && !Contains("agg_perf"));
    CHECK_THAT(unknown, Contains("another tool") && !Contains("agg_perf"));
}
