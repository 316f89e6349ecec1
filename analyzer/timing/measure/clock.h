// The clock of a measurement: nanoseconds that no time server slews, read without a system call where it can
// be.
#pragma once

#include <cstdint>
#include <ctime>

namespace fathom::measure {

inline std::uint64_t now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// What two readings that follow one another are apart: this much of each duration is the clock's own.
struct ClockCost {
    std::uint64_t median = 0, longest_of_99_percent = 0;  // nanoseconds
};
ClockCost clock_cost();

}  // namespace fathom::measure
