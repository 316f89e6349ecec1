// Rates, idle periods and days of pools.
#include "analyzer/series/report/load.h"

#include <catch2/catch.hpp>
#include <limits>

#include "analyzer/series/report/days.h"
#include "analyzer/series/report/idle.h"
#include "analyzer/series/report/servers.h"
#include "tests/analyzer/series/report/made_table.h"

using namespace fathom::series;
using namespace fathom::series::testing;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Load load_in(const Table& table, const Choice& choice = {})
{
    const Pools pools(table);
    return load_of(pools, pools.pools().at(0), choice);
}

}  // namespace

TEST_CASE("devices: a bin is as long as asked for, or as samples are apart")
{
    CHECK(bin_length(60 * s, 0) == 60 * s);
    CHECK(bin_length(60 * s, 5 * s) == 60 * s);
    CHECK(bin_length(60 * s, 60 * s) == 60 * s);
    CHECK(bin_length(60 * s, 60 * s + s / 2) == 60 * s);  // a clock drifts
    CHECK(bin_length(60 * s, 61 * s) == 120 * s);
    CHECK(bin_length(60 * s, 300 * s) == 300 * s);
    CHECK(usual_bin({0, 3600 * s}) == 60 * s);
    CHECK(usual_bin({0, 3599 * s}) == 30 * s);
    CHECK(usual_bin({0, 20 * s}) == s);
}

TEST_CASE("devices: a bin is as long as the one sample that there is")
{
    Table table;
    add_server(table, ost("a"), {100});
    const Load load = load_in(table);
    REQUIRE(load.both.size() == 1);
    CHECK(load.both[0] == Approx(100));
    table.series[0].samples = {{0, 15 * s, 1500}};
    table.series[0].usual_interval = 0;
    const std::vector<const Series*> all{&table.series[0]};
    const Grid grid = grid_of(all, {});
    CHECK(grid.length == 15 * s);
    CHECK(grid.count == 1);
}

TEST_CASE("devices: rates of members add up, and are unknown where half of a bin of one is")
{
    Table table;
    add_server(table, ost("a"), {1, 2, 3, 4});
    add_server(table, ost("b"), {10, none, 10, 10});
    table.series[1].samples[1] = {150 * s, 180 * s, 300};  // half of the third bin
    table.series[1].samples[2] = {211 * s, 240 * s, 290};  // less than half of the fourth
    const Load load = load_in(table);
    REQUIRE(load.both.size() == 4);
    CHECK(load.both[0] == Approx(11));
    CHECK(std::isnan(load.both[1]));
    CHECK(load.both[2] == Approx(13));
    CHECK(std::isnan(load.both[3]));
    CHECK(load.known == 2);
    CHECK(load.mean == Approx(12));
    CHECK(load.peak == Approx(13));
    CHECK(load.peak_bin == 2);
    CHECK(load.written.empty());
    CHECK(load.bytes() == Approx(600 + 600 + 300 + 290));
}

TEST_CASE("devices: a series that begins late is not missing before, and one that lacks samples is")
{
    Table table;
    add_server(table, ost("a"), {1, 2, 3, 4});
    add_server(table, ost("a"), {none, 10, none, 10}, "bytes_written");
    table.series[1].component = 0;
    table.components.pop_back();
    const Load load = load_in(table);
    CHECK(load.both[0] == Approx(1));
    CHECK(load.both[1] == Approx(12));
    CHECK(std::isnan(load.both[2]));
    const Pools pools(table);
    const ServerLoads servers = server_loads(pools, pools.pools()[0], load, {});
    REQUIRE(servers.map.size() == 1);
    CHECK(servers.map[0][0] == Approx(1));
    CHECK(servers.map[0][1] == Approx(12));
    CHECK(std::isnan(servers.map[0][2]));
    CHECK(servers.peak == Approx(14));
}

TEST_CASE("devices: a sample longer than a bin and than usual counts in the total alone")
{
    Table table;
    add_server(table, ost("a"), {1, 1, 1, 1, 1, 1, 1, 1});
    auto& samples = table.series[0].samples;
    samples.erase(samples.begin() + 3, samples.begin() + 6);
    samples[2] = {2 * minute, 6 * minute, 1000};
    const Load load = load_in(table);
    CHECK(load.untimed == 1000);
    CHECK(load.bytes_read == Approx(1000 + 4 * 60));
    CHECK(std::isnan(load.both[2]));
    CHECK(std::isnan(load.both[5]));
    CHECK(load.both[6] == Approx(1));

    // With bins that are as long nothing is lost.
    Choice choice;
    choice.bin = 4 * minute;
    CHECK(load_in(table, choice).untimed == 0);
    CHECK(load_in(table, choice).known == 2);
}

TEST_CASE("devices: a first or last bin that is not half covered is not begun with")
{
    Table table;
    add_server(table, ost("a"), {1, 1, 1});
    auto& samples = table.series[0].samples;
    samples.front().begin = 31 * s;
    samples.back().end = 149 * s;
    CHECK(load_in(table).grid.begin == minute);
    CHECK(load_in(table).grid.count == 1);
    samples.front().begin = 30 * s;
    samples.back().end = 150 * s;
    CHECK(load_in(table).grid.begin == 0);
    CHECK(load_in(table).grid.count == 3);
}

TEST_CASE("devices: quantiles are values that were there")
{
    const std::vector<double> values = {1, 2, 3, 4};
    CHECK(quantile_of(values, 0) == 1);
    CHECK(quantile_of(values, 0.25) == 1);
    CHECK(quantile_of(values, 0.26) == 2);
    CHECK(quantile_of(values, 1) == 4);
    CHECK(quantile_of({}, 0.5) == 0);
}

TEST_CASE("devices: idle is below the limit, and a gap ends an idle period")
{
    const std::vector<double> rates = {4.9, 0, 5, 0, none, 0, 4.9};
    const auto idle = idle_periods(rates, 5);
    REQUIRE(idle.size() == 3);
    CHECK((idle[0].first == 0 && idle[0].bins == 2));
    CHECK((idle[1].first == 3 && idle[1].bins == 1));
    CHECK((idle[2].first == 5 && idle[2].bins == 2));
    CHECK(still_periods(rates).size() == 3);
    CHECK(still_periods(std::vector<double>{1e-9}).empty());
}

TEST_CASE("devices: classes of idle periods are those of table III, at both sides of each bound")
{
    const std::vector<std::pair<std::size_t, std::size_t>> minutes_and_class = {
        {1, 0},  {2, 1},  {5, 1},  {6, 2},  {10, 2}, {11, 3}, {20, 3}, {21, 4},
        {30, 4}, {31, 5}, {40, 5}, {41, 6}, {50, 6}, {51, 7}, {60, 7}, {61, 8}};
    for (const auto& [minutes, of] : minutes_and_class) {
        const std::vector<Run> one = {{0, minutes}};
        const IdleClasses classes = classes_of(one, minute);
        CHECK(classes[of].periods == 1);
        CHECK(classes[of].bins == minutes);
    }
    // Twelve bins of five minutes are an hour.
    CHECK(classes_of(std::vector<Run>{{0, 12}}, 5 * minute)[7].periods == 1);
    CHECK(classes_of(std::vector<Run>{{0, 13}}, 5 * minute)[8].periods == 1);
}

TEST_CASE("devices: bytes of a gap count on the day that it lies in, and on none where it lies in two")
{
    constexpr Nanoseconds day = 86400 * s;
    Table table;
    add_server(table, ost("a"), {1, 1});
    auto& series = table.series[0];
    series.samples.push_back({2 * minute, day - minute, 5000});
    series.samples.push_back({day - minute, day, 60});
    const Pools pools(table);
    const auto days = [&] { return days_of(pools, pools.pools()[0], load_of(pools, pools.pools()[0], {})); };
    CHECK(days().days.size() == 1);
    CHECK(days().days[0].bytes_read == Approx(5180));
    CHECK(days().days[0].known == Approx(3.0 / 1440));
    CHECK(days().undated == 0);
    series.samples[2].end = series.samples[3].begin = day + minute;
    series.samples[3].end = day + 2 * minute;
    CHECK(days().days.size() == 2);
    CHECK(days().days[0].bytes_read == Approx(120));
    CHECK(days().days[1].bytes_read == Approx(60));
    CHECK(days().undated == 5000);
}
