// Hooks of calls that the buffer of a stream may serve (recording/stream_runs.h). What follows on such a call
// is a jump to the original: before it, it is known what it will move.
#pragma once

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/stdio_operations.h"
#include "libinterpose/recording/stream_runs.h"

namespace fathom {

// This thread's run on the stream; nullptr: there is none.
template <class Side>
StreamCounters* current_run(const FILE* stream)
{
    return served::is_known<Side>(stream) || served::is_known_with_threads<Side>(stream)
               ? served::remembered<Side>().at
               : served::recalled<Side>(stream, descriptor_of(stream));
}

// Of a call that was taken to be served by the buffer and was not: all but its time.
template <class Operation, class Result>
[[gnu::noinline]] void count_untimed(Operation operation, Result result)
{
    if (!operation.find()) return operation.passed(result);
    const std::uint64_t at = now();
    operation.count(result, Interval{at, at});
}

// The original, and the hook of a call that is timed.
#define FATHOM_TIMED(result, name, parameters, arguments, operation)                  \
    namespace {                                                                       \
    FATHOM_ORIGINAL_OF_STREAMS constinit Next<result parameters> next_##name(#name);  \
    [[gnu::noinline, gnu::flatten]] result timed_##name parameters                    \
    {                                                                                 \
        return observe(operation, [&]() -> result { return next_##name arguments; }); \
    }                                                                                 \
    }

// A row: beside what HOOK takes, the direction, the stream, what counts the call in `at` if the buffer serves
// it (in the common case without a call of its own, and in any), whether the result, `done`, is that of a
// call that was served, and what takes it back if not.
#define FATHOM_SERVED(result, name, parameters, arguments, side, stream, serve_at_once, serve, is_served, \
                      take_back, operation)                                                               \
    FATHOM_TIMED(result, name, parameters, arguments, operation)                                          \
    namespace {                                                                                           \
    [[gnu::noinline]] result looked_at_##name parameters                                                  \
    {                                                                                                     \
        StreamCounters* const at = current_run<side>(stream);                                             \
        if (__builtin_expect(at == nullptr || !(serve), 0)) return timed_##name arguments;                \
        const auto done = next_##name.call_known arguments;                                               \
        if (__builtin_expect(!(is_served), 0)) {                                                          \
            take_back;                                                                                    \
            count_untimed(operation, done);                                                               \
        }                                                                                                 \
        return done;                                                                                      \
    }                                                                                                     \
    }                                                                                                     \
    FATHOM_BARE_HOOK(result, name, parameters)                                                            \
    {                                                                                                     \
        if (__builtin_expect(served::is_known<side>(stream), 1)) {                                        \
            StreamCounters* const at = served::remembered<side>().at;                                     \
            if (__builtin_expect(serve_at_once, 1)) return next_##name.call_known arguments;              \
        }                                                                                                 \
        return looked_at_##name arguments;                                                                \
    }

#define HOOK_BYTE(result, name, parameters, arguments, side, stream, operation)                             \
    FATHOM_SERVED(result, name, parameters, arguments, side, stream, served::serve_byte<side>(*at, stream), \
                  served::serve_byte<side>(*at, stream), done != EOF, served::take_back_byte(*at),          \
                  operation)
// `bytes`: what the call moves; `is_all`: whether it has.
#define HOOK_BYTES(result, name, parameters, arguments, side, stream, bytes, is_all, operation)         \
    FATHOM_SERVED(result, name, parameters, arguments, side, stream,                                    \
                  (served::serve_usual<side>(*at, stream, (bytes))),                                    \
                  (served::serve<side>(*at, stream, (bytes))), is_all, served::take_back(*at, (bytes)), \
                  operation)

// ungetc, which fails for no byte that goes back to where it was.
#define HOOK_BACK(result, name, parameters, arguments, stream, byte, operation)                       \
    FATHOM_TIMED(result, name, parameters, arguments, operation)                                      \
    FATHOM_BARE_HOOK(result, name, parameters)                                                        \
    {                                                                                                 \
        if (__builtin_expect(served::is_known<ReadSide>(stream) &&                                    \
                                 served::give_back(*served::remembered<ReadSide>().at, stream, byte), \
                             1))                                                                      \
            return next_##name.call_known arguments;                                                  \
        return timed_##name arguments;                                                                \
    }

// The same of a call that returns what it read: `moved`, of `text` and the result.
#define HOOK_TEXT(result, name, parameters, arguments, stream, moved, operation)                   \
    FATHOM_TIMED(result, name, parameters, arguments, operation)                                   \
    FATHOM_BARE_HOOK(result, name, parameters)                                                     \
    {                                                                                              \
        StreamCounters* const at = current_run<ReadSide>(stream);                                  \
        if (__builtin_expect(at == nullptr || !served::Text<ReadSide>::is_likely(*at, stream), 0)) \
            return timed_##name arguments;                                                         \
        const served::Text<ReadSide> text(*at, stream);                                            \
        const auto done = next_##name.call_known arguments;                                        \
        if (__builtin_expect(!text.count(moved), 0)) count_untimed(operation, done);               \
        return done;                                                                               \
    }

}  // namespace fathom
