// UNIX time may have been set since; processes in a time namespace of their own have another monotonic clock.
#include "analyzer/record/part_clock.h"

#include <chrono>
#include <cmath>
#include <thread>

namespace fathom {
namespace {

struct Reading {
    std::uint64_t ticks = 0, ns = 0;
};

// The best of several, since this process may be interrupted between two clocks.
Reading read_clocks(ClockKind kind)
{
    constexpr int looks = 16;
    Reading best;
    std::uint64_t best_took = ~std::uint64_t{0};
    for (int look = 0; look < looks; ++look) {
        const std::uint64_t before = ticks_now(kind), ns = ticks_now(ClockKind::monotonic);
        const std::uint64_t took = ticks_now(kind) - before;
        if (took >= best_took) continue;
        best_took = took;
        best = {before + took / 2, ns};
    }
    return best;
}

// Nanoseconds in a tick; 0: not known.
double speed(const Reading& from, const Reading& to)
{
    if (to.ticks <= from.ticks || to.ns <= from.ns) return 0;
    return static_cast<double>(to.ns - from.ns) / static_cast<double>(to.ticks - from.ticks);
}

bool agree(double one, double other)
{
    return one > 0 && other > 0 && std::abs(one / other - 1) < 0.01;
}

double measured_speed(ClockKind kind)
{
    const Reading start = read_clocks(kind);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return speed(start, read_clocks(kind));
}

double speed_of(const PartHeader& header)
{
    const std::uint64_t ticks = ticks_now(header.clock);
    const double by_monotonic =
        speed({header.start_ticks, header.start_monotonic_ns}, {ticks, ticks_now(ClockKind::monotonic)});
    const double by_unix = speed({header.start_ticks, header.start_ns}, {ticks, unix_ns_now()});
    if (agree(by_monotonic, by_unix)) return by_monotonic;
    const double measured = measured_speed(header.clock);
    return agree(by_monotonic, measured) ? by_monotonic : agree(by_unix, measured) ? by_unix : measured;
}

}  // namespace

ClockMap clock_of(const PartHeader& header)
{
    return {header.start_ticks, header.start_ns, speed_of(header)};
}

}  // namespace fathom
