// How a call of HDF5 or PnetCDF is hooked: the original is looked up for whoever calls (originals.h); where
// there is none, the caller gets what a call that fails gives.
#pragma once

#include <cerrno>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/libraries/originals.h"
#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/system/own_memory.h"

namespace fathom::libraries {

class KeptErrno {
  public:
    KeptErrno() : before_(errno) {}
    ~KeptErrno() { errno = before_; }
    KeptErrno(const KeptErrno&) = delete;
    KeptErrno& operator=(const KeptErrno&) = delete;

  private:
    int before_;
};

template <class Operation>
bool begins(Operation& operation, const Original& original)
{
    const KeptErrno kept;
    return operation.begin(original);
}

template <class Operation, class... Values>
void ends(Operation& operation, Values... values)
{
    const KeptErrno kept;
    operation.end(values...);
}

}  // namespace fathom::libraries

#define FATHOM_LIBRARY_ORIGINAL(result, name, parameters)                                  \
    FATHOM_LARGE static constinit libraries::Function function;                            \
    const libraries::Original original = function.of(#name, __builtin_return_address(0));  \
    if (__builtin_expect(original.function == nullptr, 0)) return static_cast<result>(-1); \
    const auto call = reinterpret_cast<result(*) parameters>(original.function);

#define FATHOM_LIBRARY_ROW(result, name, parameters, arguments, operation) \
    FATHOM_BARE_HOOK(result, name, parameters)                             \
    {                                                                      \
        FATHOM_LIBRARY_ORIGINAL(result, name, parameters)                  \
        auto what = operation;                                             \
        if (!libraries::begins(what, original)) return call arguments;     \
        const std::uint64_t start = now();                                 \
        const result given = call arguments;                               \
        libraries::ends(what, given, Interval{start, now()});              \
        return given;                                                      \
    }

// The same of what is not timed.
#define FATHOM_LIBRARY_UNTIMED_ROW(result, name, parameters, arguments, operation) \
    FATHOM_BARE_HOOK(result, name, parameters)                                     \
    {                                                                              \
        FATHOM_LIBRARY_ORIGINAL(result, name, parameters)                          \
        auto what = operation;                                                     \
        if (!libraries::begins(what, original)) return call arguments;             \
        const result given = call arguments;                                       \
        libraries::ends(what, given);                                              \
        return given;                                                              \
    }
