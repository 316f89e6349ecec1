// The only wrapper body there is: look the file up, make the application's call exactly once, count it.
#pragma once

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/recorder.h"

namespace fathom {

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
