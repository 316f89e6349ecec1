// Chooses the clock, and stops it.
#include "libinterpose/recording/clock.h"

#include <atomic>
#include <cpuid.h>

#include "libinterpose/system/next.h"

namespace fathom {

constinit ClockKind clock_kind = ClockKind::monotonic;

namespace {

constinit int stops = 0;
constinit std::uint64_t stopped_at = 0;

}  // namespace

namespace {

// Whether the counter goes at one speed. In a virtual machine the instruction that tells takes ten
// microseconds, so that the dynamic linker, which has asked already, is looked at where it says
// (<sys/platform/x86.h>, glibc 2.33).
bool counter_is_steady()
{
    constexpr unsigned leaf = 0x80000007, leaf_of_linker = 4, d_of_linker = 3, steady = 1u << 8;
    using Asked = const unsigned* (*)(unsigned);
    if (const auto asked = reinterpret_cast<Asked>(next_definition("__x86_get_cpuid_feature_leaf")))
        if (const unsigned* const registers = asked(leaf_of_linker))
            if ((registers[d_of_linker] & steady) != 0) return true;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (d & steady) != 0;
}

}  // namespace

ClockKind best_clock()
{
    enum : int { unknown, steady, unsteady };
    static constinit std::atomic<int> counter{unknown};
    if (counter.load(std::memory_order_relaxed) == unknown)
        counter.store(counter_is_steady() ? steady : unsteady, std::memory_order_relaxed);
    return counter.load(std::memory_order_relaxed) == steady ? ClockKind::tsc : ClockKind::monotonic;
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

namespace {

constexpr std::uint64_t not_measured = ~std::uint64_t{0};
// Forked children have it from their parent. Threads that begin at once each measure it.
constinit std::atomic<std::uint64_t> cost_of_clock{not_measured};

// About as long as putting a character into a stream.
[[gnu::noinline]] std::uint64_t short_call(std::uint64_t value)
{
    for (int step = 0; step < 4; ++step) value = value * 6364136223846793005U + 1;
    return value;
}

}  // namespace

std::uint64_t clock_cost()
{
    if (const auto known = cost_of_clock.load(std::memory_order_relaxed); known != not_measured) return known;
    constexpr int rounds = 4, calls = 64;
    std::uint64_t timed = ~std::uint64_t{0}, alone = timed;
    volatile std::uint64_t value = 1;
    for (int round = 0; round < rounds; ++round) {
        std::uint64_t sum = 0;
        for (int call = 0; call < calls; ++call) {
            const std::uint64_t before = now();
            value = short_call(value);
            sum += now() - before;
        }
        const std::uint64_t before = now();
        for (int call = 0; call < calls; ++call) value = short_call(value);
        const std::uint64_t whole = now() - before;
        if (sum < timed) timed = sum;
        if (whole < alone) alone = whole;
    }
    const std::uint64_t cost = timed > alone ? (timed - alone) / calls : 0;
    cost_of_clock.store(cost, std::memory_order_relaxed);
    return cost;
}

Moment this_moment(ClockKind kind)
{
    constexpr int tries = 4;
    constexpr std::uint64_t quick = 5'000;  // ticks
    Moment best;
    std::uint64_t best_took = ~std::uint64_t{0};
    for (int look = 0; look < tries && best_took > quick; ++look) {
        Moment moment;
        const std::uint64_t before = ticks_now(kind);
        moment.monotonic_ns = ticks_now(ClockKind::monotonic);
        moment.unix_ns = unix_ns_now();
        const std::uint64_t took = ticks_now(kind) - before;
        moment.ticks = before + took / 2;
        if (took >= best_took) continue;
        best = moment;
        best_took = took;
    }
    return best;
}

}  // namespace fathom
