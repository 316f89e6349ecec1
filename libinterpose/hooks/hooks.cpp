// Expands the tables of POSIX and stdio calls to the functions that programs call.
#include <dirent.h>
#include <sys/select.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <utime.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/hooks/served_hook.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/operations.h"
#include "libinterpose/operations/rarer_operations.h"
#include "libinterpose/operations/stdio_operations.h"

namespace fathom {
namespace {

// What a call read from the buffer, by its result.
std::uint64_t moved_by_length(const served::Text<ReadSide>& text, std::int64_t length)
{
    const std::uint64_t moved = text.moved();
    return static_cast<std::uint64_t>(length) == moved ? moved : 0;
}
std::uint64_t moved_by_line(const served::Text<ReadSide>& text, const char* line, int n)
{
    const std::uint64_t moved = text.moved();
    if (line == nullptr || n < 0) return 0;
    return (__libc_single_threaded != 0 && text.takes_at_most(static_cast<std::uint64_t>(n))) ||
                   std::strlen(line) == moved
               ? moved
               : 0;
}

}  // namespace

#include "libinterpose/hooks/posix_hooks.inc"
#include "libinterpose/hooks/stdio_hooks.inc"

}  // namespace fathom
