// Times as programs print them; local times when daylight saving begins and ends.
#include "parsers/series/clock.h"

#include <stdexcept>

#include "parsers/series/words.h"
#include "tests/parsers/series/read_text.h"

using namespace fathom::series;
using testing::at;

namespace {

std::vector<std::string> instants(const char* zone, std::initializer_list<const char*> times, Table& table)
{
    const ZoneInUse in_use(zone);
    Builder builder(table);
    builder.begin_file("file");
    LocalClock clock(builder);
    std::vector<std::string> out;
    for (const char* const time : times) {
        const auto instant = clock.instant(*civil_in(time));
        out.push_back(instant ? utc_text(*instant) : "none");
    }
    builder.finish();
    return out;
}

}  // namespace

TEST_CASE("series: times are known in the forms that programs print")
{
    const Civil moment{2026, 11, 23, 20, 12, 49, 0, {}};
    for (const char* const text : {"2026-11-23 20:12:49", "2026-11-23T20:12:49", "2026-11-23-20:12:49",
                                   "11/23/26 20:12:49", "11/23/2026 08:12:49 PM", "23.11.2026 20:12:49",
                                   "Mon Nov 23 20:12:49 CET 2026", " 2026-11-23 20:12:49\r"})
        CHECK(civil_in(text) == moment);
    CHECK(civil_in("23/11/26 20:12:49", true) == moment);
    CHECK_FALSE(civil_in("23/11/26 20:12:49"));
    CHECK(civil_in("11/23/2026 12:00:01 AM")->hour == 0);
    CHECK(civil_in("11/23/2026 12:00:01 PM")->hour == 12);
    CHECK(civil_in("2026-11-23T20:12:49.25Z") == Civil{2026, 11, 23, 20, 12, 49, 250'000'000, 0});
    CHECK(civil_in("2026-11-23T20:12:49+0100")->offset == 3600);
    CHECK(civil_in("2026-11-23T20:12:49-05:30")->offset == -19800);
    CHECK(civil_in("Mon Nov 23 20:06:57 UTC 2026")->offset == 0);
    for (const char* const text :
         {"", "2026", "2026-13-01 00:00:00", "2026-02-30 00:00:00", "2026-11-23 24:00:00",
          "2026-11-23 20:12:49 x", "1234/1/1 1:1:1", "11/23/26", "2026-11-23T20:12:49+99"})
        CHECK_FALSE(civil_in(text));
    CHECK(day_comes_first("23/11/26") == true);
    CHECK(day_comes_first("11/23/26") == false);
    CHECK_FALSE(day_comes_first("11/12/26"));
}

TEST_CASE("series: the hour that comes twice is told apart by the order of lines")
{
    Table table;
    CHECK(instants("America/New_York",
                   {"2026-11-01 00:59:00", "2026-11-01 01:30:00", "2026-11-01 01:59:00",
                    "2026-11-01 01:00:00", "2026-11-01 01:30:00", "2026-11-01 02:00:00"},
                   table) == std::vector<std::string>{"2026-11-01T04:59:00Z", "2026-11-01T05:30:00Z",
                                                      "2026-11-01T05:59:00Z", "2026-11-01T06:00:00Z",
                                                      "2026-11-01T06:30:00Z", "2026-11-01T07:00:00Z"});
    CHECK(table.problems.empty());
}

TEST_CASE("series: the hour that does not exist is named, with its zone")
{
    Table table;
    CHECK(instants("America/New_York", {"2026-03-08 01:59:59", "2026-03-08 02:30:00", "2026-03-08 03:00:00"},
                   table) ==
          std::vector<std::string>{"2026-03-08T06:59:59Z", "none", "2026-03-08T07:00:00Z"});
    REQUIRE(table.problems.size() == 1);
    CHECK_THAT(table.problems[0], Catch::Contains("1 sample is left out") &&
                                      Catch::Contains("America/New_York") &&
                                      Catch::Contains("2026-03-08 02:30:00"));
}

TEST_CASE("series: a zone of its own in the text goes before the one that is set")
{
    Table table;
    CHECK(instants("America/New_York", {"2026-03-08T02:30:00+0000"}, table)[0] == "2026-03-08T02:30:00Z");
}

TEST_CASE("series: unknown time zones are refused, and the one before comes back")
{
    for (const char* const zone : {"Mars/Olympus", "../../../etc/passwd", "/etc/localtime", ":UTC"})
        CHECK_THROWS_AS(ZoneInUse(zone), std::invalid_argument);
    Table table;
    const ZoneInUse outer("UTC");
    instants("Asia/Tokyo", {"2026-01-01 09:00:00"}, table);
    Builder builder(table);
    CHECK(LocalClock(builder).instant(*civil_in("2026-01-01 09:00:00")) == at("2026-01-01 09:00:00"));
}

TEST_CASE("series: numbers, and what is none")
{
    CHECK(number_in("1.5") == 1.5);
    CHECK(number_in("0,25") == 0.25);
    CHECK(number_in("-3") == -3.0);
    for (const char* const text : {"", "1e999", "nan", "inf", "-inf", "1.5x", "1,2,3", "0x10", " 1"})
        CHECK_FALSE(number_in(text));
    CHECK(unix_time("1489998203") == 1489998203 * one_second);
    CHECK(unix_time("1489998203.25") == 1489998203 * one_second + 250'000'000);
    CHECK(unix_time("1489998203250") == 1489998203 * one_second + 250'000'000);
    for (const char* const text : {"-1", "1e300", "99999999999999999999"}) CHECK_FALSE(unix_time(text));
}
