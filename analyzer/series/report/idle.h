// Periods in which a pool did next to nothing.
//
// Source: Carns et al. (ACM TOS 2011), section 4, table III: consecutive intervals of 60 s below 5 % of the
// peak.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/series/report/load.h"

namespace fathom::series {

// A period is in the first class whose minutes it does not exceed; the last class has those above.
inline constexpr std::array<Nanoseconds, 8> idle_class_minutes = {1, 5, 10, 20, 30, 40, 50, 60};

struct IdleClass {
    std::uint64_t periods = 0, bins = 0;
};
using IdleClasses = std::array<IdleClass, idle_class_minutes.size() + 1>;

// Known bins in a row whose rate is below `limit`. What is not known ends a period.
std::vector<Run> idle_periods(std::span<const double> rates, double limit);
// In which nothing was moved at all.
std::vector<Run> still_periods(std::span<const double> rates);

IdleClasses classes_of(std::span<const Run> periods, Nanoseconds bin);

}  // namespace fathom::series
