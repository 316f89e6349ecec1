// Hooks that no row of a table can express: variadic functions, and those that return nothing.
#include <cstdarg>
#include <sys/uio.h>

#include "libinterpose/hook.h"
#include "libinterpose/observe.h"
#include "libinterpose/rarer_operations.h"
#include "libinterpose/stdio_operations.h"

namespace fathom {
namespace {

constinit Next<int(FILE*, const char*, va_list)> next_vfprintf("vfprintf");
constinit Next<int(FILE*, int, const char*, va_list)> next_vfprintf_chk("__vfprintf_chk");
constinit Next<int(FILE*, const char*, va_list)> next_vfscanf("vfscanf");
constinit Next<int(FILE*, const char*, va_list)> next_vfscanf_c99("__isoc99_vfscanf");
constinit Next<int(int, const char*, va_list)> next_vdprintf("vdprintf");
constinit Next<int(int, int, const char*, va_list)> next_vdprintf_chk("__vdprintf_chk");
constinit Next<void(int)> next_closefrom("closefrom");
constinit Next<void(FILE*)> next_rewind("rewind");
FATHOM_ORIGINAL(next_vfprintf)
FATHOM_ORIGINAL(next_vfprintf_chk)
FATHOM_ORIGINAL(next_vfscanf)
FATHOM_ORIGINAL(next_vfscanf_c99)
FATHOM_ORIGINAL(next_vdprintf)
FATHOM_ORIGINAL(next_vdprintf_chk)
FATHOM_ORIGINAL(next_closefrom)
FATHOM_ORIGINAL(next_rewind)

// open() reads its third argument only for these.
bool takes_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int print(FILE* stream, const char* format, va_list arguments)
{
    return observe(StreamPrint(stream), [&] { return next_vfprintf(stream, format, arguments); });
}
int print_checked(FILE* stream, int flag, const char* format, va_list arguments)
{
    return observe(StreamPrint(stream), [&] { return next_vfprintf_chk(stream, flag, format, arguments); });
}
int scan(FILE* stream, const char* format, va_list arguments)
{
    return observe(StreamScan(stream), [&] { return next_vfscanf(stream, format, arguments); });
}
int scan_c99(FILE* stream, const char* format, va_list arguments)
{
    return observe(StreamScan(stream), [&] { return next_vfscanf_c99(stream, format, arguments); });
}

// dprintf returns an int where write returns a ssize_t; otherwise it is one.
int print_to_descriptor(int fd, const char* format, va_list arguments)
{
    return observe(Write(fd, nullptr), [&] { return next_vdprintf(fd, format, arguments); });
}
int print_to_descriptor_checked(int fd, int flag, const char* format, va_list arguments)
{
    return observe(Write(fd, nullptr), [&] { return next_vdprintf_chk(fd, flag, format, arguments); });
}

}  // namespace

// Runs `call` with the arguments behind `last` as `arguments`.
#define WITH_ARGUMENTS(last, call) \
    va_list arguments;             \
    va_start(arguments, last);     \
    const auto result = call;      \
    va_end(arguments);             \
    return result

#define OPEN(name)                                                                                   \
    namespace {                                                                                      \
    constinit Next<int(const char*, int, mode_t)> next_##name(#name);                                \
    FATHOM_ORIGINAL(next_##name)                                                                     \
    }                                                                                                \
    FATHOM_HOOK(int, name, (const char* path, int flags, ...))                                       \
    {                                                                                                \
        mode_t mode = 0;                                                                             \
        if (takes_mode(flags)) {                                                                     \
            va_list arguments;                                                                       \
            va_start(arguments, flags);                                                              \
            mode = va_arg(arguments, mode_t);                                                        \
            va_end(arguments);                                                                       \
        }                                                                                            \
        return observe(Open(AT_FDCWD, path, flags), [&] { return next_##name(path, flags, mode); }); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                       \
    namespace {                                                                                            \
    constinit Next<int(int, const char*, int, mode_t)> next_##name(#name);                                 \
    FATHOM_ORIGINAL(next_##name)                                                                           \
    }                                                                                                      \
    FATHOM_HOOK(int, name, (int folder, const char* path, int flags, ...))                                 \
    {                                                                                                      \
        mode_t mode = 0;                                                                                   \
        if (takes_mode(flags)) {                                                                           \
            va_list arguments;                                                                             \
            va_start(arguments, flags);                                                                    \
            mode = va_arg(arguments, mode_t);                                                              \
            va_end(arguments);                                                                             \
        }                                                                                                  \
        return observe(Open(folder, path, flags), [&] { return next_##name(folder, path, flags, mode); }); \
    }
OPENAT(openat)
OPENAT(openat64)

// The argument of fcntl is an int, a pointer or nothing; as one word it passes through unchanged.
#define FCNTL(name)                                                                                         \
    namespace {                                                                                             \
    constinit Next<int(int, int, long)> next_##name(#name);                                                 \
    FATHOM_ORIGINAL(next_##name)                                                                            \
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

FATHOM_HOOK(int, vfprintf, (FILE * stream, const char* format, va_list arguments))
{
    return print(stream, format, arguments);
}
FATHOM_HOOK(int, vprintf, (const char* format, va_list arguments))
{
    return print(stdout, format, arguments);
}
FATHOM_HOOK(int, fprintf, (FILE * stream, const char* format, ...))
{
    WITH_ARGUMENTS(format, print(stream, format, arguments));
}
FATHOM_HOOK(int, printf, (const char* format, ...))
{
    WITH_ARGUMENTS(format, print(stdout, format, arguments));
}

FATHOM_HOOK(int, __vfprintf_chk, (FILE * stream, int flag, const char* format, va_list arguments))
{
    return print_checked(stream, flag, format, arguments);
}
FATHOM_HOOK(int, __vprintf_chk, (int flag, const char* format, va_list arguments))
{
    return print_checked(stdout, flag, format, arguments);
}
FATHOM_HOOK(int, __fprintf_chk, (FILE * stream, int flag, const char* format, ...))
{
    WITH_ARGUMENTS(format, print_checked(stream, flag, format, arguments));
}
FATHOM_HOOK(int, __printf_chk, (int flag, const char* format, ...))
{
    WITH_ARGUMENTS(format, print_checked(stdout, flag, format, arguments));
}

FATHOM_HOOK(int, vdprintf, (int fd, const char* format, va_list arguments))
{
    return print_to_descriptor(fd, format, arguments);
}
FATHOM_HOOK(int, dprintf, (int fd, const char* format, ...))
{
    WITH_ARGUMENTS(format, print_to_descriptor(fd, format, arguments));
}
FATHOM_HOOK(int, __vdprintf_chk, (int fd, int flag, const char* format, va_list arguments))
{
    return print_to_descriptor_checked(fd, flag, format, arguments);
}
FATHOM_HOOK(int, __dprintf_chk, (int fd, int flag, const char* format, ...))
{
    WITH_ARGUMENTS(format, print_to_descriptor_checked(fd, flag, format, arguments));
}

FATHOM_HOOK(int, vfscanf, (FILE * stream, const char* format, va_list arguments))
{
    return scan(stream, format, arguments);
}
FATHOM_HOOK(int, fscanf, (FILE * stream, const char* format, ...))
{
    WITH_ARGUMENTS(format, scan(stream, format, arguments));
}
FATHOM_HOOK(int, vscanf, (const char* format, va_list arguments))
{
    return scan(stdin, format, arguments);
}
FATHOM_HOOK(int, scanf, (const char* format, ...))
{
    WITH_ARGUMENTS(format, scan(stdin, format, arguments));
}
FATHOM_HOOK(int, __isoc99_vfscanf, (FILE * stream, const char* format, va_list arguments))
{
    return scan_c99(stream, format, arguments);
}
FATHOM_HOOK(int, __isoc99_fscanf, (FILE * stream, const char* format, ...))
{
    WITH_ARGUMENTS(format, scan_c99(stream, format, arguments));
}
FATHOM_HOOK(int, __isoc99_vscanf, (const char* format, va_list arguments))
{
    return scan_c99(stdin, format, arguments);
}
FATHOM_HOOK(int, __isoc99_scanf, (const char* format, ...))
{
    WITH_ARGUMENTS(format, scan_c99(stdin, format, arguments));
}

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
