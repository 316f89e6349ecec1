// The only wrapper body there is: look the file up, make the application's call exactly once, count it.
#pragma once

#include <concepts>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/recording/recorder.h"

namespace fathom {

// A call that is given a path, and leaves it as it is.
template <class Operation>
concept NamesPath = requires(Operation operation)
{
    {
        operation.path
        } -> std::convertible_to<const char*>;
    requires Operation::path_stays;
};

// Nothing of ours is held during the call, so it may be cancelled, jumped out of or never return. errno is
// the call's: what runs before and after it makes no libc call that could fail.
template <class Operation, class Call>
inline auto observe_as_it_is(Operation operation, Call call) -> decltype(call())
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

// Of a path that may be gone after the call. What is longer is copied then.
template <class Operation, class Call>
[[gnu::noinline]] auto observe_copied(Operation operation, Call call) -> decltype(call())
{
    constexpr std::size_t most = 192;
    char copy[most];
    if (ProgramText::copy_before(operation.path, copy)) operation.path = copy;
    return observe_as_it_is(operation, call);
}

template <class Operation, class Call>
inline auto observe(Operation operation, Call call) -> decltype(call())
{
    if constexpr (NamesPath<Operation>)
        if (__builtin_expect(ProgramText::may_be_gone(operation.path), 0))
            return observe_copied(operation, call);
    return observe_as_it_is(operation, call);
}

}  // namespace fathom
