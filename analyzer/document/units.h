// How each measure is printed: the same characters in every renderer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"

namespace fathom::report {

std::string format_count(std::uint64_t n);  // 1,234,567
// "1 rank", "1,234 ranks"
std::string counted(std::uint64_t n, std::string_view one, std::string_view many);
std::string format_bytes(std::uint64_t n);       // 512 B, 4.00 KiB, 1.50 GiB
std::string format_seconds(double time);         // 12.3 µs, 4.56 ms, 1.23 s, 12 min 34 s, 3 h 25 min
std::string format_rate(double mib_per_second);  // 123 MiB/s
std::string format_share(double part);           // 12.3 %
std::string format_instant(std::uint64_t unix_nanoseconds);  // 2026-11-21 09:33:58 UTC

// A value on the axis of a chart: short, and 0 without a unit.
std::string format_tick(Measure measure, double value);

// A value of a chart as a cell: counts and bytes are whole numbers again; NaN is not known.
Cell cell_of(Measure measure, double value);

// "-" where the cell is not known. Text comes as it is, not made printable.
std::string format(const Cell& cell);

constexpr bool is_number(Measure measure)
{
    return measure != Measure::text && measure != Measure::path;
}

}  // namespace fathom::report
