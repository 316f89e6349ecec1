// Darshan's numbers as ours: seconds since the job's start become nanoseconds of UNIX time, and whatever
// bytes say a double or a count is, no conversion leaves its range.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "parsers/darshan/records.h"

namespace fathom::darshan {

inline constexpr double ns_per_second = 1e9;
inline constexpr double not_recorded = -1;
// Longer than any job's, and short enough that sums of some fit 64 bits.
inline constexpr double most_seconds = 9e9;

// Nanoseconds, rounded; nothing for what is negative, not finite or longer than most_seconds.
inline std::optional<std::uint64_t> ns_of(double seconds)
{
    if (!(seconds >= 0 && seconds <= most_seconds)) return std::nullopt;
    // As llround() does, in place: there are two of them in each operation of a trace.
    const double ns = seconds * ns_per_second;
    const auto whole = static_cast<std::uint64_t>(ns);
    return whole + (ns - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

// A whole number of at least 0.
inline std::optional<std::uint64_t> count_of(std::int64_t number)
{
    if (number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

// Of a sum of squares or a variance: 0 where it is none.
inline double at_least_0(double number)
{
    return std::isfinite(number) && number > 0 ? number : 0;
}

constexpr std::uint64_t sum_within(std::uint64_t a, std::uint64_t b)
{
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return a > most - b ? most : a + b;
}

// When the job ran. Where its start is not known, times count from 1970.
struct JobClock {
    std::uint64_t start = 0, end = 0;  // ns of UNIX time

    explicit JobClock(const JobRecord& job)
    {
        constexpr std::int64_t most = std::int64_t{1} << 32;  // the year 2106
        const auto instant_of = [](std::int64_t seconds, std::int64_t ns) {
            if (seconds <= 0 || seconds > most || ns < 0 || ns > 1'000'000'000) return std::uint64_t{0};
            return static_cast<std::uint64_t>(seconds) * 1'000'000'000 + static_cast<std::uint64_t>(ns);
        };
        start = instant_of(job.start, job.start_ns);
        // Where only whole seconds are known, the last one that was begun counts too.
        end = instant_of(job.end, job.has_ns ? job.end_ns : 1'000'000'000);
        if (end < start) end = start;
    }

    // 0, which is "never", for 0 and for what is no time.
    std::uint64_t instant(double seconds) const
    {
        const auto ns = ns_of(seconds);
        return ns && *ns > 0 ? start + *ns : 0;
    }
};

}  // namespace fathom::darshan
