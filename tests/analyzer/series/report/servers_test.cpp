// Which server lags, at both sides of every threshold.
#include "analyzer/series/report/servers.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/analyzer/series/report/made_table.h"

using namespace fathom::series;
using namespace fathom::series::testing;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
using Rates = std::vector<double>;

// Four servers: three that reach 100 in the first minute, and one.
ServerLoads loads_with(const Rates& one, const Rates& others, const Choice& choice = {},
                       std::size_t servers = 4)
{
    Table table;
    add_server(table, ost("0"), one);
    for (std::size_t at = 1; at < servers; ++at) {
        Rates rates = others;
        rates.front() = 100;
        add_server(table, ost(std::to_string(at)), rates);
    }
    const Pools pools(table);
    const Pool& pool = pools.pools().at(0);
    return server_loads(pools, pool, load_of(pools, pool, choice), choice);
}

Rates joined(std::initializer_list<std::pair<std::size_t, double>> parts)
{
    Rates rates;
    for (const auto& [count, rate] : parts) rates.insert(rates.end(), count, rate);
    return rates;
}

}  // namespace

TEST_CASE("lags: below 30 % of the peak for 60 minutes while others reach it")
{
    const Rates others(61, 50);
    const ServerLoads loads = loads_with(joined({{60, 29.9}, {1, 31}}), others);
    REQUIRE(loads.lagging.size() == 1);
    const Lag& lag = loads.lagging[0];
    CHECK(lag.server == 0);
    CHECK(lag.begin == 0);
    CHECK(lag.end == 60 * minute);
    CHECK(lag.served == 3600);
    CHECK(lag.highest == Approx(29.9));
    CHECK(lag.others == Approx((100 + 59 * 50) / 60.0));
    CHECK(loads.quiet.empty());
    CHECK(loads_with(joined({{60, 30}, {1, 31}}), others).lagging.empty());
    CHECK(loads_with(joined({{59, 29.9}, {2, 31}}), others).lagging.empty());
    CHECK(loads_with(joined({{30, 29}, {1, 31}, {30, 29}}), others).lagging.empty());
}

TEST_CASE("lags: half of the others must reach the share, and an idle system tells nothing")
{
    const Rates slow(61, 20);
    CHECK(loads_with(slow, Rates(61, 29.9)).lagging.empty());
    CHECK(loads_with(slow, Rates(61, 0)).lagging.empty());
    CHECK(loads_with(slow, Rates(61, 30)).lagging.size() == 1);

    // Of four others two reach it, or one.
    for (const std::size_t busy : {2, 1}) {
        Table table;
        for (std::size_t at = 0; at < 5; ++at)
            add_server(table, ost(std::to_string(at)), Rates(61, at == 0 ? 10 : at <= busy ? 100 : 20));
        const Pools pools(table);
        const ServerLoads loads =
            server_loads(pools, pools.pools()[0], load_of(pools, pools.pools()[0], {}), {});
        // With two of them the three slow ones see half of the others or more.
        CHECK(loads.lagging.size() == (busy == 2 ? 3 : 0));
    }
}

TEST_CASE("lags: one of two servers is no evidence, one of three is")
{
    CHECK(loads_with(Rates(61, 20), Rates(61, 50), {}, 2).lagging.empty());
    CHECK(loads_with(Rates(61, 20), Rates(61, 50), {}, 3).lagging.size() == 1);
}

TEST_CASE("lags: a server without work is not ill")
{
    const Rates others(61, 50);
    CHECK(loads_with(Rates(61, 1), others).lagging.size() == 1);
    CHECK(loads_with(Rates(61, 1), others).quiet.empty());
    CHECK(loads_with(Rates(61, 0.99), others).lagging.empty());
    CHECK(loads_with(Rates(61, 0.99), others).quiet.size() == 1);
    CHECK(loads_with(Rates(61, 0), others).quiet.size() == 1);
    // Half of the time suffices.
    CHECK(loads_with(joined({{31, 20}, {31, 0}}), Rates(62, 50)).lagging.size() == 1);
    CHECK(loads_with(joined({{30, 20}, {32, 0}}), Rates(62, 50)).lagging.empty());
}

TEST_CASE("lags: times in which others rest lengthen a period without being evidence")
{
    const Rates others = joined({{31, 50}, {100, 0}, {30, 50}});
    const ServerLoads loads = loads_with(joined({{31, 20}, {100, 0}, {30, 20}}), others);
    REQUIRE(loads.lagging.size() == 1);
    CHECK(loads.lagging[0].end - loads.lagging[0].begin == 161 * minute);
    CHECK(loads.lagging[0].served == 61 * 60);
}

TEST_CASE("lags: what is unknown for an hour does not end a period, for longer it does")
{
    for (const std::size_t gap : {60, 61}) {
        const ServerLoads loads = loads_with(joined({{40, 20}, {gap, none}, {40, 20}}), Rates(80 + gap, 50));
        CHECK(loads.lagging.size() == (gap == 60 ? 1 : 0));
        if (gap == 60) CHECK(loads.lagging[0].served == 80 * 60);
    }
}

TEST_CASE("lags: share, time and peak can be set")
{
    const Rates slow(61, 20), others(61, 50);
    Choice choice;
    choice.lag_below = 0.2;
    CHECK(loads_with(slow, others, choice).lagging.empty());
    choice = {};
    choice.lag_for = 62 * minute;
    CHECK(loads_with(slow, others, choice).lagging.empty());
    choice = {};
    choice.server_peak = 60;  // 20 is a third of it
    CHECK(loads_with(slow, others, choice).lagging.empty());
    choice.server_peak = 170;  // nobody reaches 51 after the first minute
    CHECK(loads_with(slow, others, choice).lagging.empty());
    CHECK(loads_with(slow, others, choice).peak == 170);
}

TEST_CASE("servers: cells are classed by the highest rate within the hour, from 10, 50 and 90 % on")
{
    Rates rates;
    for (const double highest : {9.9, 10.0, 49.9, 50.0, 89.9, 90.0}) {
        rates.insert(rates.end(), 59, 0);
        rates.push_back(highest);
    }
    const ServerLoads loads = loads_with(rates, Rates(360, 0), {}, 2);
    // The other one has one high hour and five idle ones.
    CHECK(loads.cells == std::array<std::uint64_t, 4>{6, 2, 2, 2});
    REQUIRE(loads.map.size() == 2);
    REQUIRE(loads.slots.count == 6);
    CHECK(loads.map[0][3] == Approx(50));
    CHECK(loads.map[1][0] == Approx(100));
}

TEST_CASE("servers: an hour of which nothing is known is no cell")
{
    const ServerLoads loads = loads_with(joined({{60, 5}, {120, none}, {120, 5}}), Rates(300, 0), {}, 2);
    CHECK(std::isnan(loads.map[0][1]));
    CHECK(loads.cells[0] + loads.cells[1] + loads.cells[2] + loads.cells[3] == 3 + 5);
}

TEST_CASE("servers: imbalance is the largest over the mean, and the standard deviation over it")
{
    Table table;
    add_server(table, ost("a"), {1});
    add_server(table, ost("b"), {3});
    const Pools pools(table);
    const ServerLoads loads = server_loads(pools, pools.pools()[0], load_of(pools, pools.pools()[0], {}), {});
    CHECK(loads.largest_to_mean == Approx(1.5));
    CHECK(loads.variation == Approx(0.5));
}

TEST_CASE("servers: of many servers the map has few rows, each with the highest of its own")
{
    Table table;
    for (int at = 0; at < 100; ++at) add_server(table, ost(std::to_string(1000 + at)), {at + 1.0, 1});
    const Pools pools(table);
    const ServerLoads loads = server_loads(pools, pools.pools()[0], load_of(pools, pools.pools()[0], {}), {});
    CHECK(loads.map.size() == 32);
    CHECK(loads.map.back()[0] == 100);
    CHECK(loads.map.back()[1] == 1);
    std::size_t members = 0;
    for (const Run& band : loads.bands) members += band.bins;
    CHECK(members == 100);
}
