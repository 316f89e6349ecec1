// What a line of strace's output is: who, when, and a call, a part of one, or the end of a process.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom::strace {

enum class LineKind : std::uint8_t {
    call,        // text: all of it
    unfinished,  // text: its beginning
    resumed,     // name: of which call; text: the rest
    exited,      // status
    killed,      // status: number of the signal
    superseded,  // by thread `status` of the same process, which executed a program
    remark,      // of strace's own: a signal, a process that was attached
    other,       // none of strace's
};

enum class Clock : std::uint8_t { not_told, of_day, unix_time };

struct Line {
    LineKind kind = LineKind::other;
    Clock clock = Clock::not_told;
    std::uint64_t pid = 0;   // 0: not given
    std::uint64_t time = 0;  // ns of UNIX time
    std::string_view name, text;
    std::int64_t status = -1;
};

Line parse_line(std::string_view line);

// "1700000000.123456" or "0.000012" as nanoseconds, from the front of the text, which is shortened. False
// where that is no time, or one that no clock shows.
bool take_seconds(std::string_view& text, std::uint64_t& nanoseconds);

// Whether these are the first bytes of strace's output, perhaps packed with gzip.
bool is_strace_output(std::string_view first_bytes);

}  // namespace fathom::strace
