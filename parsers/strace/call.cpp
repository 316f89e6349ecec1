// Goes through a call letter by letter: quotes, brackets and what strace shows of descriptors nest.
#include "parsers/strace/call.h"

#include <algorithm>
#include <charconv>

#include "parsers/strace/line.h"

namespace fathom::strace {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// Past the quote that ends a text which begins at `at`; the size where none does.
std::size_t past_quoted(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return text.size();
}

// Past the > that ends what begins with < at `at`. "->" stands between the two ends of a connection; a path's
// own < and > are escaped.
std::size_t past_shown(std::string_view text, std::size_t at)
{
    int depth = 0;
    const bool path = text.substr(at).starts_with("</");
    for (; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '<')
            ++depth;
        else if (text[at] == '>' && (path || text[at - 1] != '-') && --depth == 0)
            return at + 1;
    }
    return text.size();
}

// Whether what strace shows of a descriptor begins here: behind a number, or AT_FDCWD.
bool shows_descriptor(std::string_view text, std::size_t from, std::size_t at)
{
    if (at == from) return false;
    const char before = text[at - 1];
    return (before >= '0' && before <= '9') || text.substr(from, at - from).ends_with("AT_FDCWD");
}

// Cuts the arguments; returns the place behind the bracket that closes them, 0 where none does.
std::size_t take_arguments(std::string_view text, std::size_t at, Call& call)
{
    int depth = 0;
    std::size_t from = at;
    const auto end_argument = [&](std::size_t to) {
        const std::string_view one = trimmed(text.substr(from, to - from));
        if (call.arguments < Call::most_arguments && (!one.empty() || call.arguments > 0))
            call.argument[call.arguments++] = one;
        from = to + 1;
    };
    while (at < text.size()) {
        const char letter = text[at];
        if (letter == '"') {
            at = past_quoted(text, at);
            continue;
        }
        if (letter == '<' && shows_descriptor(text, from, at)) {
            at = past_shown(text, at);
            continue;
        }
        if (letter == '(' || letter == '[' || letter == '{') ++depth;
        if (letter == ')' && depth == 0) {
            end_argument(at);
            return at + 1;
        }
        if ((letter == ')' || letter == ']' || letter == '}') && depth > 0) --depth;
        if (letter == ',' && depth == 0) end_argument(at);
        ++at;
    }
    return 0;
}

// "<0.000012>" at the end.
void take_duration(std::string_view& text, Call& call)
{
    if (!text.ends_with('>')) return;
    const std::size_t begin = text.rfind('<');
    if (begin == std::string_view::npos || begin + 2 > text.size()) return;
    std::string_view inside = text.substr(begin + 1, text.size() - begin - 2);
    std::uint64_t took = 0;
    if (!take_seconds(inside, took) || !inside.empty()) return;
    call.duration = took;
    text = trimmed(text.substr(0, begin));
}

bool take_result(std::string_view text, Call& call)
{
    text = trimmed(text);
    if (!text.starts_with("= ")) return false;
    text = trimmed(text.substr(2));
    take_duration(text, call);
    if (text.starts_with('?')) return true;
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    const char* const end = text.data() + text.size();
    std::uint64_t address = 0;
    const auto [stop, error] = hexadecimal ? std::from_chars(text.data(), end, address, 16)
                                           : std::from_chars(text.data(), end, call.result);
    if (error != std::errc{}) return false;
    if (hexadecimal) call.result = address >> 63 != 0 ? 0 : static_cast<std::int64_t>(address);
    call.has_result = true;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (text.starts_with('<')) {
        const std::size_t shown = past_shown(text, 0);
        call.shows = true;
        call.shown = text.substr(1, shown >= 2 ? shown - 2 : 0);
        text.remove_prefix(shown);
    }
    if (call.result < 0) {
        text = trimmed(text);
        call.error = text.substr(0, text.find(' '));
    }
    return true;
}

char letter_of_escape(char letter)
{
    switch (letter) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        case 'v':
            return '\v';
        case 'f':
            return '\f';
        default:
            return letter;
    }
}

// Of "\12", "\x0a" and "\n".
std::string unescaped(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            plain += text[at];
            continue;
        }
        ++at;
        const bool hexadecimal = text[at] == 'x';
        const char* const begin = text.data() + at + (hexadecimal ? 1 : 0);
        const std::size_t left = static_cast<std::size_t>(text.data() + text.size() - begin);
        unsigned code = 0;
        const auto [end, error] = std::from_chars(
            begin, begin + std::min<std::size_t>(left, hexadecimal ? 2 : 3), code, hexadecimal ? 16 : 8);
        if (error != std::errc{}) {
            plain += letter_of_escape(text[at]);
            continue;
        }
        plain += static_cast<char>(code);
        at = static_cast<std::size_t>(end - text.data()) - 1;
    }
    return plain;
}

}  // namespace

bool parse_call(std::string_view text, Call& call)
{
    call = {};
    const std::size_t bracket = text.find('(');
    if (bracket == 0 || bracket == std::string_view::npos) return false;
    call.name = text.substr(0, bracket);
    const std::size_t end = take_arguments(text, bracket + 1, call);
    return end != 0 && take_result(text.substr(end), call);
}

DescriptorArgument descriptor_of(std::string_view argument)
{
    DescriptorArgument one;
    constexpr std::string_view working_folder = "AT_FDCWD";
    std::string_view rest = argument;
    if (argument.starts_with(working_folder)) {
        one.working_folder = true;
        rest.remove_prefix(working_folder.size());
    } else {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), one.number);
        if (error != std::errc{} || one.number < 0) return {};
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    if (rest.size() >= 2 && rest.starts_with('<')) {
        one.shows = true;
        one.shown = rest.substr(1, past_shown(rest, 0) - 2);
    }
    return one;
}

std::string path_shown(std::string_view shown)
{
    if (!shown.starts_with('/') || shown.starts_with("/memfd:")) return {};
    shown = shown.substr(0, shown.find('<'));  // "/dev/null<char 1:3>"
    std::string path = unescaped(shown);
    if (constexpr std::string_view gone = " (deleted)"; path.ends_with(gone))
        path.resize(path.size() - gone.size());
    return path;
}

std::optional<std::string> text_of(std::string_view argument)
{
    if (!argument.starts_with('"')) return std::nullopt;
    const std::size_t end = past_quoted(argument, 0);
    if (end != argument.size() || end < 2) return std::nullopt;  // "abc"...
    return unescaped(argument.substr(1, end - 2));
}

std::string texts_of(std::string_view argument)
{
    std::string all;
    for (std::size_t at = argument.find('"'); at < argument.size(); at = argument.find('"', at)) {
        const std::size_t end = past_quoted(argument, at);
        if (end - at < 2) break;
        all += (all.empty() ? "" : " ") + unescaped(argument.substr(at + 1, end - at - 2));
        if (argument.substr(end).starts_with("...")) all += "...";
        at = end;
    }
    return all;
}

std::optional<std::int64_t> number_of(std::string_view argument)
{
    if (argument.starts_with('[')) argument.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
    if (error != std::errc{}) return std::nullopt;
    return number;
}

}  // namespace fathom::strace
