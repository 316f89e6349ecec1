// Which runs are of one kind.
#include "analyzer/history/kind.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/analyzer/history/made_history.h"

using namespace fathom::history;
using namespace fathom::testing;

TEST_CASE("history: runs of one kind agree in program, user, processes, files and bytes")
{
    const KindRun model = run_at(1, 0, 10);
    const auto alike = [&](auto change, const Match& match = {}) {
        KindRun other = model;
        change(other);
        return are_alike(model, other, match);
    };
    CHECK(alike([](KindRun&) {}));
    CHECK_FALSE(alike([](KindRun& run) { run.program = "lmp"; }));
    CHECK_FALSE(alike([](KindRun& run) { run.user = "bob"; }));
    CHECK_FALSE(alike([](KindRun& run) { run.processes = 63; }));
    CHECK_FALSE(alike([](KindRun& run) { run.files = {}; }));
    CHECK(alike([](KindRun& run) { run.user = "bob"; }, parse_match("program,processes")));
    CHECK(alike([](KindRun& run) { run.bytes_read *= 50; }, parse_match("program")));
    CHECK_FALSE(alike([](KindRun& run) { run.program = "lmp"; }, parse_match("program")));
    KindRun nothing = model, none = model;
    nothing.files = none.files = {};
    CHECK(are_alike(nothing, none, {}));
}

TEST_CASE("history: bytes differ by no more than the share of the larger number")
{
    KindRun one = run_at(1, 0, 1), other = one;
    one.bytes_read = 100'000'000;
    other.bytes_read = 99'000'000;
    CHECK(are_alike(one, other, {}));
    other.bytes_read = 98'999'999;
    CHECK_FALSE(are_alike(one, other, {}));
    other.bytes_read = 101'010'101;
    CHECK(are_alike(one, other, {}));
    other.bytes_read = 101'010'102;
    CHECK_FALSE(are_alike(one, other, {}));
    CHECK(are_alike(one, other, {.within = 0.02}));
    one.bytes_read = other.bytes_read = 0;
    CHECK(are_alike(one, other, {.within = 0}));
    other.bytes_read = 1;
    CHECK_FALSE(are_alike(one, other, {}));
}

TEST_CASE("history: every run is in one kind, in whatever order the runs come")
{
    std::vector<KindRun> runs;
    for (int at = 0; at < 30; ++at) {
        KindRun run = run_at(at + 1, at, 10);
        run.bytes_read = run.bytes_read / 1000 * (1000 + at % 3 * 30);  // three sizes, 3 % apart
        if (at % 2 == 1) run.user = "bob";
        runs.push_back(run);
    }
    const auto kinds = kinds_of(runs, {});
    CHECK(kinds.size() == 6);
    CHECK(kinds.front().newest().id == 30);
    std::size_t all = 0;
    for (const Kind& kind : kinds) {
        all += kind.runs.size();
        for (std::size_t at = 1; at < kind.runs.size(); ++at)
            CHECK(kind.runs[at - 1].start < kind.runs[at].start);
        for (const KindRun& run : kind.runs) CHECK(are_alike(kind.newest(), run, {}));
    }
    CHECK(all == runs.size());
    std::reverse(runs.begin(), runs.end());
    std::swap(runs[3], runs[17]);
    const auto again = kinds_of(runs, {});
    REQUIRE(again.size() == kinds.size());
    for (std::size_t at = 0; at < kinds.size(); ++at) CHECK(again[at].newest().id == kinds[at].newest().id);
    CHECK(kind_of(runs[0], runs, {}).runs.size() == 5);
    CHECK(kinds_of({}, {}).empty());
}

TEST_CASE("history: a match that names nothing known is refused with what there is")
{
    CHECK(words_of(Match()) == "program, user, processes, files, bytes read and written within 1 %");
    CHECK(words_of(parse_match("program,bytes", {.within = 0.05})) ==
          "program, bytes read and written within 5 %");
    CHECK(words_of(parse_match("")) == "nothing");
    CHECK_THROWS_WITH(parse_match("program,size"),
                      "--match size: runs can agree in these: program, user, processes, files, bytes");
    CHECK_THROWS_WITH(parse_match(",program"), Catch::Contains("--match ''"));
}
