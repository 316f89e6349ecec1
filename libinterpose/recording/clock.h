// The clock that calls are timed by: the processor's counter where that is as good as a clock.
#pragma once

#include "logformat/part/part.h"

namespace fathom {

extern ClockKind clock_kind __attribute__((visibility("hidden")));

ClockKind best_clock();

// Stops the clock, which then shows the same for ever; what follows takes no time.
void stop_clock();
void go_on_with_clock();
bool clock_is_stopped();
std::uint64_t other_clock();

// All clocks at one moment: read again where the thread was interrupted in between.
struct Moment {
    std::uint64_t ticks = 0, monotonic_ns = 0, unix_ns = 0;
};
Moment this_moment(ClockKind kind);

// Ticks by which a short call seems to take longer when it is timed than it does.
std::uint64_t clock_cost();

inline std::uint64_t now()
{
    return __builtin_expect(clock_kind == ClockKind::tsc, 1) ? __builtin_ia32_rdtsc() : other_clock();
}

}  // namespace fathom
