// Databases whose last run has a cause, and the sentence that says so.
#include "analyzer/slowdown/slowdown.h"

#include <catch2/catch.hpp>

#include "analyzer/sections/slowdown/slowdown.h"
#include "tests/analyzer/history/made_database.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Matchers::Contains;

namespace {

constexpr double usual = 100;

// 20 runs that take 100 s in I/O, give or take.
struct MadeRuns : MadeDatabase {
    MadeRuns()
    {
        std::mt19937_64 random(3);
        for (const double factor : noisy_factors(random, 20, {0.02, 0})) add(usual * factor);
    }
    jobs::Job& add(double io_seconds, double bytes = 1)
    {
        jobs::Job& job = run("wrf.exe", io_seconds);
        job.run = *job.slowest_time + 50 * second_ns;
        job.end = job.start + *job.run;
        job.bytes_read = 0;
        job.bytes_written = static_cast<jobs::Number>(bytes * static_cast<double>(jobs::Number{1} << 30));
        job.bytes = job.bytes_written;
        job.write_time = *job.slowest_time * 64;
        environment(job.id).striping = "4 servers, 1 MiB each";
        return job;
    }
    Slowdown last(const SystemLoad* load = nullptr) const
    {
        const Temporary folder;
        return slowdown::slowdown_of(*in(folder), runs.back().id, {}, load);
    }
};

}  // namespace

TEST_CASE("slower: a sentence with the seconds of each cause")
{
    MadeRuns made;
    made.add(150, 1.5);
    const Slowdown slowdown = made.last();
    CHECK(slowdown.state == Slowdown::State::slower);
    CHECK(slowdown.runs == 20);
    CHECK_THAT(slowdown.kind, Contains("program, user, processes"));
    const std::string sentence = sentence_on(slowdown);
    CHECK_THAT(sentence, Contains("Job 21 ran 5") && Contains(" longer than the median of 20 runs like it"));
    CHECK_THAT(sentence, Contains("because it wrote 1.5 times the bytes (1.50 GiB, usually 1 GiB)"));
}

TEST_CASE("slower: a run like the others is said to be one, with up to where that goes")
{
    MadeRuns made;
    made.add(100);
    const Slowdown slowdown = made.last();
    CHECK(slowdown.state == Slowdown::State::usual);
    CHECK(slowdown.parts.empty());
    CHECK_THAT(sentence_on(slowdown), Contains("took no longer than usual") && Contains("is usual."));
}

TEST_CASE("slower: what is new with a run is named where nothing else explains it")
{
    MadeRuns made;
    made.add(180);
    made.environments.back().striping = "1 server, 1 MiB each";
    const Slowdown slowdown = made.last();
    CHECK_THAT(
        sentence_on(slowdown),
        Contains("that came with files striped over: 1 server, 1 MiB each, before 4 servers, 1 MiB each"));
    MadeRuns unknown;
    unknown.add(180);
    CHECK_THAT(sentence_on(unknown.last()), Contains("as many writes took 1.8 times as long") &&
                                                Contains("the database does not know why"));
}

TEST_CASE("slower: a level that began some runs ago is compared with the one before")
{
    MadeRuns made;
    for (int at = 0; at < 10; ++at) {
        made.add(150 + at % 3);
        made.environments.back().striping = "1 server, 1 MiB each";
    }
    const Slowdown slowdown = made.last();
    CHECK(slowdown.state == Slowdown::State::since);
    CHECK(slowdown.since_runs == 10);
    CHECK_THAT(sentence_on(slowdown), Contains("the median of 20 runs like it before 2026-") &&
                                          Contains("as do the 10 runs since") &&
                                          Contains("striped over: 1 server"));
}

TEST_CASE("slower: two runs are no history, and without times nothing is said")
{
    MadeDatabase two;
    two.run("a", 10);
    two.run("a", 20);
    const Temporary folder;
    const auto database = two.in(folder);
    CHECK_THAT(sentence_on(slowdown::slowdown_of(*database, 2)),
               Contains("Two runs of its kind are no history"));
    MadeDatabase timeless;
    timeless.run("a", 10).slowest_time = {};
    CHECK_THAT(sentence_on(slowdown::slowdown_of(*timeless.in(folder, "b.db"), 1)),
               Contains("is not known."));
}

TEST_CASE("slower: a server that was ill, and storage that moved less than beside earlier runs")
{
    MadeRuns made;
    made.add(180);
    SystemLoad load;
    LoadGroup& group = load.groups.emplace_back();
    group.name = "OSTs of scratch";
    group.members = {{.name = "OST0001"}, {.name = "OST0002"}, {.name = "OST0003"}};
    load.ill.push_back({.group = 0, .member = 1, .share = 0.25, .lost = 75});
    CHECK_THAT(sentence_on(made.last(&load)),
               Contains("75.0 s because OST0002 served it at 25 % of the rate"));
    load.ill.clear();
    group.known = 180;
    group.written = 180 * 50e6;
    group.usual_rate = 100e6;
    group.usual_runs = 7;
    CHECK_THAT(
        sentence_on(made.last(&load)),
        Contains(
            "because OSTs of scratch moved 47.7 MiB/s for all, 95.4 MiB/s beside 7 earlier runs like it"));
    group.usual_runs = 2;  // no usual rate yet
    CHECK_THAT(sentence_on(made.last(&load)), Contains("the database does not know why"));
}
