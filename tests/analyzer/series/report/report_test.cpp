// The whole document: which sections it has, and what its first one says.
#include "analyzer/series/report/report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/analyzer/series/report/made_table.h"

using namespace fathom::series;
using namespace fathom::series::testing;
using Catch::Contains;

namespace {

std::vector<std::string> sections_of(const Table& table)
{
    std::vector<std::string> ids;
    for (const auto& section : make_report(table, {}, {}).sections) ids.push_back(section.id);
    return ids;
}

// Sentences of all sections.
std::string text_of(const Table& table, const Choice& choice = {})
{
    std::string words;
    for (const auto& section : make_report(table, choice, {}).sections)
        for (const auto& block : section.blocks) {
            if (const auto* paragraph = std::get_if<fathom::report::Paragraph>(&block))
                words += paragraph->text + "\n";
            if (const auto* note = std::get_if<fathom::report::Note>(&block)) words += note->text + "\n";
        }
    return words;
}

void add_level(Table& table, Component component, const std::string& quantity, std::vector<double> values)
{
    Series series{static_cast<std::uint32_t>(table.components.size()), Kind::level, quantity, {}, minute};
    for (std::size_t at = 0; at < table.components.size(); ++at)
        if (table.components[at] == component) series.component = static_cast<std::uint32_t>(at);
    if (series.component == table.components.size()) table.components.push_back(std::move(component));
    for (std::size_t at = 0; at < values.size(); ++at) {
        const Nanoseconds time = static_cast<Nanoseconds>(at) * 86400 * s;
        series.samples.push_back({time, time, values[at]});
    }
    table.series.push_back(std::move(series));
}

}  // namespace

TEST_CASE("devices: only sections with data appear")
{
    using Ids = std::vector<std::string>;
    CHECK(sections_of({}) == Ids{});
    Table table;
    add_server(table, ost("OST0000"), {1e6, 1e6, 1e6});
    CHECK(sections_of(table) == Ids{"overview", "throughput", "distribution", "days", "read"});
    add_server(table, ost("OST0001"), {1e6, 0, 1e6});
    CHECK(sections_of(table) == Ids{"overview", "throughput", "distribution", "days", "servers", "read"});
    add_server(table, {"scratch", "mds", ComponentType::mdt, "MDT0000", {}}, {5, 6, 7}, "opens");
    add_level(table, ost("OST0000"), "bytes_used", {3});
    CHECK(sections_of(table).size() == 7);  // how much is free is not known
    add_level(table, ost("OST0000"), "bytes_free", {1});
    CHECK(sections_of(table) ==
          Ids{"overview", "throughput", "distribution", "days", "servers", "metadata", "space", "read"});
    Table idle;
    add_server(idle, ost("OST0000"), {1e6, 1e3, 1e6});
    CHECK(sections_of(idle) == Ids{"overview", "throughput", "distribution", "idle", "days", "read"});
    Table still;
    add_server(still, ost("OST0000"), {0, 0});
    CHECK(sections_of(still) == Ids{"overview", "throughput", "days", "read"});
}

TEST_CASE("devices: the first section says how busy, how even, who lags and when nothing is known")
{
    Table table;
    const double none = std::numeric_limits<double>::quiet_NaN(), mib = 1 << 20;
    std::vector<double> well(100, 50 * mib), ill(100, 20 * mib);
    well[99] = 100 * mib;
    for (std::size_t at = 80; at < 90; ++at) well[at] = ill[at] = none;
    for (const char* const name : {"OST0000", "OST0001", "OST0002"}) add_server(table, ost(name), well);
    add_server(table, ost("OST0003"), ill);
    const std::string text = text_of(table);
    CHECK_THAT(text, Contains("scratch, 4 OSTs read 905 GiB") && Contains("320 MiB/s at its peak"));
    CHECK_THAT(
        text,
        Contains("of the time not all is known, in 1 gap; the longest: 1970-01-01 01:20:00 to 01:30:00 UTC"));
    CHECK_THAT(text, Contains("OST0003 of scratch lags"));
    CHECK_THAT(text, Contains("4 servers were compared. 1 time one of them stayed below 30 %"));
    Choice choice;
    choice.lag_below = 0.2;
    CHECK_THAT(text_of(table, choice), Contains("None of 4 servers stayed below 20 % of its peak"));
}

TEST_CASE("devices: a target of which only the space is known moved nothing, and is no server of the load")
{
    Table table;
    add_server(table, ost("OST0000"), {1e6, 1e6});
    add_server(table, ost("OST0001"), {1e6, 3e6});
    for (const char* const name : {"OST0002", "OST0003"}) {
        add_level(table, ost(name), "bytes_used", {1});
        add_level(table, ost(name), "bytes_free", {1});
    }
    const std::string text = text_of(table);
    CHECK_THAT(text, Contains("scratch, 2 OSTs read") && Contains("1.33 times the mean of the 2 OSTs"));
    CHECK_THAT(text, !Contains("moved nothing"));
}

TEST_CASE("devices: space is full by what users can have, and growth takes a day")
{
    constexpr double gib = 1 << 30;
    Table table;
    add_level(table, ost("OST0000"), "bytes_used", {60 * gib, 80 * gib});
    add_level(table, ost("OST0000"), "bytes_free", {40 * gib, 20 * gib});
    add_level(table, ost("OST0000"), "bytes_total", {120 * gib, 120 * gib});
    add_level(table, ost("OST0001"), "bytes_used", {10 * gib});
    add_level(table, ost("OST0001"), "bytes_total", {100 * gib});
    const auto document = make_report(table, {}, {});
    const auto section = std::find_if(document.sections.begin(), document.sections.end(),
                                      [](const auto& one) { return one.id == "space"; });
    REQUIRE(section != document.sections.end());
    const auto& fullest = std::get<fathom::report::DataTable>(section->blocks[1]);
    REQUIRE(fullest.rows.size() == 2);
    const auto number_at = [&](std::size_t row, const std::string& id) {
        const auto column = std::find_if(fullest.columns.begin(), fullest.columns.end(),
                                         [&](const auto& one) { return one.id == id; });
        REQUIRE(column != fullest.columns.end());
        const auto& cell = fullest.rows[row][static_cast<std::size_t>(column - fullest.columns.begin())];
        return cell.known() ? std::get<double>(cell.value) : -1;
    };
    CHECK(number_at(0, "full") == Approx(0.8));
    CHECK(number_at(0, "growth_gib") == Approx(20));
    CHECK(number_at(0, "days_left") == Approx(1));
    CHECK(number_at(1, "full") == Approx(0.1));
    CHECK(number_at(1, "growth_gib") == -1);
    CHECK_THAT(text_of(table), Contains("scratch, OST0000 is the fullest of 2: 80 % of its space is in use"));
}
