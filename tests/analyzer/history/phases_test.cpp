// Phases from the database and from time bins; which are odd.
#include "analyzer/history/phases.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "analyzer/jobs/entry/bins.h"
#include "tests/analyzer/history/made_database.h"

using namespace fathom::history;
using namespace fathom::testing;

TEST_CASE("history: phases come from time bins where the database has no others")
{
    MadeDatabase made;
    const Number with_phases = made.run("a", 1).id, with_bins = made.run("a", 1).id,
                 without = made.run("a", 1).id;
    made.phases.push_back({with_phases, 5 * second_ns, 2 * second_ns, 100, 50});
    made.details.emplace_back().job = with_bins;
    made.details.back().bin_length = second_ns;
    const std::uint64_t first = 1'790'000'000;
    std::vector<fathom::jobs::Bin> bins;
    for (const std::uint64_t at : {0, 1, 2, 20, 21})
        bins.push_back({.number = first + at,
                        .bytes_read = 1 << 20,
                        .bytes_written = 1 << 20,
                        .readers = 1,
                        .writers = 1});
    made.details.back().bins = fathom::jobs::pack(bins);
    const Temporary folder;
    const auto database = made.in(folder);
    std::vector<KindRun> runs;
    for (const Number id : {without, with_bins, with_phases}) runs.push_back(run_at(id, 0, 1));
    const std::vector<const KindRun*> asked = {&runs[0], &runs[1], &runs[2]};
    const auto found = phases_of(*database, asked);
    CHECK(found[0].empty());
    REQUIRE(found[1].size() == 2);
    CHECK(found[1][0].start == static_cast<Number>(first) * second_ns);
    CHECK(found[1][0].seconds == 3);
    CHECK(found[1][0].bytes == 6 * 0x1p20);
    CHECK(found[1][1].seconds == 2);
    REQUIRE(found[2].size() == 1);
    CHECK(found[2][0].start == runs[2].start + 5 * second_ns);
    CHECK(found[2][0].seconds == 2);
    CHECK(found[2][0].bytes == 150);
}

TEST_CASE("history: a run with as many phases as the database keeps has them from its time bins")
{
    MadeDatabase made;
    const Number id = made.run("a", 1).id;
    for (int at = 0; at < 16; ++at) made.phases.push_back({id, at * 10 * second_ns, second_ns, 1 << 20, 0});
    made.details.emplace_back().job = id;
    made.details.back().bin_length = second_ns;
    std::vector<fathom::jobs::Bin> bins;
    for (std::uint64_t at = 0; at < 20; ++at)
        bins.push_back({.number = 1000 + at * 10,
                        .bytes_read = 1 << 20,
                        .bytes_written = 0,
                        .readers = 1,
                        .writers = 0});
    made.details.back().bins = fathom::jobs::pack(bins);
    const Temporary folder;
    const auto database = made.in(folder);
    const KindRun run = run_at(id, 0, 1);
    const KindRun* const one = &run;
    CHECK(phases_of(*database, std::span(&one, 1))[0].size() == 20);
}

TEST_CASE("history: a phase is odd where no cluster of earlier runs reaches it")
{
    std::mt19937_64 random(3);
    std::vector<std::vector<RunPhase>> past;
    for (int run = 0; run < 12; ++run) past.push_back(phases_with(random, 90, 0.02));
    past.emplace_back();  // a run without phases tells nothing
    auto study = study_phases(past, phases_with(random, 90, 0.02));
    CHECK(study.past.size() == 12);
    CHECK(study.clusters.size() == 3);
    CHECK(study.clusters[0].runs == 12);
    CHECK(study.odd.empty());
    CHECK_FALSE(study.anomaly());

    std::vector<RunPhase> today = phases_with(random, 90, 0.02);
    today[1].bytes *= 1.25;
    study = study_phases(past, today);
    REQUIRE(study.odd.size() == 1);
    CHECK(study.odd[0].distance == Approx(0.25).margin(0.02));  // 2 GiB are the median of the volumes
    CHECK(study.anomaly());
    CHECK(study.chance() == Approx(1.0 / 13));

    // Where an earlier run had such a one too, it is odd, but nothing new.
    past[4].push_back(today[1]);
    study = study_phases(past, today);
    CHECK(study.odd.size() == 1);
    CHECK(study.as_odd == 1);
    CHECK_FALSE(study.anomaly());
}

TEST_CASE("history: phases of few runs, or of none, make nothing odd")
{
    std::mt19937_64 random(3);
    std::vector<std::vector<RunPhase>> past;
    std::vector<RunPhase> today = phases_with(random, 900, 0.02);
    CHECK(study_phases({}, today).odd.empty());
    for (int run = 0; run < 7; ++run) past.push_back(phases_with(random, 90, 0.02));
    CHECK(study_phases(past, today).odd.empty());
    past.push_back(phases_with(random, 90, 0.02));
    CHECK(study_phases(past, today).odd.size() == 3);
    CHECK(study_phases(past, {}).odd.empty());
    // Too far from each other for a cluster.
    std::vector<std::vector<RunPhase>> apart;
    for (int run = 0; run < 10; ++run) apart.push_back({{0, std::pow(2.0, run), std::pow(3.0, run)}});
    CHECK(study_phases(apart, today).clusters.empty());
    CHECK(study_phases(apart, today).odd.empty());
}
