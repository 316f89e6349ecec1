// Cells and texts that several sections of a study have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

inline constexpr double gigabyte = 1e9;
inline constexpr Number milliseconds_an_hour = 3'600'000;
inline constexpr double mebibyte_size = 1 << 20;
// Beacon's: less is trivial I/O.
inline constexpr Number trivial_bytes = 200'000'000;

// Hours of a sum of milliseconds.
double hours_of(Number milliseconds);

// Unknown where there is none.
report::Cell number_cell(std::optional<double> value, int decimals);
report::Cell share_cell(std::optional<double> value, int decimals);
report::Cell share_cell(std::uint64_t part, std::uint64_t whole);

// Hours of many sizes, all in one unit: "10.9/11.8 M", "12.5 K", "3.2".
class HourWords {
  public:
    explicit HourWords(double largest);
    std::string number(double hours) const;  // without the unit
    std::string_view unit() const;           // " M", " K" or nothing

  private:
    double scale_ = 1;
};

// A case of SQL: the place of the first bound that the expression does not exceed; 0 where it is NULL or not
// above 0, as many as bounds and 1 where it exceeds all.
template <class Bounds>
std::string class_in_sql(std::string_view expression, const Bounds& bounds)
{
    const std::string of(expression);
    std::string sql = "case when " + of + " is null or " + of + " <= 0 then 0";
    std::size_t place = 1;
    for (const Number bound : bounds)
        sql += " when " + of + " <= " + std::to_string(bound) + " then " + std::to_string(place++);
    return sql + " else " + std::to_string(place) + " end";
}

}  // namespace fathom::jobs
