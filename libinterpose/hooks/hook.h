// How a hook is exported: under the C library's name, whatever the headers say of that name.
#pragma once

#include "libinterpose/system/next.h"

// Declares the hook for `name` and begins its definition, as below, with nothing inlined.
#define FATHOM_BARE_HOOK(result, name, parameters)                                                         \
    extern "C" __attribute__((visibility("default"))) result fathom_hook_##name parameters __asm__(#name); \
    result fathom_hook_##name parameters

// Declares the hook for `name` and begins its definition. The C++ name differs from the exported one, so that
// neither the headers' redirections (64-bit twins, fortified forms) nor their exception specifications get in
// the way, and a forced unwind (a cancelled thread) passes through.
// Counting is inlined: its calls would cost as much as the work.
#define FATHOM_HOOK(result, name, parameters)                  \
    extern "C" __attribute__((visibility("default"), flatten)) \
    result fathom_hook_##name parameters __asm__(#name);       \
    result fathom_hook_##name parameters

// One row of a table: the exported function. The order of evaluation is find, the call, count.
#define FATHOM_ROW(result, name, parameters, arguments, operation) \
    FATHOM_ROW_OF(, result, name, parameters, arguments, operation)
#define FATHOM_ROW_OF(list, result, name, parameters, arguments, operation)           \
    namespace {                                                                       \
    list constinit Next<result parameters> next_##name(#name);                        \
    }                                                                                 \
    FATHOM_HOOK(result, name, parameters)                                             \
    {                                                                                 \
        return observe(operation, [&]() -> result { return next_##name arguments; }); \
    }

// The same for a function of the C library (FATHOM_ORIGINAL); and for two.
#define HOOK(result, name, parameters, arguments, operation) \
    FATHOM_ROW_OF(FATHOM_ORIGINAL, result, name, parameters, arguments, operation)
#define HOOK64(result, name, parameters, arguments, operation) \
    HOOK(result, name, parameters, arguments, operation)       \
    HOOK(result, name##64, parameters, arguments, operation)
