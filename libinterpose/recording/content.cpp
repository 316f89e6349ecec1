// Looks at some bytes that a call moved, or that lie in a stream's buffer.
#include "libinterpose/recording/content.h"

#include <algorithm>

#include "libinterpose/recording/program_text.h"
#include "libinterpose/recording/stream_runs.h"

namespace fathom::content {
namespace {

constexpr std::uint64_t least = 8;  // less may look like text by chance

constexpr bool is_blank(unsigned char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == ',';
}
constexpr bool is_printable(unsigned char letter)
{
    return letter > ' ' && letter < 0x7f;
}
constexpr bool is_of_number(unsigned char letter)
{
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '+';
}

// RFC 1952, 2.3: two bytes for gzip, one for deflate, flags, four for a time, and one for the level.
bool says_best_gzip(const char* data, std::size_t n)
{
    constexpr std::size_t level_at = 8;
    return n > level_at && data[0] == '\x1f' && data[1] == '\x8b' && data[2] == 8 && data[level_at] == 2;
}

void count(Content& content, const char* data, std::size_t n)
{
    std::size_t letters = 0, of_numbers = 0;
    bool times = false;  // a protocol, whose lines begin with them
    ++content.looks;
    for (std::size_t at = 0; at < n; ++at) {
        const auto letter = static_cast<unsigned char>(data[at]);
        if (is_blank(letter)) continue;
        if (!is_printable(letter)) return;
        ++letters;
        of_numbers += is_of_number(letter);
        times = times || letter == ':';
    }
    ++content.text_looks;
    content.number_looks += letters > 0 && !times && 3 * of_numbers >= 2 * letters;
}

}  // namespace

[[gnu::noinline]] void look(Content& content, const void* data, std::uint64_t n)
{
    if (data == nullptr || n < least) return;
    const std::size_t some = std::min<std::uint64_t>(n, glance);
    const char* const begin = static_cast<const char*>(data);
    const char* const from = begin + (n - some) / 2;
    const bool first = content.looks == 0;
    char copy[glance];
    if (!ProgramText::may_be_gone(from)) {
        if (first) content.best_gzip = says_best_gzip(begin, some);
        return count(content, from, some);
    }
    if (first) content.best_gzip = says_best_gzip(copy, copy_readable(begin, copy, some));
    if (const std::size_t got = copy_readable(from, copy, some); got >= least) count(content, copy, got);
}

[[gnu::noinline]] void look_at_read(Content& content, const FILE* stream)
{
    const served::ReadBuffer buffer = served::read_buffer(stream);
    if (buffer.begin == nullptr || buffer.wide) return;
    look(content, buffer.begin, static_cast<std::uint64_t>(buffer.end - buffer.begin));
}

[[gnu::noinline]] void look_at_written(Content& content, const FILE* stream)
{
    if (stream->_mode > 0 || stream->_IO_write_ptr <= stream->_IO_write_base) return;
    look(content, stream->_IO_write_base,
         static_cast<std::uint64_t>(stream->_IO_write_ptr - stream->_IO_write_base));
}

}  // namespace fathom::content
