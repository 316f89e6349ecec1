// Roles of files, noise, and taking times apart: numbers and texts in, numbers and texts out.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "analyzer/compare/conditions.h"
#include "analyzer/compare/decompose.h"
#include "analyzer/compare/noise.h"
#include "analyzer/compare/roles.h"

using namespace fathom;
using Catch::Contains;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs matched(const std::vector<std::string>& earlier, const std::vector<std::string>& later)
{
    Pairs pairs;
    for (const auto& [a, b] : match_roles(earlier, later)) pairs.emplace_back(earlier[a], later[b]);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace

TEST_CASE("a role has no numbers of ranks, steps, dates and runs")
{
    CHECK(role_of("/data/out.0003.dat") == "/data/out.#.dat");
    CHECK(role_of("/scratch/run-17/log_2026-11-21T10:15.txt") == "/scratch/run-#/log_#-#-#T#:#.txt");
    CHECK(role_of("/t/550e8400-e29b-41d4-a716-446655440000/x") == "/t/#/x");
    CHECK(role_of("/t/9f86d081884c7d65.o") == "/t/#.o");
    CHECK(role_of("/t/rank12of64") == "/t/rank#of#");
    CHECK(role_of("") == "");
}

TEST_CASE("a role keeps words, well-known endings, and hexadecimal words without a digit")
{
    CHECK(role_of("/x/checkpoint.h5") == "/x/checkpoint.h5");
    CHECK(role_of("/x/step7.bz2") == "/x/step#.bz2");
    CHECK(role_of("/x/defaced") == "/x/defaced");
    CHECK(role_of("/x/effaceddeadbeef/y") == "/x/effaceddeadbeef/y");
    CHECK(role_of("/x/restart.r001") == "/x/restart.r#");
    CHECK(role_of("/x/550e8400-e29b-41d4-a716-44665544000z") == "/x/#-e#b-#d#-a#-#z");
}

TEST_CASE("roles that are equal are matched, and each once")
{
    CHECK(matched({"/a", "/b", "/c"}, {"/c", "/a", "/d"}) == Pairs{{"/a", "/a"}, {"/c", "/c"}});
    CHECK(matched({}, {"/a"}).empty());
}

TEST_CASE("folders that stand for each other are found by the files in them")
{
    CHECK(matched({"/in", "/s/base/x", "/s/base/sub/y"}, {"/in", "/s/new/x", "/s/new/sub/y", "/s/new/z"}) ==
          Pairs{{"/in", "/in"}, {"/s/base/sub/y", "/s/new/sub/y"}, {"/s/base/x", "/s/new/x"}});
    // Where a name is in several folders, most of their files decide.
    CHECK(matched({"/p/x", "/p/y", "/q/x"}, {"/m/x", "/m/y", "/n/x"}) ==
          Pairs{{"/p/x", "/m/x"}, {"/p/y", "/m/y"}, {"/q/x", "/n/x"}});
    CHECK(matched({"/p/x"}, {"/p/y"}).empty());
    CHECK(matched({"x"}, {"/tmp/x"}) == Pairs{{"x", "/tmp/x"}});
}

TEST_CASE("one run has the noise that is named, or five percent")
{
    const std::array one = {200.0};
    CHECK(baseline_of(one, {}).noise == Approx(10));
    CHECK(baseline_of(one, {.share = 0.2}).noise == Approx(40));
    CHECK(baseline_of(one, {.share = 0.0, .least = 3}).noise == 3);
    CHECK(baseline_of(one, {.chance = 30}).noise == 30);
    CHECK(baseline_of(one, {.chance = 30}).basis == NoiseBasis::chance);
    CHECK(baseline_of(one, {.share = 0.01, .chance = 30}).noise == Approx(2));
    CHECK(change_of(baseline_of(one, {}), 210) == Change::same);
    CHECK(change_of(baseline_of(one, {}), 210.1) == Change::more);
    CHECK(change_of(baseline_of(one, {}), 189.9) == Change::less);
}

TEST_CASE("several runs have the prediction interval of one more")
{
    // Mean 10, s = 1; t(0.975, 2) = 4.303 and sqrt(1 + 1/3) = 1.1547.
    const std::array three = {9.0, 10.0, 11.0};
    const Baseline baseline = baseline_of(three, {});
    CHECK(baseline.mean == Approx(10));
    CHECK(baseline.noise == Approx(4.303 * 1.154701).epsilon(1e-6));
    CHECK(change_of(baseline, 14.9) == Change::inconclusive);
    CHECK(change_of(baseline, 15.0) == Change::more);
    CHECK(baseline_of(three, {.share = 0.6}).noise == Approx(6));
    CHECK(baseline_of(three, {.chance = 30}).basis == NoiseBasis::spread);
    const std::array equal = {7.0, 7.0};
    CHECK(change_of(baseline_of(equal, {}), 7.0) == Change::same);
    CHECK(change_of(baseline_of(equal, {}), 7.1) == Change::more);
}

TEST_CASE("no difference is the same only where one worth naming would have been seen")
{
    const auto spread = [](double deviation) {
        return baseline_of(std::vector{100 - deviation, 100.0, 100 + deviation}, {});
    };
    // Noise: 4.97 times the deviation.
    CHECK(change_of(spread(2), 100) == Change::same);
    CHECK(change_of(spread(2.1), 100) == Change::inconclusive);
    CHECK(change_of(baseline_of(std::array{99.0, 100.0, 101.0}, {.least = 40}), 130) == Change::same);
    CHECK(change_of(baseline_of(std::array{100.0}, {.chance = 33}), 120) == Change::inconclusive);
    CHECK(change_of(baseline_of(std::array{100.0}, {.share = 0.33}), 120) == Change::same);
    CHECK(change_of(baseline_of(std::array{100.0}, {}), 104) == Change::same);
}

TEST_CASE("how many runs show a difference")
{
    const Baseline before = baseline_of(std::array{95.0, 100.0, 105.0}, {});
    // t(0.975, 2 n - 2) x 5 x sqrt(2 / n): 11.33 of 3 runs, 8.65 of 4, 5.36 of 8, 5.00 of 9.
    CHECK(runs_to_see(before, 11.5) == 3);
    CHECK(runs_to_see(before, 10) == 4);
    CHECK(runs_to_see(before, 5) == 9);
    CHECK_FALSE(runs_to_see(before, 0).has_value());
    CHECK_FALSE(runs_to_see(baseline_of(std::array{100.0}, {}), 10).has_value());
    CHECK(runs_to_see(baseline_of(std::array{100.0}, {.chance = 30}), 10) == 9);
}

TEST_CASE("the prediction interval holds 95 of 100 further runs")
{
    // Normal values by Box and Muller from a linear congruential generator.
    std::uint64_t state = 12345;
    const auto uniform = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (static_cast<double>(state >> 11) + 0.5) / 9007199254740992.0;
    };
    const auto normal = [&] {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
    };
    for (const std::size_t runs : {3, 5, 10}) {
        int inside = 0;
        constexpr int rounds = 4000;
        for (int round = 0; round < rounds; ++round) {
            std::vector<double> values;
            for (std::size_t at = 0; at < runs; ++at) values.push_back(100 + 3 * normal());
            inside += !is_beyond_noise(change_of(baseline_of(values, {}), 100 + 3 * normal()));
        }
        CHECK(static_cast<double>(inside) / rounds == Approx(0.95).margin(0.015));
    }
}

TEST_CASE("the effects of transfers are the whole difference")
{
    const std::vector<ClassPair> classes = {{{100, 10, 0.01, 100}, {50, 8, 0.01, 50}},
                                            {{0, 0, 0, 0}, {400, 4, 0.01, 400}},
                                            {{7, 3, 0.01, 7}, {0, 0, 0, 0}}};
    for (const double ratio : {0.5, 1.0, 3.0}) {
        const TimeEffects effects = transfer_effects(classes, ratio, false);
        CHECK(effects.sum() == Approx(12 - 13));
        CHECK(effects.volume == Approx(13 * (ratio - 1)));
    }
    CHECK(transfer_effects(classes, 0, false).volume == Approx(-1));
}

TEST_CASE("twice the data at the same pace is volume, and nothing else")
{
    const std::vector<ClassPair> classes = {{{100, 10, 0, 100}, {200, 20, 0, 200}}};
    const TimeEffects effects = transfer_effects(classes, 2, false);
    CHECK(effects.volume == Approx(10));
    CHECK(effects.mix == Approx(0).margin(1e-12));
    CHECK(effects.speed == Approx(0).margin(1e-12));
}

TEST_CASE("smaller requests within a class of sizes are one effect")
{
    // Four times as many, each in half the time.
    const std::vector<ClassPair> classes = {{{100, 10, 0, 100}, {400, 20, 0, 400}}};
    CHECK(transfer_effects(classes, 1, true).mix == Approx(10));
    CHECK(transfer_effects(classes, 1, true).speed == 0);
    CHECK(transfer_effects(classes, 1, false).mix == Approx(30));
    CHECK(transfer_effects(classes, 1, false).speed == Approx(-20));
}

TEST_CASE("slower operations are distinguished from chance")
{
    // 100 operations of 0.1 s with a deviation of 0.1 s: their sum varies by 1 s, the difference by 1.41 s.
    const auto slower_by = [](double time) {
        const std::vector<ClassPair> classes = {{{100, 10, 0.01, 100}, {100, 10 + time, 0.01, 100}}};
        return call_effects(classes);
    };
    CHECK(slower_by(2).speed == Approx(2));
    CHECK(slower_by(2).speed_noise == Approx(1.96 * std::sqrt(2.0)));
    CHECK(slower_by(2).volume == Approx(0));
    const std::vector<ClassPair> more = {{{10, 1, 0, 10}, {30, 3, 0, 30}}, {{0, 0, 0, 0}, {5, 2, 0, 5}}};
    CHECK(call_effects(more).volume == Approx(4));
    CHECK(call_effects(more).speed == Approx(0).margin(1e-12));
}

TEST_CASE("the variance of two classes together is that of all their operations")
{
    // 1, 3 and 5, 5, 8: means 2 and 6.
    ClassSum sum{2, 4, 1, 2};
    sum.add({3, 18, 2, 3});
    CHECK(sum.operations == 5);
    CHECK(sum.time == 22);
    CHECK(sum.counted == 5);
    CHECK(sum.variance == Approx((11.56 + 1.96 + 0.36 + 0.36 + 12.96) / 5));
    ClassSum none;
    none.add({3, 18, 2, 3});
    CHECK(none.variance == Approx(2));
    CHECK(none.mean() == Approx(6));
}

TEST_CASE("conditions are a name and a percentage")
{
    CHECK(parse_condition("slower=10%").metric->id == "run_time");
    CHECK(parse_condition("slower=10%").limit == Approx(0.1));
    CHECK(parse_condition("rate=2.5").limit == Approx(0.025));
    CHECK(parse_condition("bytes=0").limit == 0);
    CHECK_THROWS_WITH(parse_condition("quicker=1"), Contains("quicker") && Contains("slower, io_time"));
    CHECK_THROWS_WITH(parse_condition(""), Contains("there are: slower"));
    for (const char* const wrong :
         {"slower", "slower=", "slower=%", "slower=x", "slower=-1", "slower=1e999", "slower=1 2"})
        CHECK_THROWS_WITH(parse_condition(wrong), Contains("as in --fail-if slower=10%"));
}

TEST_CASE("a condition holds where a number is worse by more than its limit")
{
    const auto with = [](std::string_view id, double before, double after) {
        std::vector<Compared> all;
        for (const Metric& metric : metrics())
            if (metric.id == id) all.push_back({&metric, {before, 0, 1}, before, after});
        return all;
    };
    CHECK(holds(parse_condition("slower=10%"), with("run_time", 10, 11)).empty());
    CHECK_THAT(holds(parse_condition("slower=10%"), with("run_time", 10, 11.5)),
               Contains("slower=10% holds") && Contains("11.5 s, before 10.0 s (+15.0 %)"));
    CHECK(holds(parse_condition("slower=10%"), with("run_time", 10, 5)).empty());
    CHECK(holds(parse_condition("rate=10%"), with("rate", 100, 91)).empty());
    CHECK_THAT(holds(parse_condition("rate=10%"), with("rate", 100, 89)), Contains("(-11.0 %)"));
    CHECK_THAT(holds(parse_condition("bytes=50%"), with("bytes", 0, 1)), Contains("before 0 B"));
    std::vector<Compared> unknown = with("rate", 1, 1);
    unknown[0].after.reset();
    CHECK_THAT(holds(parse_condition("rate=0"), unknown), Catch::Contains("not known of the new run"));
}
