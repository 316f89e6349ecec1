// Totals to amounts, order, overlaps, hosts: at both sides of each rule.
#include "logformat/series/builder.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace fathom::series;

namespace {

Component sda()
{
    return {"", "node1", ComponentType::device, "sda", ""};
}

constexpr Nanoseconds at(std::int64_t seconds)
{
    return seconds * one_second;
}

// Totals of one file, a second apart where no times are given.
struct Total {
    std::int64_t second;
    double value;
};
Table of_totals(std::initializer_list<Total> totals, int bits = 64)
{
    Table table;
    Builder builder(table);
    builder.begin_file("file");
    const auto id = builder.series(sda(), "bytes_read");
    for (const Total& total : totals) builder.total(id, at(total.second), total.value, 1, bits);
    builder.finish();
    return table;
}

std::vector<Sample> samples_of(const Table& table)
{
    REQUIRE(table.series.size() == 1);
    return table.series[0].samples;
}

bool says(const Table& table, const std::string& words)
{
    for (const std::string& problem : table.problems)
        if (problem.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("an amount is the difference of two totals, over the time between them")
{
    const Table table = of_totals({{10, 100}, {20, 150}, {30, 150}});
    CHECK(samples_of(table) == std::vector<Sample>{{at(10), at(20), 50}, {at(20), at(30), 0}});
    CHECK(table.series[0].kind == Kind::amount);
    CHECK(table.series[0].usual_interval == at(10));
    CHECK(table.problems.empty());
}

TEST_CASE("a sample missed for an hour is one long sample")
{
    CHECK(samples_of(of_totals({{0, 1}, {10, 2}, {3610, 99}, {3620, 100}})) ==
          std::vector<Sample>{{at(0), at(10), 1}, {at(10), at(3610), 97}, {at(3610), at(3620), 1}});
}

TEST_CASE("a total that starts anew leaves a gap, and goes on from there")
{
    CHECK(samples_of(of_totals({{0, 1000}, {10, 1100}, {20, 7}, {30, 9}})) ==
          std::vector<Sample>{{at(0), at(10), 100}, {at(20), at(30), 2}});
    // A fall to something above 0 is a start anew even where the next total is above the one before the fall.
    CHECK(samples_of(of_totals({{0, 1000}, {10, 1100}, {20, 7}, {30, 5000}})) ==
          std::vector<Sample>{{at(0), at(10), 100}, {at(20), at(30), 4993}});
}

TEST_CASE("a total of 0 between two that rise was no value")
{
    CHECK(samples_of(of_totals({{0, 1000}, {10, 0}, {20, 0}, {30, 1000}, {40, 1001}})) ==
          std::vector<Sample>{{at(0), at(30), 0}, {at(30), at(40), 1}});
}

TEST_CASE("totals of 0 before ones that are below the last one are a start anew")
{
    CHECK(samples_of(of_totals({{0, 900}, {5, 1000}, {10, 0}, {20, 0}, {30, 999}})) ==
          std::vector<Sample>{{at(0), at(5), 100}, {at(10), at(20), 0}, {at(20), at(30), 999}});
    // Nothing comes after them: nothing is known.
    CHECK(samples_of(of_totals({{0, 900}, {5, 1000}, {10, 0}})) == std::vector<Sample>{{at(0), at(5), 100}});
}

TEST_CASE("a counter of 32 bits returns to 0 behind its last value")
{
    constexpr double all = 4294967296.0;
    CHECK(samples_of(of_totals({{0, all - 10}, {10, 20}}, 32)) == std::vector<Sample>{{at(0), at(10), 30}});
    CHECK(samples_of(of_totals({{0, all - 10}, {10, 0}, {20, 5}}, 32)) ==
          std::vector<Sample>{{at(0), at(10), 10}, {at(10), at(20), 5}});
    // A fall by no more than half of it is a start anew.
    CHECK(samples_of(of_totals({{0, all / 2}, {10, 1}, {20, 3}}, 32)) ==
          std::vector<Sample>{{at(10), at(20), 2}});
    // One of 64 bits does not return.
    CHECK(samples_of(of_totals({{0, all - 10}, {10, 20}, {20, 21}})) ==
          std::vector<Sample>{{at(10), at(20), 1}});
}

TEST_CASE("totals of 64 bits lose nothing")
{
    Table table;
    Builder builder(table);
    builder.begin_file("file");
    const auto id = builder.series(sda(), "bytes_read");
    builder.total(id, at(1), static_cast<long double>(18446744073709551614u));
    builder.total(id, at(2), static_cast<long double>(18446744073709551615u));
    builder.finish();
    CHECK(samples_of(table) == std::vector<Sample>{{at(1), at(2), 1}});
}

TEST_CASE("what comes after the clock went back is left out until it is past again")
{
    const Table table = of_totals({{100, 10}, {110, 20}, {50, 25}, {60, 30}, {120, 40}});
    CHECK(samples_of(table) == std::vector<Sample>{{at(100), at(110), 10}, {at(110), at(120), 20}});
    REQUIRE(table.problems.size() == 1);
    CHECK_THAT(table.problems[0], Catch::StartsWith("file: 2 samples are left out") &&
                                      Catch::Contains("1970-01-01T00:00:50Z to 1970-01-01T00:01:00Z"));
}

TEST_CASE("the same sample a second time is one, and nothing to speak of")
{
    const Table table = of_totals({{100, 10}, {110, 20}, {110, 20}, {120, 40}});
    CHECK(samples_of(table).size() == 2);
    CHECK(table.problems.empty());
    // Another value at the same time is.
    CHECK(says(of_totals({{100, 10}, {110, 20}, {110, 21}}), "1 sample is left out"));
}

TEST_CASE("values that are no numbers, and amounts below 0, are left out")
{
    Table table;
    Builder builder(table);
    builder.begin_file("file");
    const auto amount = builder.series(sda(), "bytes_read"), level = builder.series(sda(), "queue_length");
    builder.amount(amount, at(0), at(1), -1);
    builder.amount(amount, at(1), at(2), std::nan(""));
    builder.amount(amount, at(2), at(2), 5);
    builder.amount(amount, at(2), at(3), 6);
    builder.level(level, at(1), -1);
    builder.level(level, at(2), std::numeric_limits<double>::infinity());
    builder.total(builder.series(sda(), "reads"), at(1), -1);
    builder.finish();
    REQUIRE(table.series.size() == 2);
    CHECK(table.series[0].samples == std::vector<Sample>{{at(2), at(3), 6}});
    CHECK(table.series[1].samples == std::vector<Sample>{{at(1), at(1), -1}});
    CHECK(says(table, "2 samples are left out: their amounts"));
    CHECK(says(table, "1 sample is left out: their times"));
    CHECK(says(table, "1 sample is left out: their values"));
    CHECK(says(table, "1 sample is left out: their totals"));
}

TEST_CASE("files that overlap, in any order, make each sample once, and join where one ends")
{
    Table table;
    Builder builder(table);
    const auto read = [&](const char* file, std::initializer_list<Total> totals) {
        builder.begin_file(file);
        for (const Total& total : totals)
            builder.total(builder.series(sda(), "bytes_read"), at(total.second), total.value);
    };
    read("second", {{30, 33}, {40, 44}});
    read("first", {{0, 0}, {10, 10}, {20, 20}});
    read("first again", {{0, 0}, {10, 10}, {20, 20}});
    builder.finish();
    CHECK(samples_of(table) ==
          std::vector<Sample>{
              {at(0), at(10), 10}, {at(10), at(20), 10}, {at(20), at(30), 13}, {at(30), at(40), 11}});
    CHECK(table.problems.empty());
}

TEST_CASE("of samples that overlap the one that ends first stays")
{
    Table table;
    Builder builder(table);
    builder.begin_file("coarse");
    const auto id = builder.series(sda(), "bytes_read");
    builder.amount(id, at(0), at(60), 600);
    builder.amount(id, at(60), at(120), 600);
    builder.begin_file("fine");
    for (int second = 0; second < 60; second += 10) builder.amount(id, at(second), at(second + 10), 100);
    builder.finish();
    REQUIRE(samples_of(table).size() == 7);
    CHECK(samples_of(table)[5] == Sample{at(50), at(60), 100});
    CHECK(samples_of(table)[6] == Sample{at(60), at(120), 600});
}

TEST_CASE("an amount that begins within the one before counts with its part behind it")
{
    Table table;
    Builder builder(table);
    builder.begin_file("file");
    const auto id = builder.series(sda(), "bytes_read");
    builder.amount(id, at(0), at(10), 7);
    builder.amount(id, at(0), at(40), 400);
    builder.finish();
    CHECK(samples_of(table) == std::vector<Sample>{{at(0), at(10), 7}, {at(10), at(40), 300}});
}

TEST_CASE("a total that came once says that it needs a second one")
{
    CHECK(says(of_totals({{10, 100}}), "1 total came once alone"));
    CHECK_FALSE(says(of_totals({{10, 100}, {20, 100}}), "once alone"));
}

TEST_CASE("a window keeps what is partly inside")
{
    Table table;
    Builder builder(table, {at(15), at(30)});
    builder.begin_file("file");
    const auto amount = builder.series(sda(), "bytes_read"), level = builder.series(sda(), "bytes_free");
    for (int second = 0; second < 50; second += 10) {
        builder.amount(amount, at(second), at(second + 10), 1);
        builder.level(level, at(second), 1);
    }
    builder.finish();
    CHECK(table.series[0].samples == std::vector<Sample>{{at(10), at(20), 1}, {at(20), at(30), 1}});
    CHECK(table.series[1].samples == std::vector<Sample>{{at(20), at(20), 1}, {at(30), at(30), 1}});
}

TEST_CASE("a host that another file knows is filled in, if there is one alone")
{
    const auto joined = [](std::initializer_list<const char*> hosts,
                           std::initializer_list<const char*> facts) {
        Table table;
        Builder builder(table);
        builder.begin_file("file");
        const Component ost{"scratch", "", ComponentType::ost, "OST0000", ""};
        builder.level(builder.series(ost, "bytes_free"), at(10), 1);
        for (const char* const host : hosts) {
            Component known = ost;
            known.host = host;
            builder.level(builder.series(known, "bytes_free"), at(20), 2);
        }
        for (const char* const fact : facts) builder.lives_on(ost, fact);
        builder.finish();
        return table;
    };
    const Table one = joined({"oss1"}, {"10.0.0.1@tcp"});
    REQUIRE(one.components.size() == 1);
    CHECK(one.components[0].host == "oss1");
    REQUIRE(one.series.size() == 1);
    CHECK(one.series[0].samples.size() == 2);
    CHECK(joined({"oss1", "oss2"}, {}).components.size() == 3);
    CHECK(joined({}, {"10.0.0.1@tcp"}).components[0].host == "10.0.0.1@tcp");
    CHECK(joined({}, {"10.0.0.1@tcp", "10.0.0.2@tcp"}).components[0].host.empty());
}

TEST_CASE("a component of which there is a fact alone is in the table")
{
    Table table;
    Builder builder(table);
    builder.lives_on({"scratch", "", ComponentType::ost, "OST0001", ""}, "10.0.0.1@tcp");
    builder.finish();
    REQUIRE(table.components.size() == 1);
    CHECK(table.components[0] == Component{"scratch", "10.0.0.1@tcp", ComponentType::ost, "OST0001", ""});
    CHECK(table.series.empty());
}

TEST_CASE("problems are bounded, and say how many more there are")
{
    Table table;
    Builder builder(table);
    for (std::size_t file = 0; file < Builder::most_problems + 5; ++file) {
        builder.begin_file("f" + std::to_string(file));
        builder.problem("broken");
    }
    builder.finish();
    REQUIRE(table.problems.size() == Builder::most_problems + 1);
    CHECK(table.problems.front() == "f0: broken");
    CHECK(table.problems.back() == "5 more of this kind");
}

TEST_CASE("times are printed with no more digits than they have")
{
    CHECK(utc_text(0) == "1970-01-01T00:00:00Z");
    CHECK(utc_text(1'517'126'405'250'000'000) == "2018-01-28T08:00:05.25Z");
    CHECK(utc_text(-1) == "1969-12-31T23:59:59.999999999Z");
}

TEST_CASE("no two quantities share a name")
{
    for (const Quantity& quantity : quantities()) CHECK(quantity_named(quantity.name) == &quantity);
    CHECK(quantity_named("tps") == nullptr);
}

TEST_CASE("builder: dm-0, md127 and loop3 are volumes, mdt and dm-x are not")
{
    using enum ComponentType;
    Table table;
    Builder builder(table, {});
    const auto type_of = [&](ComponentType type, const char* name) {
        return table.components[builder.component({"", "n", type, name, ""})].type;
    };
    for (const char* const name : {"dm-0", "md127", "loop3"}) CHECK(type_of(device, name) == volume);
    for (const char* const name : {"dm-", "md", "dm-x", "sda", "nvme0n1"})
        CHECK(type_of(device, name) == device);
    CHECK(type_of(mdt, "md0") == mdt);
}
