// How far the clocks of nodes are apart, by the moment at which all ranks met.
#include "analyzer/job/node_clocks.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

namespace fathom {
namespace {

using testing::job_start, testing::second;
constexpr std::uint64_t ms = 1'000'000;

struct Met {
    std::string_view host;
    std::uint64_t after, error;
};

testing::Synthetic job_of(const std::vector<Met>& ranks)
{
    testing::Synthetic made;
    for (const Met& one : ranks) {
        made.process(static_cast<std::int64_t>(made.log.rows<Process>().size()), one.host);
        made.log.rows<Process>().back().met = job_start + one.after;
        made.log.rows<Process>().back().met_error = one.error;
    }
    return made;
}

}  // namespace

TEST_CASE("clocks of nodes are compared by the moment that all ranks have in common")
{
    // On node1 the intervals 0..4 s and 3..5 s overlap in 3..4 s; on node2 the moment was at 9 s, exactly.
    const testing::Synthetic made =
        job_of({{"node1", 2 * second, 2 * second}, {"node1", 4 * second, second}, {"node2", 9 * second, 0}});
    const NodeClocks clocks = node_clocks_of(Job(made.log));
    REQUIRE(clocks.known());
    CHECK(clocks.first == "node2");
    CHECK(clocks.last == "node1");
    CHECK(clocks.apart == 5'500 * ms);
    CHECK(clocks.error == 500 * ms);
    CHECK(clocks.surely() == 5 * second);
}

TEST_CASE("clocks are not compared where the log does not say")
{
    CHECK_FALSE(node_clocks_of(Job(job_of({{"node1", 0, 1}, {"node1", 1, 1}}).log)).known());
    testing::Synthetic merged = job_of({{"node1", 0, 1}, {"node2", second, 1}});
    CHECK(node_clocks_of(Job(merged.log)).known());
    merged.log.add_fact("merged", "a");
    CHECK_FALSE(node_clocks_of(Job(merged.log)).known());
    // Two launches, one after the other.
    const testing::Synthetic two =
        job_of({{"node1", 0, 1}, {"node2", 0, 1}, {"node1", second, 1}, {"node2", second, 1}});
    CHECK_FALSE(node_clocks_of(Job(two.log)).known());
    testing::Synthetic alone = job_of({{"node1", 0, 1}, {"node2", 0, 1}});
    alone.log.rows<Process>().back().met = 0;
    CHECK_FALSE(node_clocks_of(Job(alone.log)).known());
}

TEST_CASE("a report warns of clocks that are further apart than time bins are long")
{
    testing::Synthetic made = job_of({{"node1", 0, ms}, {"node2", 5 * second, ms}});
    Slice slice;
    slice.start = job_start;
    slice.length = 10 * ms;
    made.log.rows<Slice>().push_back(slice);
    CHECK(testing::report_text(made.log).find(
              "The clocks of the nodes are 5.00 s apart, give or take 2.00 ms; node2 "
              "is ahead of node1.") != std::string::npos);
    made.log.rows<Slice>().back().length = 5 * second;
    const std::string text = testing::report_text(made.log);
    CHECK(text.find("The clocks of the nodes") == std::string::npos);
    CHECK(text.find("give or take 2.00 ms; node2 is ahead of node1") != std::string::npos);
}

}  // namespace fathom
