// The only wrapper body there is: look the file up, make the application's call exactly once, count it.
#pragma once

#include <cstdint>

#include "libinterpose/recorder.h"

namespace fathom {

extern ClockKind clock_kind __attribute__((visibility("hidden")));

// Stops the clock, which then shows the same for ever; what follows takes no time.
void stop_clock();
void go_on_with_clock();
std::uint64_t other_clock();

inline std::uint64_t now()
{
    return __builtin_expect(clock_kind == ClockKind::tsc, 1) ? __builtin_ia32_rdtsc() : other_clock();
}

// Nothing of ours is held during the call, so it may be cancelled, jumped out of or never return. errno is
// the call's: what runs before and after it makes no libc call that could fail.
template <class Operation, class Call>
inline auto observe(Operation operation, Call call) -> decltype(call())
{
    if (!operation.find()) {
        const auto result = call();
        operation.passed(result);
        return result;
    }
    const std::uint64_t start = now();
    const auto result = call();
    operation.count(result, Interval{start, now()});
    return result;
}

}  // namespace fathom
