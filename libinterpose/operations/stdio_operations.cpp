// The stdio operations that open files, ask for positions, or know of wide characters.
#include "libinterpose/operations/stdio_operations.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <sys/single_threaded.h>
#include <utility>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/failed_paths.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/system/next.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

FATHOM_ORIGINAL constinit Next<off_t(FILE*)> next_ftello("ftello");

constexpr std::uint64_t bytes_in_utf8(wchar_t letter)
{
    return letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
}

enum class Encoding { single_bytes, utf8, other };

Encoding encoding_of_locale()
{
    constexpr std::size_t most_in_utf8 = 6;  // as glibc has it, of no other encoding
    const std::size_t most = MB_CUR_MAX;
    return most == 1 ? Encoding::single_bytes : most == most_in_utf8 ? Encoding::utf8 : Encoding::other;
}

std::uint64_t bytes_in_utf8(std::wstring_view text)
{
    std::uint64_t bytes = 0;
    for (const wchar_t letter : text) bytes += bytes_in_utf8(letter);
    return bytes;
}

// What characters are in a file in the locale's encoding; `otherwise()` where that is not known by looking at
// them.
template <class Otherwise>
std::uint64_t bytes_of(std::wstring_view text, Otherwise otherwise)
{
    switch (encoding_of_locale()) {
        case Encoding::single_bytes:
            return text.size();
        case Encoding::utf8:
            return bytes_in_utf8(text);
        default:
            return otherwise();
    }
}

std::uint64_t bytes_of(wint_t letter)
{
    const auto one = static_cast<wchar_t>(letter);
    return bytes_of({&one, 1}, [] { return std::uint64_t{1}; });
}

// Whether a call that moves a byte or a character at a time can have moved so many in this time. The quickest
// one known of takes 1.8 ticks for a byte and 7.2 for a wide character, which is converted first; a processor
// may be faster than its counter.
bool is_time_for_bytes(std::uint64_t n, Interval when)
{
    const std::uint64_t bytes_in_tick = clock_kind == ClockKind::tsc ? 2 : 4;
    return clock_is_stopped() || when.length() >= n / bytes_in_tick;
}

bool is_time_for_characters(std::uint64_t n, Interval when)
{
    const std::uint64_t ticks = clock_kind == ClockKind::tsc ? 2 : 1;
    return clock_is_stopped() || when.length() >= n * ticks;
}

// The last n characters written to a stream, where they still wait in its buffer; otherwise nothing. As glibc
// has had it in its headers for putwc, which was a macro; to ask the stream for its position would convert
// all that waits.
std::wstring_view last_characters(const FILE* stream, std::size_t n)
{
    struct Buffer {
        const wchar_t *read_at, *read_end, *read_begin, *write_begin, *write_at;
    };
    const auto* const buffer = reinterpret_cast<const Buffer*>(stream->_wide_data);
    if (buffer == nullptr || static_cast<std::size_t>(buffer->write_at - buffer->write_begin) < n) return {};
    return {buffer->write_at - n, n};
}

}  // namespace

std::int64_t position_of(FILE* stream)
{
    if (sys::forbidden()) return -1;  // it may need a system call
    const int error = errno;
    const std::int64_t at = next_ftello(stream);
    errno = error;
    return at;
}

void note_written_at_end(Description& description, FILE* stream, std::uint64_t n)
{
    const std::int64_t end = position_of(stream);
    if (end < 0 || static_cast<std::uint64_t>(end) < n) return;
    description.stream_position.store(static_cast<std::uint64_t>(end) - n, std::memory_order_relaxed);
}

void end_run(Description& description, FILE* stream)
{
    StreamCounters* const at = description.run.load(std::memory_order_relaxed);
    if (at == nullptr) return;
    if (served::is_own(at)) {
        served::settle(*at);
        served::forget(at);
        description.run.store(nullptr, std::memory_order_relaxed);
        return;
    }
    // Another thread's, which counts and settles it, or that of a process before this one.
    description.run.store(nullptr, std::memory_order_relaxed);
    forget_streams();
    description.handed_over.fetch_add(1, std::memory_order_relaxed);
    if (served::is_current(at)) {
        description.stream_position.fetch_add(at->run.calls.moved(), std::memory_order_relaxed);
    } else if (const std::int64_t place = position_of(stream); place >= 0) {
        description.stream_position.store(static_cast<std::uint64_t>(place), std::memory_order_relaxed);
    }
}

namespace {

// Where the buffer's pointer stood behind the last transfer of this thread on a stream that is used in place:
// every call that may empty or refill the buffer takes it away first.
struct BufferPlace {
    const FILE* stream = nullptr;
    const char* at = nullptr;
    bool writing = false;
};
thread_local constinit BufferPlace last_place __attribute__((tls_model("initial-exec")));

bool is_writing(const FILE* stream)
{
    return (stream->_flags & stream_mark::writing) != 0;
}

const char* place_in_buffer(const FILE* stream)
{
    return is_writing(stream) ? stream->_IO_write_ptr : stream->_IO_read_ptr;
}

}  // namespace

void note_place(const FILE* stream, std::int64_t not_counted)
{
    last_place = __libc_single_threaded == 0
                     ? BufferPlace{}
                     : BufferPlace{stream, place_in_buffer(stream) - not_counted, is_writing(stream)};
}

std::uint64_t bytes_in_place(Description& description, FILE* stream)
{
    const BufferPlace last = std::exchange(last_place, BufferPlace{});
    if ((stream->_flags & stream_mark::in_backup) != 0 || sys::forbidden()) return 0;
    if (last.stream == stream && last.writing == is_writing(stream) && place_in_buffer(stream) >= last.at &&
        __libc_single_threaded != 0)
        return static_cast<std::uint64_t>(place_in_buffer(stream) - last.at);
    const std::int64_t kernels = sys::seek(descriptor_of(stream), 0, SEEK_CUR);
    if (kernels < 0) return 0;
    const bool writing = is_writing(stream);
    const std::int64_t used = writing ? stream->_IO_write_ptr - stream->_IO_write_base
                                      : stream->_IO_read_ptr - stream->_IO_read_base;
    const std::int64_t place =
        writing ? kernels + used : kernels - (stream->_IO_read_end - stream->_IO_read_ptr);
    const auto known = static_cast<std::int64_t>(description.stream_position.load(std::memory_order_relaxed));
    // Others may have moved the descriptor's position: there cannot be more than went through the buffer.
    const std::int64_t bytes = std::clamp<std::int64_t>(place - known, 0, used);
    description.stream_position.store(static_cast<std::uint64_t>(place - bytes), std::memory_order_relaxed);
    return static_cast<std::uint64_t>(bytes);
}

void count_in_place(Description& description, FILE* stream)
{
    const std::uint64_t bytes = bytes_in_place(description, stream);
    if (bytes == 0) return;
    const std::uint64_t at = now();
    const auto count = [&](auto transfer) {
        transfer.description = &description;
        transfer.count_bytes(bytes, Interval{at, at});
    };
    if (is_writing(stream))
        count(StreamTransfer<WriteSide>(stream));
    else
        count(StreamTransfer<ReadSide>(stream));
    last_place = {};  // the call that follows may move it
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

std::uint64_t StreamScan::bytes_read(Interval when) const
{
    const served::ReadBuffer after = served::read_buffer(stream);
    if (before.at == nullptr || after.begin != before.begin || after.end != before.end ||
        after.wide != before.wide || after.at < before.at)
        return bytes_moved(0);
    const auto moved = static_cast<std::size_t>(after.at - before.at);
    // If it was filled with as many bytes as before, the call has taken at least those.
    const auto held = static_cast<std::size_t>(before.end - before.begin);
    if (!before.wide) return is_time_for_bytes(held, when) ? bytes_moved(moved) : moved;
    const std::wstring_view text(reinterpret_cast<const wchar_t*>(before.at), moved / sizeof(wchar_t));
    const auto ask = [&] { return bytes_moved(text.size()); };
    return is_time_for_characters(held / sizeof(wchar_t), when) ? ask() : bytes_of(text, ask);
}

void StreamScan::count(int result, Interval when) const
{
    const std::uint64_t bytes = bytes_read(when);
    const bool ended = (stream->_flags & stream_mark::ended) != 0;
    if (bytes == 0 && result == EOF && !ended) return count_failed(when);
    count_bytes(bytes, when, had_run);
}

void StreamReadWide::count(wint_t letter, Interval when) const
{
    if (letter == WEOF) return count_nothing(when);
    const auto one = static_cast<wchar_t>(letter);
    count_bytes(bytes_of({&one, 1}, [&] { return bytes_moved(1); }), when);
}

void StreamReadWide::count(const wchar_t* text, Interval when) const
{
    if (text == nullptr) return count_nothing(when);
    const std::wstring_view line(text);
    count_bytes(bytes_of(line, [&] { return bytes_moved(line.size()); }), when);
}

// The text is looked at before the call, as by the call itself: behind it, it may be gone.
bool StreamWriteWide::find()
{
    if (!StreamTransfer::find()) return false;
    if (text == nullptr) return true;
    const std::wstring_view line(text);
    characters = line.size();
    bytes = bytes_of(line, [] { return std::uint64_t{0}; });
    return true;
}

void StreamWriteWide::count(wint_t letter, Interval when) const
{
    if (letter == WEOF) return count_failed(when);
    const auto one = static_cast<wchar_t>(letter);
    count_bytes(bytes_of({&one, 1}, [&] { return bytes_moved(1); }), when);
}

void StreamWriteWide::count(int result, Interval when) const
{
    if (result < 0) return count_failed(when);
    count_bytes(bytes > 0 ? bytes : bytes_moved(characters), when);
}

void StreamPrintWide::count(int characters, Interval when) const
{
    if (characters < 0) return count_failed(when);
    const auto n = static_cast<std::size_t>(characters);
    const Encoding encoding = encoding_of_locale();
    if (encoding == Encoding::single_bytes) return count_bytes(n, when);
    const std::wstring_view text =
        encoding == Encoding::utf8 ? last_characters(stream, n) : std::wstring_view{};
    count_bytes(text.size() == n ? bytes_in_utf8(text) : bytes_moved(n), when);
}

void StreamUnread::passed(wint_t letter) const
{
    if (description != nullptr && letter != WEOF) step_back(bytes_of(letter));
}

void StreamOpen::count(const FILE* stream, Interval when) const
{
    const int fd = descriptor_of(stream);
    const ProgramText name(path);
    if (name.is_gone()) return missed(), forget(fd);
    if (stream == nullptr) return count_failed_call(AT_FDCWD, name.c_str(), when);
    note_asked(AT_FDCWD, name.c_str(), false);
    if (fd < 0) return;
    const Opened opened = look_at_opened(fd, AT_FDCWD, name.c_str(), flags);
    if (opened.file == nullptr) return leave_unopened(fd, opened);
    Description* const description = track(fd, opened.file, opened.position);
    if (description != nullptr && (flags & O_APPEND) != 0) begin_appending(fd, *description);
    if (auto* const at = counters_of<StdioCounters>(opened.file)) {
        at->counters.creates += opened.created;
        count_open(*at, when);
    }
}

void StreamTemporary::count(const FILE* stream, Interval when) const
{
    if (stream == nullptr) return count_unopened(when);
    const int fd = descriptor_of(stream);
    forget(fd);
    Description* const description = tracked(fd);
    if (description == nullptr) return;
    if (auto* const at = counters_of<StdioCounters>(description->file.load(std::memory_order_relaxed))) {
        ++at->counters.creates;
        count_open(*at, when);
    }
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
    if (at != nullptr) count_metadata(*at, Kind::other, when);
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
    count_metadata(*at, Kind::seek, when, place < 0 ? no_offset : static_cast<std::uint64_t>(place));
}

}  // namespace fathom
