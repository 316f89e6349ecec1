// Runs laid side by side where one log, or both, are of another tool: only what both tell is compared.
#include <catch2/catch.hpp>

#include "analyzer/compare/comparison.h"
#include "analyzer/document/renderers/text/text.h"
#include "tests/analyzer/imported.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Four ranks, a shared file of 400 MiB, written in so many seconds of all ranks together.
Imported shared_in(std::uint64_t seconds)
{
    Imported made(4);
    made.log.add_fact("command", "./app");
    made.shared<PosixRecord>(made.file("/out/shared"),
                             {.all = {.bytes_written = 400 * mib, .write_time = seconds * second},
                              .slowest = {2, seconds * second / 2, 100 * mib},
                              .fastest = {1, seconds * second / 8, 100 * mib}});
    return made;
}

// The same by our own recorder.
Synthetic ours(std::uint64_t seconds)
{
    Synthetic made;
    made.ranks(4);
    made.log.add_fact("command", "./app");
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.io<PosixRecord>(made.file("/out/" + std::to_string(rank)), rank,
                             {.bytes_written = 100 * mib, .write_time = seconds * second / 4});
    made.operations(Layer::posix, Kind::write, 5, {second, second});
    return made;
}

std::string compared_text(const Log& before, const Log& after)
{
    const Job job_before(before), job_after(after);
    const Run runs[] = {Run(job_before, "before", true), Run(job_after, "after", true)};
    const auto earlier = std::span<const Run>(runs).first(1);
    const auto numbers = compare_metrics(earlier, runs[1], std::nullopt);
    return report::render_text(make_comparison(earlier, runs[1], numbers, {}), {.width = 400});
}

}  // namespace

TEST_CASE("two imported logs are compared by what both say, and the rest is named")
{
    const Imported before = shared_in(40), after = shared_in(80);
    const std::string text = compared_text(before.log, after.log);
    CHECK_THAT(text, Contains("These are logs of Darshan. Not compared"));
    CHECK_THAT(text, Contains("longest time in I/O") && Contains("nodes"));
    CHECK_THAT(text, Contains("How long the rank with most I/O spent in it is not known of both"));
    CHECK_THAT(text, Contains("slower writes"));
    CHECK_THAT(text, !Contains("slowest rank is"));  // further behind, or less
    CHECK_THAT(text, !Contains("unknown"));
}

TEST_CASE("sums over ranks that are not separated are compared in full")
{
    const Imported before = shared_in(40), after = shared_in(80);
    const Job job(before.log);
    const Run run(job, "x");
    CHECK(run.bytes_written == Approx(400.0 * mib));
    CHECK(run.writes.seconds == Approx(10));
    CHECK(run.mean_io == Approx(10));
    CHECK_FALSE(run.slowest_known);
    CHECK_FALSE(run.timed);
}

TEST_CASE("an imported log beside one of ours: what one of them lacks is no difference")
{
    const Synthetic before = ours(40);
    const Imported after = shared_in(40);
    const std::string text = compared_text(before.log, after.log);
    CHECK_THAT(text, Contains("One or more of the logs are of Darshan"));
    CHECK_THAT(text, Contains("before: Fathom"));
    CHECK_THAT(text, !Contains("different size"));
    CHECK_THAT(text, !Contains("fewer nodes") && !Contains("more nodes"));
}
