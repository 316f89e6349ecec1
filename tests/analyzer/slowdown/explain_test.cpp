// Runs with one cause or two planted, by hand: a run usually takes 100 s, of which 60 s are writes and 20 s
// metadata calls.
#include "analyzer/slowdown/explain.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

using namespace fathom::slowdown;

namespace {

constexpr std::size_t written = 1;

struct Kind {
    explicit Kind(std::uint64_t seed = 1, std::size_t runs = 20) : random(seed)
    {
        for (std::size_t at = 0; at < runs; ++at) others.push_back(one());
    }
    // A run in which nothing is the matter: its time differs by 2 %.
    RunNumbers one()
    {
        const double factor = std::exp(std::normal_distribution(0.0, 0.02)(random));
        RunNumbers run;
        run.io = 80 * factor;
        run.run = run.io + 20 * std::exp(std::normal_distribution(0.0, 0.02)(random));
        run.data[written] = {240 * factor, 6e9, 6000};
        run.metadata_seconds = 80 * factor;
        run.metadata_calls = 1e6;
        run.sequential = 1;
        run.core_wait = 0.1;
        return run;
    }
    // The median of all, with so many seconds more of writes.
    RunNumbers slow(double seconds)
    {
        RunNumbers run = others.front();
        run.io = 80 + seconds;
        run.run = 100 + seconds;
        run.data[written].seconds = 240 * (60 + seconds) / 60;
        run.metadata_seconds = 80;
        return run;
    }

    std::mt19937_64 random;
    std::vector<RunNumbers> others;
};

double part_of(const Explanation& made, Cause cause)
{
    double seconds = 0;
    for (const Part& part : made.parts)
        if (part.cause == cause) seconds += part.seconds;
    return seconds;
}

Cause largest_of(const Explanation& made)
{
    return made.parts.front().cause;
}

void check_sum(const Explanation& made)
{
    const double sum = std::accumulate(made.parts.begin(), made.parts.end(), 0.0,
                                       [](double all, const Part& part) { return all + part.seconds; });
    CHECK(sum == Approx(made.difference()).margin(1e-9));
}

}  // namespace

TEST_CASE("slower: more bytes cost what bytes usually do, and more calls what calls do")
{
    Kind kind;
    RunNumbers more = kind.slow(30);
    more.data[written].bytes *= 1.5;
    more.data[written].requests *= 1.5;
    auto made = *explain(more, kind.others, {});
    check_sum(made);
    CHECK(made.slow);
    CHECK(made.of_run_time);
    CHECK(largest_of(made) == Cause::bytes);
    CHECK(part_of(made, Cause::bytes) == Approx(30).epsilon(0.1));
    CHECK(made.parts.front().own / made.parts.front().others == Approx(1.5));

    RunNumbers calls = kind.slow(0);
    calls.io += 40;
    calls.run += 40;
    calls.metadata_seconds *= 3;
    calls.metadata_calls *= 3;
    made = *explain(calls, kind.others, {});
    check_sum(made);
    CHECK(part_of(made, Cause::metadata_calls) == Approx(40).epsilon(0.1));
    // More bytes in no more time cost nothing.
    RunNumbers quick = kind.slow(0);
    quick.data[written].bytes *= 3;
    CHECK(part_of(*explain(quick, kind.others, {}), Cause::bytes) < 3);
}

TEST_CASE("slower: smaller requests, more syncs and less order are given what nothing before them explains")
{
    Kind kind;
    RunNumbers small = kind.slow(50);
    small.data[written].requests *= 16;
    auto made = *explain(small, kind.others, {});
    check_sum(made);
    CHECK(largest_of(made) == Cause::requests);
    CHECK(part_of(made, Cause::requests) == Approx(50).epsilon(0.1));
    CHECK(made.parts.front().own == Approx(6e9 / 96000));
    RunNumbers synced = kind.slow(50);
    synced.syncs = 100;
    CHECK(largest_of(*explain(synced, kind.others, {})) == Cause::syncs);
    RunNumbers jumping = kind.slow(50);
    jumping.sequential = 0.3;
    CHECK(largest_of(*explain(jumping, kind.others, {})) == Cause::order);
    // Larger requests are no reason to be slower.
    RunNumbers large = kind.slow(50);
    large.data[written].requests /= 16;
    CHECK(largest_of(*explain(large, kind.others, {})) == Cause::slower);
}

TEST_CASE("slower: neighbours and servers have what was lost to them, and never more than there is")
{
    Kind kind;
    const RunNumbers run = kind.slow(50);
    auto made = *explain(run, kind.others, {.neighbours = {10, 0, 30}, .active = 100});
    check_sum(made);
    CHECK(part_of(made, Cause::neighbour) == Approx(40));
    CHECK(made.parts.front().which == 2);
    CHECK(part_of(made, Cause::slower) + part_of(made, Cause::usual) == Approx(10).margin(3));
    made = *explain(run, kind.others, {.neighbours = {100, 300}, .active = 100});
    check_sum(made);
    CHECK(part_of(made, Cause::neighbour) == Approx(50).epsilon(0.1));
    // Bins of 260 s in which some process was active: the slowest one was in I/O for half of them.
    made = *explain(run, kind.others, {.neighbours = {40}, .active = 260});
    CHECK(part_of(made, Cause::neighbour) == Approx(20));
    made = *explain(run, kind.others, {.servers = 45});
    CHECK(largest_of(made) == Cause::server);
    CHECK(part_of(made, Cause::server) == Approx(45));
    made = *explain(run, kind.others, {.storage = 0.6});
    CHECK(largest_of(made) == Cause::storage);
    CHECK(part_of(made, Cause::storage) == Approx(50).epsilon(0.1));
    // Smaller requests make storage move less: they come first.
    RunNumbers small = run;
    small.data[written].requests *= 16;
    made = *explain(small, kind.others, {.storage = 0.6});
    CHECK(part_of(made, Cause::storage) == 0);
}

TEST_CASE("slower: two causes at once share the difference")
{
    Kind kind;
    RunNumbers both = kind.slow(70);
    both.data[written].bytes *= 1.5;
    both.data[written].requests *= 1.5;
    auto made = *explain(both, kind.others, {.neighbours = {40}, .active = 150});
    check_sum(made);
    CHECK(part_of(made, Cause::bytes) == Approx(30).epsilon(0.1));
    CHECK(part_of(made, Cause::neighbour) == Approx(40).epsilon(0.05));
    both.run += 25;
    both.core_wait = 20.1;
    made = *explain(both, kind.others, {.neighbours = {40}, .active = 150});
    check_sum(made);
    CHECK(part_of(made, Cause::cores) == Approx(20));
    CHECK(part_of(made, Cause::outside_io) == Approx(5).margin(1));
}

TEST_CASE("slower: what nothing explains is said to be unknown, and what is new with the run a hint at most")
{
    Kind kind;
    const RunNumbers run = kind.slow(50);
    auto made = *explain(run, kind.others, {});
    check_sum(made);
    CHECK(largest_of(made) == Cause::slower);
    CHECK(made.parts.front().which == 1 << written);
    made = *explain(run, kind.others, {.circumstance = true});
    CHECK(largest_of(made) == Cause::circumstance);
    CHECK(part_of(made, Cause::circumstance) == Approx(50).epsilon(0.1));
}

TEST_CASE("slower: ranks that wait for the I/O of one wait for I/O, and ranks that are apart do not")
{
    Kind kind;
    for (RunNumbers& one : kind.others) {
        one.window = one.io + 10;
        one.run = one.window + 10;
    }
    // One rank after the other waits for an ill server, and all others for it.
    RunNumbers waits = kind.slow(80);
    waits.window = 250;
    waits.run = 260;
    auto made = *explain(waits, kind.others, {.servers = 150});
    check_sum(made);
    CHECK(part_of(made, Cause::server) == Approx(160).epsilon(0.02));
    CHECK(std::abs(part_of(made, Cause::outside_io)) < 3);
    // As much I/O as ever, while ranks compute for longer at different times.
    RunNumbers computes = kind.slow(0);
    computes.window = 250;
    computes.run = 260;
    made = *explain(computes, kind.others, {});
    check_sum(made);
    CHECK(part_of(made, Cause::outside_io) == Approx(160).epsilon(0.05));
}

TEST_CASE("slower: few runs show no usual spread, and what is not known stays so")
{
    Kind few(1, 5);
    RunNumbers run = few.slow(50);
    auto made = *explain(run, few.others, {});
    check_sum(made);
    CHECK_FALSE(made.limit);
    CHECK_FALSE(made.slow);
    CHECK(made.parts.back().cause == Cause::few_runs);
    run.io = RunNumbers::not_known;
    CHECK_FALSE(explain(run, few.others, {}));
    CHECK_FALSE(explain(few.one(), {}, {}));
    // Without run times the time in I/O is compared.
    Kind kind;
    for (RunNumbers& one : kind.others) one.run = RunNumbers::not_known;
    made = *explain(kind.slow(50), kind.others, {});
    CHECK_FALSE(made.of_run_time);
    CHECK(made.difference() == Approx(50).epsilon(0.1));
}

TEST_CASE("slower: of quiet histories at most one in twenty has a slow run, and parts always add up")
{
    int slow = 0;
    constexpr int histories = 1000;
    for (int seed = 0; seed < histories; ++seed) {
        Kind kind(static_cast<std::uint64_t>(seed), 39);
        const RunNumbers run = kind.one();
        const auto made = *explain(run, kind.others, {.neighbours = {0.3}, .active = 90});
        check_sum(made);
        slow += made.slow;
    }
    CHECK(slow <= histories / 20);
}
