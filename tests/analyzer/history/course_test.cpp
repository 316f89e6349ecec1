// Levels, changes and alarms of histories in which nothing happened, and of those in which something did.
#include "analyzer/history/course.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/history/made_history.h"

using namespace fathom::history;
using namespace fathom::testing;

namespace {

struct Alarms {
    std::size_t histories = 0, change = 0, run = 0, trend = 0, phases = 0, any = 0;
};

Alarms alarms_in_quiet_histories(std::size_t histories, std::size_t runs, const Noise& noise,
                                 std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    Alarms count;
    for (; count.histories < histories; ++count.histories) {
        std::vector<double> seconds = noisy_factors(random, runs, noise);
        std::vector<std::vector<RunPhase>> phases;
        for (double& time : seconds) {
            time *= 100;
            phases.push_back(phases_with(random, time, noise.sigma / 2));
        }
        const Kind kind = kind_with(seconds);
        const Course course = course_of(kind);
        std::vector<RunPhase> today = phases.back();
        phases.pop_back();
        const bool change = !course.changes.empty(), trend = course.trend && is_sure(*course.trend),
                   odd = study_phases(phases, today).anomaly();
        bool run = false;
        for (const Slower& one : what_is_slower(course, {.share = 0}))
            run = run || one.what == Slower::What::run;
        count.change += change;
        count.run += run;
        count.trend += trend;
        count.phases += odd;
        count.any += change || run || trend || odd;
    }
    return count;
}

}  // namespace

TEST_CASE("history: of quiet histories of 40 runs at most one in twenty has an alarm")
{
    struct Case {
        const char* what;
        Noise noise;
    };
    const Case noises[] = {{"5 %", {0.05, 0}},
                           {"5 %, outliers", {0.05, 0.03}},
                           {"15 %, outliers", {0.15, 0.05}},
                           {"30 %", {0.3, 0}},
                           {"30 %, outliers", {0.3, 0.1}}};
    std::uint64_t seed = 1;
    for (const Case& one : noises) {
        const Alarms found = alarms_in_quiet_histories(400, 40, one.noise, seed++);
        CAPTURE(one.what, found.change, found.run, found.trend, found.phases);
        CHECK(found.any * 20 <= found.histories);
    }
}

TEST_CASE("history: a step of 30 % in the middle of 40 runs is found within two runs")
{
    std::mt19937_64 random(7);
    for (const Noise noise : {Noise{0.05, 0}, Noise{0.05, 0.03}})
        for (const double step : {1.3, 1 / 1.3}) {
            std::size_t found = 0, told = 0, exact = 0;
            constexpr std::size_t histories = 200;
            for (std::size_t history = 0; history < histories; ++history) {
                std::vector<double> seconds = noisy_factors(random, 40, noise);
                for (std::size_t at = 20; at < 40; ++at) seconds[at] *= step;
                const Kind kind = kind_with(seconds);
                const Course course = course_of(kind);
                if (course.changes.size() != 1) continue;
                const std::size_t at = course.changes[0].at;
                found += at >= 18 && at <= 22;
                exact += at == 20;
                for (const Slower& one : what_is_slower(course, {.share = 0.2}))
                    if (one.what == Slower::What::level) told += one.run == at;
            }
            CAPTURE(noise.outliers, step, found, told, exact);
            CHECK(found * 10 >= histories * 9);
            CHECK(exact * 10 >= histories * 8);
            if (step > 1)
                CHECK(told * 10 >= histories * 9);
            else
                CHECK(told == 0);
        }
}

TEST_CASE("history: levels are medians between changes, and each run belongs to one")
{
    std::vector<double> seconds;
    for (int at = 0; at < 10; ++at) seconds.push_back(10 + 0.1 * (at % 3));
    for (int at = 0; at < 12; ++at) seconds.push_back(20 + 0.1 * (at % 3));
    const Kind kind = kind_with(seconds);
    const Course course = course_of(kind);
    REQUIRE(course.levels.size() == 2);
    CHECK(course.changes[0].at == 10);
    CHECK(course.levels[0].median == Approx(10.1));
    CHECK(course.levels[1].median == Approx(20.1));
    CHECK(course.level_of(9).to == 10);
    CHECK(course.level_of(10).from == 10);
    CHECK(course.others_of(3).size() == 9);
    CHECK(course.others_of(21).size() == 11);
    CHECK(*course.runs_a_month() == Approx(30));
    const auto slower = what_is_slower(course, {.share = 0.2});
    REQUIRE(slower.size() == 1);
    CHECK(slower[0].ratio() == Approx(2).epsilon(0.02));
    CHECK(what_is_slower(course, {.share = 1.5}).empty());
    CHECK(what_is_slower(course, {.share = 0.2, .since = first_day + 10 * day_ns}).size() == 1);
    CHECK(what_is_slower(course, {.share = 0.2, .since = first_day + 10 * day_ns + 1}).empty());
}

TEST_CASE("history: a level that has become quick again is no alarm")
{
    std::vector<double> seconds;
    for (const double level : {10.0, 20.0, 10.0})
        for (int at = 0; at < 12; ++at) seconds.push_back(level + 0.1 * (at % 3));
    const Kind kind = kind_with(seconds);
    const Course course = course_of(kind);
    REQUIRE(course.levels.size() == 3);
    CHECK(what_is_slower(course, {.share = 0.2}).empty());
}

TEST_CASE("history: a change of less than one percent is no alarm, however sure it is")
{
    for (const double step : {1.005, 1.02}) {
        std::vector<double> seconds;
        for (int run = 0; run < 40; ++run)
            seconds.push_back((run < 20 ? 100 : 100 * step) + 0.001 * (run % 3));
        const Kind kind = kind_with(seconds);
        const Course course = course_of(kind);
        REQUIRE(course.changes.size() == 1);
        CHECK(what_is_slower(course, {.share = 0}).size() == (step > 1.01 ? 1 : 0));
    }
}

TEST_CASE("history: the newest run is slow where it is beyond the usual, and runs since a date are looked at")
{
    std::vector<double> seconds;
    for (int at = 0; at < 20; ++at) seconds.push_back(10 + 0.1 * (at % 7));
    seconds.push_back(15);
    Kind kind = kind_with(seconds);
    auto slower = what_is_slower(course_of(kind), {.share = 0.2});
    REQUIRE(slower.size() == 1);
    CHECK(slower[0].what == Slower::What::run);
    CHECK(slower[0].run == 20);
    CHECK(slower[0].chance == Approx(1.0 / 21));
    CHECK(what_is_slower(course_of(kind), {.share = 0.6}).empty());
    kind.runs.push_back(run_at(22, 21, 10.2));
    CHECK(what_is_slower(course_of(kind), {.share = 0.2}).empty());
    slower = what_is_slower(course_of(kind), {.share = 0.2, .since = first_day + 20 * day_ns});
    REQUIRE(slower.size() == 1);
    CHECK(slower[0].run == 20);
    CHECK(what_is_slower(course_of(kind), {.share = 0.2, .since = first_day + 20 * day_ns + 1}).empty());
}

TEST_CASE("history: runs without a known time, and few runs, have no changes and no alarm")
{
    Kind kind = kind_with({1, 1, 1, 9, 9, 9, 9});
    CHECK(course_of(kind).changes.empty());
    CHECK_FALSE(course_of(kind).trend);
    CHECK(what_is_slower(course_of(kind), {.share = 0}).empty());
    CHECK_FALSE(false_alarms_a_month(course_of(kind), {}));
    for (KindRun& run : kind.runs) run.io_time = {};
    const Course course = course_of(kind);
    CHECK(course.runs.empty());
    CHECK(course.levels.empty());
    CHECK(what_is_slower(course, {.share = 0}).empty());
    CHECK(course_of(Kind()).runs.empty());
    Kind zeros = kind_with(std::vector<double>(20, 0.0));
    CHECK(what_is_slower(course_of(zeros), {.share = 0}).empty());
}

TEST_CASE("history: false alarms a month are as many as a nightly job gets")
{
    // Each night one run more; an alarm is one where the night before had none of its kind.
    const SlowerRule rule{.share = 0.2};
    for (const Noise noise : {Noise{0.2, 0.03}, Noise{0.05, 0.05}, Noise{0.05, 0}}) {
        std::mt19937_64 random(11);
        double said = 0, got = 0;
        constexpr int histories = 60, nights = 30;
        for (int history = 0; history < histories; ++history) {
            const std::vector<double> seconds = noisy_factors(random, 40 + nights, noise);
            const auto until = [&](std::size_t runs) {
                return kind_with({seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(runs)});
            };
            const Kind at_first = until(40);
            said += false_alarms_a_month(course_of(at_first), rule).value_or(0);
            bool level_before = true;
            for (std::size_t night = 0; night <= nights; ++night) {
                const Kind kind = until(40 + night);
                bool level = false, run = false;
                for (const Slower& one : what_is_slower(course_of(kind), rule))
                    (one.what == Slower::What::level ? level : run) = true;
                if (night > 0) got += run + (level && !level_before);
                level_before = level;
            }
        }
        CAPTURE(noise.sigma, noise.outliers, said, got);
        CHECK(said <= 2 * got + 6);
        CHECK(got <= 2 * said + 6);
    }
}

TEST_CASE("history: of two slow runs in a row both are slow, and a usual one after them is not")
{
    std::vector<double> seconds;
    for (int at = 0; at < 20; ++at) seconds.push_back(10 + 0.1 * (at % 7));
    seconds.push_back(15);
    seconds.push_back(14.5);
    const auto slow = [&](std::size_t run) {
        const Kind kind = kind_with(seconds);
        const Course course = course_of(kind);
        const auto found = judge(course.seconds[run], course.others_of(run));
        return found && found->slow;
    };
    CHECK(slow(20));
    CHECK(slow(21));
    CHECK_FALSE(slow(19));
    seconds.push_back(10.3);
    CHECK(slow(20));
    CHECK(slow(21));
    CHECK_FALSE(slow(22));
    // Long ago, another one took as long: then it is nothing new.
    seconds[5] = 16;
    CHECK_FALSE(slow(20));
    CHECK_FALSE(slow(21));
}
