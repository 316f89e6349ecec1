// Decodes UTF-8 strictly (no overlong forms, no surrogates) and escapes what should not reach a screen.
#include "analyzer/document/printable.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace fathom::report {
namespace {

bool steers(char32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void append_steering(std::string& to, char32_t c)
{
    if (c == '\t')
        to += "\\t";
    else if (c == '\n')
        to += "\\n";
    else if (c == '\r')
        to += "\\r";
    else if (c < 0x80)
        fmt::format_to(std::back_inserter(to), "\\x{:02x}", static_cast<unsigned>(c));
    else
        fmt::format_to(std::back_inserter(to), "\\u{{{:x}}}", static_cast<unsigned>(c));
}

enum class Keep { controls, printing, reversibly };

std::string cleaned(std::string_view text, Keep keep)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) {
            fmt::format_to(std::back_inserter(clean), "\\x{:02x}", static_cast<unsigned char>(text[0]));
            text.remove_prefix(1);
            continue;
        }
        const auto character = text.substr(0, length);
        const char32_t c = code_point(character);
        if (keep != Keep::controls && steers(c))
            append_steering(clean, c);
        else if (keep == Keep::reversibly && c == '\\')
            clean += "\\\\";
        else
            clean += character;
        text.remove_prefix(length);
    }
    return clean;
}

}  // namespace

std::size_t character_length(std::string_view text)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t at = 1; at < length; ++at)
        if ((byte(at) & 0xc0) != 0x80) return 0;
    const char32_t c = code_point(text.substr(0, length));
    const bool overlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
    const bool surrogate = c >= 0xd800 && c <= 0xdfff;
    return overlong || surrogate || c > 0x10ffff ? 0 : length;
}

char32_t code_point(std::string_view character)
{
    if (character.size() == 1) return static_cast<unsigned char>(character[0]);
    char32_t c = static_cast<unsigned char>(character[0]) & (0xffu >> (character.size() + 1));
    for (const char next : character.substr(1)) c = (c << 6) | (static_cast<unsigned char>(next) & 0x3fu);
    return c;
}

std::string valid_utf8(std::string_view text)
{
    return cleaned(text, Keep::controls);
}
std::string printable(std::string_view text)
{
    return cleaned(text, Keep::printing);
}
std::string escaped(std::string_view text)
{
    return cleaned(text, Keep::reversibly);
}

std::string printable_json(std::string_view json)
{
    std::string all;
    while (!json.empty()) {
        const auto plain = std::find_if(json.begin(), json.end(),
                                        [](char letter) { return letter == 0x7f || (letter & 0x80) != 0; });
        all.append(json.begin(), plain);
        json.remove_prefix(static_cast<std::size_t>(plain - json.begin()));
        if (json.empty()) break;
        const std::size_t length = std::max<std::size_t>(character_length(json), 1);
        const char32_t c = character_length(json) == 0 ? U'?' : code_point(json.substr(0, length));
        if (steers(c))
            all += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        else
            all += json.substr(0, length);
        json.remove_prefix(length);
    }
    return all;
}

}  // namespace fathom::report
