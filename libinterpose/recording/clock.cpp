// Chooses the clock, and stops it.
#include "libinterpose/recording/clock.h"

#include <cpuid.h>

namespace fathom {

constinit ClockKind clock_kind = ClockKind::monotonic;

namespace {

constinit int stops = 0;
constinit std::uint64_t stopped_at = 0;

}  // namespace

ClockKind best_clock()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
    return invariant ? ClockKind::tsc : ClockKind::monotonic;
}

void stop_clock()
{
    if (stops++ > 0) return;
    stopped_at = now();
    clock_kind = ClockKind::monotonic;
}

void go_on_with_clock()
{
    if (--stops == 0) clock_kind = best_clock();
}

bool clock_is_stopped()
{
    return stops > 0;
}

std::uint64_t other_clock()
{
    return clock_is_stopped() ? stopped_at : ticks_now(clock_kind);
}

}  // namespace fathom
