// Two records of one file become one: each counter by its own rule.
#include <catch2/catch.hpp>

#include "tests/logformat/sample.h"

using namespace fathom;
using namespace fathom::sample;

namespace {

std::uint64_t merged(Rule rule, std::uint64_t into, std::uint64_t from)
{
    merge_value(into, from, rule);
    return into;
}

}  // namespace

TEST_CASE("a rule says what two numbers become")
{
    struct Case {
        Rule rule;
        std::uint64_t into, from, expected;
    };
    const Case cases[] = {
        {Rule::sum, 2, 3, 5},      {Rule::sum, 0, 0, 0},      {Rule::largest, 2, 3, 3},
        {Rule::largest, 3, 2, 3},  {Rule::earliest, 5, 3, 3}, {Rule::earliest, 3, 5, 3},
        {Rule::earliest, 0, 5, 5}, {Rule::earliest, 5, 0, 5},  // 0 is "never"
        {Rule::earliest, 0, 0, 0}, {Rule::key, 7, 9, 7},      {Rule::own, 7, 9, 7},
    };
    for (const Case& one : cases) {
        INFO("rule " << int(one.rule) << ": " << one.into << " and " << one.from);
        CHECK(merged(one.rule, one.into, one.from) == one.expected);
    }
}

TEST_CASE("merging two records applies the rule of every plain counter")
{
    each_row_type([](auto type, std::string_view name) {
        using Row = decltype(type);
        Log texts;
        const Row one = distinct_row<Row>(1, texts), other = distinct_row<Row>(2, texts);
        Row both = one;
        merge(both, other);
        const Columns columns = columns_of<Row>();
        for (const Column& column : columns.all()) {
            if (column.rule == Rule::own || column.type == ScalarType::text) continue;
            const auto number = [&](const Row& row) { return load<std::uint64_t>(&row, column); };
            INFO(name << "." << column.label());
            CHECK(number(both) == merged(column.rule, number(one), number(other)));
        }
    });
}

TEST_CASE("merging with an empty record changes nothing")
{
    each_row_type([](auto type, std::string_view name) {
        using Row = decltype(type);
        Log texts;
        const Row one = distinct_row<Row>(1, texts);
        Row both = one;
        merge(both, Row{});
        INFO("table " << name);
        CHECK(first_difference(both, one).empty());
    });
}

TEST_CASE("totals take every counter of a record that has the name of one of theirs")
{
    Log texts;
    const auto counters = distinct_row<Transfers>(1, texts);
    Totals totals;
    merge_same(totals, counters);
    merge_same(totals, counters);
    const Columns columns = columns_of<Totals>(), from = columns_of<Transfers>();
    for (const Column& column : columns.all()) {
        if (column.rule == Rule::key || column.label() == "files") continue;
        INFO(column.label());
        bool found = false;
        for (const Column& one : from.all())
            if (one.label() == column.label()) {
                found = true;
                CHECK(load<std::uint64_t>(&totals, column) == 2 * load<std::uint64_t>(&counters, one));
            }
        CHECK(found);
    }
    CHECK(totals.files == 0);
    CHECK(totals.process == 0);
}

TEST_CASE("a row has something counted where one of its sums is not 0")
{
    CHECK_FALSE(any_counted(Totals{}));
    CHECK_FALSE(any_counted(Totals{.process = 3, .layer = 1, .scope = 2}));
    CHECK(any_counted(Totals{.metadata_time = 1}));
}

TEST_CASE("merging keeps the slowest process with its bytes")
{
    Slowest slowest;
    const ProcessShare shares[] = {{4, 100, 1}, {2, 300, 2}, {7, 200, 3}, {9, 300, 4}};
    for (const ProcessShare& share : shares) slowest.merge(Slowest{share});
    CHECK(slowest.process == 2);  // the first of equals
    CHECK(slowest.time == 300);
    CHECK(slowest.bytes == 2);
}

TEST_CASE("merging keeps the fastest process with its bytes")
{
    Fastest fastest;
    const ProcessShare shares[] = {{4, 200, 1}, {2, 100, 2}, {7, 300, 3}, {9, 100, 4}};
    for (const ProcessShare& share : shares) fastest.merge(Fastest{share});
    CHECK(fastest.process == 2);
    CHECK(fastest.time == 100);
    CHECK(fastest.bytes == 2);
}

TEST_CASE("a process that took no time at all is the fastest one, not none")
{
    Fastest fastest;
    fastest.merge(Fastest{{3, 50, 10}});
    fastest.merge(Fastest{{5, 0, 0}});
    CHECK(fastest.process == 5);
    Slowest slowest;
    slowest.merge(Slowest{{5, 0, 0}});
    CHECK(slowest.process == 5);
    slowest.merge(Slowest{});
    CHECK(slowest.process == 5);
}

TEST_CASE("merging keeps the slowest call with its size")
{
    SlowestCall slowest{10, 4096};
    slowest.merge({9, 1});
    CHECK(slowest.size == 4096);
    slowest.merge({11, 7});
    CHECK(slowest.time == 11);
    CHECK(slowest.size == 7);
}
