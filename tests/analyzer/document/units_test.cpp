// One way to print each unit.
#include "analyzer/document/units.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace fathom::report;

TEST_CASE("counts have separators")
{
    CHECK(format_count(0) == "0");
    CHECK(format_count(999) == "999");
    CHECK(format_count(1234567) == "1,234,567");
    CHECK(format_count(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("a number without a unit has four significant digits, and all before the point")
{
    const auto shown = [](double value) { return format(number(value)); };
    CHECK(shown(0) == "0");
    CHECK(shown(1.0 / 3) == "0.3333");
    CHECK(shown(0.01) == "0.01000");
    CHECK(shown(-5.573650) == "-5.574");
    CHECK(shown(16382.037) == "16382");
    CHECK(shown(2.25e-12) == "2.250e-12");
    CHECK(shown(NAN) == "-");
}

TEST_CASE("bytes are whole where they are, else three digits")
{
    CHECK(format_bytes(0) == "0 B");
    CHECK(format_bytes(1023) == "1023 B");
    CHECK(format_bytes(1024) == "1 KiB");
    CHECK(format_bytes(1536) == "1.50 KiB");
    CHECK(format_bytes((1u << 20) - 1) == "1.00 MiB");
    CHECK(format_bytes(std::uint64_t{5} << 40) == "5 TiB");
    CHECK(format_bytes(std::numeric_limits<std::uint64_t>::max()) == "16 EiB");
}

TEST_CASE("seconds go from nanoseconds to hours")
{
    CHECK(format_seconds(0) == "0 s");
    CHECK(format_seconds(12e-9) == "12.0 ns");
    CHECK(format_seconds(12.34e-6) == "12.3 µs");
    CHECK(format_seconds(0.00456) == "4.56 ms");
    CHECK(format_seconds(1.234) == "1.23 s");
    CHECK(format_seconds(754) == "12 min 34 s");
    CHECK(format_seconds(12300) == "3 h 25 min");
    CHECK(format_seconds(std::numeric_limits<double>::quiet_NaN()) == "-");
}

TEST_CASE("rates and shares")
{
    CHECK(format_rate(1234.5) == "1,235 MiB/s");
    CHECK(format_rate(12.34) == "12.3 MiB/s");
    CHECK(format_rate(0.00123) == "0.0012 MiB/s");
    CHECK(format_share(0.5) == "50 %");
    CHECK(format_share(0.123) == "12.3 %");
    CHECK(format_share(0.0001) == "< 0.1 %");
    CHECK(format_share(0.99999) == "> 99.9 %");
    CHECK(format_share(1) == "100 %");
}

TEST_CASE("instants are UTC, and what is not known is a dash")
{
    CHECK(format_instant(1'800'000'000'000'000'000) == "2027-01-15 08:00:00 UTC");
    CHECK(format(unknown()) == "-");
    CHECK(format(share_of(1, 0)) == "-");
}

TEST_CASE("ticks are short")
{
    CHECK(format_tick(Measure::seconds, 30) == "30 s");
    CHECK(format_tick(Measure::seconds, 0.25) == "250 ms");
    CHECK(format_tick(Measure::seconds, -1) == "-1 s");
    CHECK(format_tick(Measure::bytes, -2048) == "-2 KiB");
    CHECK(format_tick(Measure::count, 0) == "0");
    CHECK(format_tick(Measure::count, 12500) == "12.5 k");
    CHECK(format_tick(Measure::bytes, 2048) == "2 KiB");
}
