// printf, scanf and their kin: variadic, and four of a kind that differ in where the stream and the arguments
// come from.
#include <cstdarg>
#include <cwchar>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/hooks/served_hook.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/stdio_operations.h"

namespace fathom {

namespace {

// Text that most often waits in the stream's buffer.
template <class Call>
int print_text(FILE* stream, Call call)
{
    using Text = served::Text<WriteSide>;
    StreamCounters* const at = current_run<WriteSide>(stream);
    if (at == nullptr || !Text::is_likely(*at, stream)) return observe(FormattedPrint(stream), call);
    const Text text(*at, stream);
    const int length = call();
    const bool waits = length > 0 && static_cast<std::uint64_t>(length) == text.moved();
    if (text.count(waits ? static_cast<std::uint64_t>(length) : 0))
        add_one(at->run.calls.formatted);
    else
        count_untimed(FormattedPrint(stream), length);
    return length;
}

}  // namespace

// Runs `call` with the arguments behind `last` as `arguments`.
#define WITH_ARGUMENTS(last, call) \
    va_list arguments;             \
    va_start(arguments, last);     \
    const auto result = call;      \
    va_end(arguments);             \
    return result

// What stands in front of the format: nothing, or the flag of the fortified forms.
#define NO_PARAMETER
#define NO_ARGUMENT
#define FLAG_PARAMETER int flag,
#define FLAG_ARGUMENT flag,

// A row: what the calls are, the type of the format's letters, the four names, what stands in front of the
// format, and the stream of those that name none.
#define FAMILY_WITH(operation, letter, all, variadic, of_stream, plain, parameter, argument,       \
                    stream_of_plain)                                                               \
    namespace {                                                                                    \
    FATHOM_ORIGINAL constinit Next<int(FILE*, parameter const letter*, va_list)> next_##all(#all); \
    int do_##all(FILE* stream, parameter const letter* format, va_list arguments)                  \
    {                                                                                              \
        const auto call = [&] { return next_##all(stream, argument format, arguments); };          \
        if constexpr (std::is_same_v<operation, FormattedPrint>)                                   \
            return print_text(stream, call);                                                       \
        else                                                                                       \
            return observe(operation(stream), call);                                               \
    }                                                                                              \
    }                                                                                              \
    FATHOM_HOOK(int, all, (FILE * stream, parameter const letter* format, va_list arguments))      \
    {                                                                                              \
        return do_##all(stream, argument format, arguments);                                       \
    }                                                                                              \
    FATHOM_HOOK(int, of_stream, (FILE * stream, parameter const letter* format, ...))              \
    {                                                                                              \
        WITH_ARGUMENTS(format, do_##all(stream, argument format, arguments));                      \
    }                                                                                              \
    FATHOM_HOOK(int, variadic, (parameter const letter* format, va_list arguments))                \
    {                                                                                              \
        return do_##all(stream_of_plain, argument format, arguments);                              \
    }                                                                                              \
    FATHOM_HOOK(int, plain, (parameter const letter* format, ...))                                 \
    {                                                                                              \
        WITH_ARGUMENTS(format, do_##all(stream_of_plain, argument format, arguments));             \
    }
#define FAMILY(operation, letter, all, variadic, of_stream, plain, stream_of_plain)            \
    FAMILY_WITH(operation, letter, all, variadic, of_stream, plain, NO_PARAMETER, NO_ARGUMENT, \
                stream_of_plain)
#define CHECKED_FAMILY(operation, letter, all, variadic, of_stream, plain, stream_of_plain)        \
    FAMILY_WITH(operation, letter, all, variadic, of_stream, plain, FLAG_PARAMETER, FLAG_ARGUMENT, \
                stream_of_plain)

// clang-format off
FAMILY(FormattedPrint, char, vfprintf, vprintf, fprintf, printf, stdout)
CHECKED_FAMILY(FormattedPrint, char, __vfprintf_chk, __vprintf_chk, __fprintf_chk, __printf_chk, stdout)
FAMILY(FormattedPrintWide, wchar_t, vfwprintf, vwprintf, fwprintf, wprintf, stdout)
CHECKED_FAMILY(FormattedPrintWide, wchar_t, __vfwprintf_chk, __vwprintf_chk, __fwprintf_chk, __wprintf_chk, stdout)
FAMILY(FormattedScan, char, vfscanf, vscanf, fscanf, scanf, stdin)
FAMILY(FormattedScan, char, __isoc99_vfscanf, __isoc99_vscanf, __isoc99_fscanf, __isoc99_scanf, stdin)
FAMILY(FormattedScan, wchar_t, vfwscanf, vwscanf, fwscanf, wscanf, stdin)
FAMILY(FormattedScan, wchar_t, __isoc99_vfwscanf, __isoc99_vwscanf, __isoc99_fwscanf, __isoc99_wscanf, stdin)
// clang-format on

// dprintf returns an int where write returns a ssize_t; otherwise it is one.
#define TO_DESCRIPTOR(all, variadic, parameter, argument)                                                  \
    namespace {                                                                                            \
    FATHOM_ORIGINAL constinit Next<int(int, parameter const char*, va_list)> next_##all(#all);             \
    int do_##all(int fd, parameter const char* format, va_list arguments)                                  \
    {                                                                                                      \
        return observe(WriteAny(fd, nullptr), [&] { return next_##all(fd, argument format, arguments); }); \
    }                                                                                                      \
    }                                                                                                      \
    FATHOM_HOOK(int, all, (int fd, parameter const char* format, va_list arguments))                       \
    {                                                                                                      \
        return do_##all(fd, argument format, arguments);                                                   \
    }                                                                                                      \
    FATHOM_HOOK(int, variadic, (int fd, parameter const char* format, ...))                                \
    {                                                                                                      \
        WITH_ARGUMENTS(format, do_##all(fd, argument format, arguments));                                  \
    }
TO_DESCRIPTOR(vdprintf, dprintf, NO_PARAMETER, NO_ARGUMENT)
TO_DESCRIPTOR(__vdprintf_chk, __dprintf_chk, FLAG_PARAMETER, FLAG_ARGUMENT)

}  // namespace fathom
