// Hooks that no row of a table can express: variadic functions, and those that return nothing. printf and its
// kin are in formatted_hooks.cpp.
#include <cstdarg>
#include <sys/uio.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/rarer_operations.h"
#include "libinterpose/operations/stdio_operations.h"

namespace fathom {
namespace {

FATHOM_ORIGINAL constinit Next<void(int)> next_closefrom("closefrom");
FATHOM_ORIGINAL constinit Next<void(FILE*)> next_rewind("rewind");

// open() reads its third argument only for these.
bool takes_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

}  // namespace

// AddressSanitizer's library wants to be the first, and ends the program where another one is; it asks for
// its options by this name. A program that answers by itself is asked instead of us (see recording.cpp).
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options()
{
    return "verify_asan_link_order=0";
}

// The `mode` behind `flags`.
#define READ_MODE                         \
    mode_t mode = 0;                      \
    if (takes_mode(flags)) {              \
        va_list arguments;                \
        va_start(arguments, flags);       \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments);                \
    }

#define OPEN(name)                                                                                   \
    namespace {                                                                                      \
    FATHOM_ORIGINAL constinit Next<int(const char*, int, mode_t)> next_##name(#name);                \
    }                                                                                                \
    FATHOM_HOOK(int, name, (const char* path, int flags, ...))                                       \
    {                                                                                                \
        READ_MODE                                                                                    \
        return observe(Open(AT_FDCWD, path, flags), [&] { return next_##name(path, flags, mode); }); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                       \
    namespace {                                                                                            \
    FATHOM_ORIGINAL constinit Next<int(int, const char*, int, mode_t)> next_##name(#name);                 \
    }                                                                                                      \
    FATHOM_HOOK(int, name, (int folder, const char* path, int flags, ...))                                 \
    {                                                                                                      \
        READ_MODE                                                                                          \
        return observe(Open(folder, path, flags), [&] { return next_##name(folder, path, flags, mode); }); \
    }
OPENAT(openat)
OPENAT(openat64)

// The argument of fcntl is an int, a pointer or nothing; as one word it passes through unchanged.
#define FCNTL(name)                                                                                         \
    namespace {                                                                                             \
    FATHOM_ORIGINAL constinit Next<int(int, int, long)> next_##name(#name);                                 \
    }                                                                                                       \
    FATHOM_HOOK(int, name, (int fd, int command, ...))                                                      \
    {                                                                                                       \
        va_list arguments;                                                                                  \
        va_start(arguments, command);                                                                       \
        const long argument = va_arg(arguments, long);                                                      \
        va_end(arguments);                                                                                  \
        return observe(Control(fd, command, argument), [&] { return next_##name(fd, command, argument); }); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

FATHOM_HOOK(void, closefrom, (int first))
{
    next_closefrom(first);
    forget_range(first < 0 ? 0u : static_cast<unsigned>(first), ~0u);
}

FATHOM_HOOK(void, rewind, (FILE * stream))
{
    observe(StreamSeek(stream, 0, SEEK_SET), [&] {
        next_rewind(stream);
        return 0;
    });
}

}  // namespace fathom
