// The stdio operations that open files or ask for positions.
#include "libinterpose/stdio_operations.h"

#include <cerrno>

#include "libinterpose/next.h"
#include "libinterpose/sys.h"

namespace fathom {
namespace {

constinit Next<off_t(FILE*)> next_ftello("ftello");

}  // namespace

std::int64_t position_of(FILE* stream)
{
    if (sys::forbidden()) return -1;  // it may need a system call
    const int error = errno;
    const std::int64_t at = next_ftello(stream);
    errno = error;
    return at;
}

int flags_of_mode(const char* mode)
{
    if (mode == nullptr) return O_RDONLY;
    const bool both = std::strchr(mode, '+') != nullptr;
    switch (mode[0]) {
        case 'w':
            return O_CREAT | O_TRUNC | (both ? O_RDWR : O_WRONLY);
        case 'a':
            return O_CREAT | O_APPEND | (both ? O_RDWR : O_WRONLY);
        default:
            return both ? O_RDWR : O_RDONLY;
    }
}

void StreamScan::count(int, Interval when) const
{
    const std::int64_t at = position_of(stream);
    const auto before =
        static_cast<std::int64_t>(description->stream_position.load(std::memory_order_relaxed));
    count_bytes(at > before ? static_cast<std::uint64_t>(at - before) : 0, when);
}

void StreamOpen::count(const FILE* stream, Interval when) const
{
    const int fd = descriptor_of(stream);
    if (stream == nullptr) return is_excluded_failure(path) ? void() : count_unopened(when);
    if (fd < 0) return;
    std::uint64_t position = 0;
    NameChunk* const file = file_of_new_descriptor(fd, AT_FDCWD, path, flags_of_mode(mode), position);
    if (file == nullptr) return do_not_track(fd);
    track(fd, file, position);
    if (auto* const at = counters_of<StdioCounters>(file)) count_open(*at, when);
}

void StreamOnDescriptor::count(const FILE* stream, Interval when) const
{
    auto* const at = counters_of<StdioCounters>(file());
    if (stream == nullptr) {
        if (at != nullptr) count_failure(*at, &Transfers::metadata_time, when);
        return;
    }
    description->stream_position.store(description->position.load(std::memory_order_relaxed),
                                       std::memory_order_relaxed);
    if (at != nullptr) count_open(*at, when);
}

void StreamSeek::count(int result, Interval when) const
{
    auto* const at = counters();
    if (result != 0) {
        if (at != nullptr) count_failure(*at, &Transfers::metadata_time, when);
        return;
    }
    const std::int64_t place = whence == SEEK_SET ? offset : position_of(stream);
    if (place >= 0)
        description->stream_position.store(static_cast<std::uint64_t>(place), std::memory_order_relaxed);
    if (at == nullptr) return;
    ++at->counters.seeks;
    count_metadata(*at, when);
}

}  // namespace fathom
