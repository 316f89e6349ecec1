// Takes a line apart from the left: process, time, then what strace puts there.
#include "parsers/strace/line.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstring>
#include <string>
#include <zlib.h>

namespace fathom::strace {
namespace {

bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}
bool is_of_name(char letter)
{
    return (letter >= 'a' && letter <= 'z') || is_digit(letter) || letter == '_';
}

std::string_view without_spaces(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return text;
}

template <class Number>
bool take_number(std::string_view& text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

// "1234 " or "[pid  1234] ".
void take_pid(std::string_view& text, std::uint64_t& pid)
{
    constexpr std::string_view before = "[pid ";
    std::string_view rest = text;
    if (rest.starts_with(before)) {
        rest = without_spaces(rest.substr(before.size()));
        if (!take_number(rest, pid) || !rest.starts_with("] ")) return;
        text = without_spaces(rest.substr(1));
        return;
    }
    constexpr std::size_t most_digits = 8;  // a time has more
    const std::string_view digits = rest;
    if (!take_number(rest, pid) || !rest.starts_with(' ') || digits.size() - rest.size() > most_digits) {
        pid = 0;
        return;
    }
    text = without_spaces(rest);
}

// "12:34:56" or "12:34:56.789012".
bool take_time_of_day(std::string_view& text)
{
    constexpr std::string_view form = "dd:dd:dd";
    if (text.size() <= form.size()) return false;
    for (std::size_t at = 0; at < form.size(); ++at)
        if (form[at] == 'd' ? !is_digit(text[at]) : text[at] != form[at]) return false;
    text.remove_prefix(form.size());
    while (!text.empty() && (is_digit(text.front()) || text.front() == '.')) text.remove_prefix(1);
    return true;
}

Clock take_clock(std::string_view& text, std::uint64_t& time)
{
    std::string_view rest = text;
    Clock clock = Clock::not_told;
    constexpr std::uint64_t earliest = 100'000'000'000'000'000;  // 1973; less is a pause (-r)
    if (take_time_of_day(rest))
        clock = Clock::of_day;
    else if (rest = text; take_seconds(rest, time) && rest.starts_with(' '))
        clock = time >= earliest ? Clock::unix_time : Clock::of_day;
    if (clock != Clock::not_told) text = without_spaces(rest);
    return clock;
}

std::int64_t signal_number(std::string_view name)
{
    if (name.starts_with("SIG")) name.remove_prefix(3);
    for (int number = 1; number < NSIG; ++number) {
        const char* const known = sigabbrev_np(number);
        if (known != nullptr && name == known) return number;
    }
    return -1;
}

// "+++ exited with 1 +++", "+++ killed by SIGSEGV (core dumped) +++".
void take_ending(std::string_view text, Line& line)
{
    constexpr std::string_view exited = "+++ exited with ", killed = "+++ killed by ",
                               superseded = "+++ superseded by execve in pid ";
    line.kind = LineKind::remark;
    if (text.starts_with(exited)) {
        text.remove_prefix(exited.size());
        if (take_number(text, line.status)) line.kind = LineKind::exited;
    } else if (text.starts_with(killed)) {
        text.remove_prefix(killed.size());
        line.kind = LineKind::killed;
        line.status = signal_number(text.substr(0, text.find(' ')));
    } else if (text.starts_with(superseded)) {
        text.remove_prefix(superseded.size());
        if (take_number(text, line.status) && line.status > 0) line.kind = LineKind::superseded;
    }
}

// "<... read resumed>rest", in older versions with a space before the rest.
void take_resumed(std::string_view text, Line& line)
{
    constexpr std::string_view before = "<... ", after = " resumed>";
    text.remove_prefix(before.size());
    const std::size_t end = text.find(after);
    if (end == std::string_view::npos) return;
    line.kind = LineKind::resumed;
    line.name = text.substr(0, end);
    line.text = text.substr(end + after.size());
}

void take_call(std::string_view text, Line& line)
{
    std::size_t name = 0;
    while (name < text.size() && is_of_name(text[name])) ++name;
    if (name == 0 || name == text.size() || text[name] != '(' || is_digit(text[0])) return;
    line.name = text.substr(0, name);
    line.text = text;
    line.kind = LineKind::call;
    for (const std::string_view cut : {"<unfinished ...>", "<detached ...>"}) {
        if (!text.ends_with(cut)) continue;
        line.text.remove_suffix(cut.size());
        while (line.text.ends_with(' ')) line.text.remove_suffix(1);
        line.kind = LineKind::unfinished;
    }
}

// What the first bytes unpack to, as far as they go.
std::string unpacked(std::string_view packed)
{
    std::string text(4096, '\0');
    z_stream stream{};
    constexpr int gzip_alone = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip_alone) != Z_OK) return {};
    std::string copy(packed);
    stream.next_in = reinterpret_cast<Bytef*>(copy.data());
    stream.avail_in = static_cast<uInt>(copy.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    inflate(&stream, Z_SYNC_FLUSH);
    text.resize(text.size() - stream.avail_out);
    inflateEnd(&stream);
    return text;
}

// A call with its result, or as much of one as there is before the bytes end.
bool looks_like_call(const Line& line, bool whole)
{
    if (line.kind == LineKind::unfinished) return line.clock != Clock::not_told || line.pid != 0;
    if (line.kind != LineKind::call) return false;
    if (!whole) return line.clock != Clock::not_told || line.name == "execve";
    const std::size_t result = line.text.rfind(") ");
    if (result == std::string_view::npos) return false;
    const std::string_view rest = without_spaces(line.text.substr(result + 1));
    if (line.text.find(" = ") == std::string_view::npos) return false;
    return line.clock != Clock::not_told || rest.starts_with("= ") || line.name == "execve";
}

}  // namespace

bool take_seconds(std::string_view& text, std::uint64_t& nanoseconds)
{
    constexpr std::uint64_t most_seconds = 9'000'000'000, second = 1'000'000'000;
    std::string_view rest = text;
    std::uint64_t seconds = 0, fraction = 0, unit = second;
    if (rest.empty() || !is_digit(rest.front()) || !take_number(rest, seconds) || seconds > most_seconds)
        return false;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
            unit /= 10;
            fraction += unit * static_cast<std::uint64_t>(rest.front() - '0');
        }
    }
    nanoseconds = seconds * second + fraction;
    text = rest;
    return true;
}

Line parse_line(std::string_view text)
{
    Line line;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.starts_with("strace: ")) {
        line.kind = LineKind::remark;
        return line;
    }
    text = without_spaces(text);
    take_pid(text, line.pid);
    line.clock = take_clock(text, line.time);
    if (text.starts_with("+++ "))
        take_ending(text, line);
    else if (text.starts_with("--- "))
        line.kind = LineKind::remark;
    else if (text.starts_with("<... "))
        take_resumed(text, line);
    else
        take_call(text, line);
    return line;
}

bool is_strace_output(std::string_view first_bytes)
{
    std::string text;
    if (first_bytes.starts_with("\x1f\x8b")) {
        text = unpacked(first_bytes);
        first_bytes = text;
    }
    constexpr int lines_to_look_at = 8;
    for (int lines = 0; lines < lines_to_look_at && !first_bytes.empty(); ++lines) {
        const std::size_t end = first_bytes.find('\n');
        const bool whole = end != std::string_view::npos;
        const std::string_view line = first_bytes.substr(0, end);
        const bool printable = std::all_of(line.begin(), line.end(), [](char c) {
            return static_cast<unsigned char>(c) >= ' ' || c == '\r' || c == '\t';
        });
        if (!printable) return false;
        if (looks_like_call(parse_line(line), whole)) return true;
        if (!whole) break;
        first_bytes.remove_prefix(end + 1);
    }
    return false;
}

}  // namespace fathom::strace
