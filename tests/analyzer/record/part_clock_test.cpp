// A part's clock where the clocks of its node were set, or are others than those of the process that made it.
#include "analyzer/record/part_clock.h"

#include <catch2/catch.hpp>
#include <memory>
#include <unistd.h>

using namespace fathom;

namespace {

constexpr std::uint64_t ms = 1'000'000, second = 1000 * ms;

// A part that was begun 20 ms ago, by clocks that are now that much ahead of what they were.
double duration_of_ten_ms(std::uint64_t monotonic_ahead, std::uint64_t unix_ahead)
{
    const auto header = std::make_unique<PartHeader>();
    header->clock = ClockKind::tsc;
    header->start_ticks = ticks_now(ClockKind::tsc);
    header->start_monotonic_ns = ticks_now(ClockKind::monotonic) - monotonic_ahead;
    header->start_ns = unix_ns_now() - unix_ahead;
    const std::uint64_t begin = ticks_now(ClockKind::monotonic), first = ticks_now(ClockKind::tsc);
    usleep(20'000);
    const std::uint64_t took = ticks_now(ClockKind::monotonic) - begin, last = ticks_now(ClockKind::tsc);
    return static_cast<double>(clock_of(*header).duration(last - first)) / static_cast<double>(took) * 10;
}

}  // namespace

TEST_CASE("durations do not change with a clock that is set, or is another one here")
{
    CHECK(duration_of_ten_ms(0, 0) == Approx(10).epsilon(0.01));
    CHECK(duration_of_ten_ms(0, 5 * second) == Approx(10).epsilon(0.01));
    CHECK(duration_of_ten_ms(0, -5 * second) == Approx(10).epsilon(0.01));
    CHECK(duration_of_ten_ms(86'400 * second, 0) == Approx(10).epsilon(0.01));
    CHECK(duration_of_ten_ms(-86'400 * second, 0) == Approx(10).epsilon(0.01));
    // Restarted since: what is left is how fast ticks go.
    CHECK(duration_of_ten_ms(-86'400 * second, 3600 * second) == Approx(10).epsilon(0.02));
}
