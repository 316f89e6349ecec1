// Measures and breaks UTF-8 text by characters.
#include "analyzer/document/drawing/layout.h"

#include <algorithm>
#include <utility>

#include "analyzer/document/printable.h"

namespace fathom::report {
namespace {

struct Range {
    char32_t first, last;
};

// Enough of Unicode's East Asian Width and of its marks for paths and names; a terminal may differ on the
// rest.
constexpr Range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                          {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                          {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr Range marks[] = {{0x300, 0x36f}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

template <std::size_t N>
bool in(char32_t c, const Range (&ranges)[N])
{
    return std::any_of(ranges, ranges + N, [c](Range range) { return c >= range.first && c <= range.last; });
}

std::size_t width_of(char32_t c)
{
    if (c < 0x300) return 1;
    return in(c, marks) ? 0 : in(c, wide) ? 2 : 1;
}

// Calls visit(character, its columns) until it returns false.
template <class Visit>
void each_character(std::string_view text, Visit visit)
{
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(character_length(text), 1);
        const auto character = text.substr(0, length);
        if (!visit(character, width_of(code_point(character)))) return;
        text.remove_prefix(length);
    }
}

// Bytes of the longest beginning that takes at most `width` columns.
std::size_t fitting(std::string_view text, std::size_t width)
{
    std::size_t bytes = 0, used = 0;
    each_character(text, [&](std::string_view character, std::size_t columns) {
        if (used + columns > width) return false;
        used += columns;
        bytes += character.size();
        return true;
    });
    return bytes;
}

struct Likeness {
    char32_t character;
    char ascii;
};
constexpr Likeness likenesses[] = {{U'…', '~'}, {U'µ', 'u'}, {U'─', '-'}, {U'═', '='}, {U'–', '-'},
                                   {U'—', '-'}, {U'×', 'x'}, {U'│', '|'}, {U'≤', '<'}};

}  // namespace

std::size_t display_width(std::string_view text)
{
    std::size_t width = 0;
    each_character(text, [&](std::string_view, std::size_t columns) {
        width += columns;
        return true;
    });
    return width;
}

std::string shorten_middle(std::string_view text, std::size_t width)
{
    const std::size_t full = display_width(text);
    if (full <= width) return std::string(text);
    if (width <= 1) return width == 0 ? "" : "…";
    const std::size_t head = (width - 1) / 3, tail = width - 1 - head;
    std::string shortened(text.substr(0, fitting(text, head)));
    shortened += "…";
    std::size_t left = full;
    std::string_view rest = text;
    while (left > tail) {  // drop characters from the front until the end fits
        const std::size_t length = std::max<std::size_t>(character_length(rest), 1);
        left -= width_of(code_point(rest.substr(0, length)));
        rest.remove_prefix(length);
    }
    return shortened.append(rest);
}

std::string shorten_end(std::string_view text, std::size_t width)
{
    if (display_width(text) <= width) return std::string(text);
    if (width <= 1) return width == 0 ? "" : "…";
    return std::string(text.substr(0, fitting(text, width - 1))) + "…";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width)
{
    width = std::max<std::size_t>(width, 2);
    std::vector<std::string> lines;
    std::string line;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, space);
        text.remove_prefix(std::min(space + 1, text.size()));
        std::size_t columns = display_width(word);
        if (used > 0 && used + 1 + columns > width) {
            lines.push_back(std::move(line));
            line.clear();
            used = 0;
        }
        while (columns > width) {
            const std::size_t bytes = fitting(word, width);
            columns -= display_width(word.substr(0, bytes));
            lines.emplace_back(word.substr(0, bytes));
            word.remove_prefix(bytes);
        }
        if (used > 0) line += ' ';
        used += columns + (used > 0 ? 1 : 0);
        line += word;
    }
    if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
    return lines;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view first_indent,
                    std::string_view indent)
{
    const std::size_t taken = std::max(display_width(first_indent), display_width(indent));
    std::string out;
    bool first = true;
    for (const std::string& line : wrap(text, width - std::min(width, taken))) {
        out.append(std::exchange(first, false) ? first_indent : indent).append(line);
        out += '\n';
    }
    return out;
}

std::string pad(std::string_view text, std::size_t width, Align align)
{
    const std::size_t used = display_width(text);
    const std::string blanks(width > used ? width - used : 0, ' ');
    return align == Align::left ? std::string(text) + blanks : blanks + std::string(text);
}

std::string to_ascii(std::string_view text)
{
    std::string ascii;
    each_character(text, [&](std::string_view character, std::size_t columns) {
        if (character.size() == 1) {
            ascii += character;
            return true;
        }
        const char32_t c = code_point(character);
        const auto* const like = std::find_if(std::begin(likenesses), std::end(likenesses),
                                              [c](const Likeness& one) { return one.character == c; });
        ascii += like != std::end(likenesses) ? std::string(1, like->ascii) : std::string(columns, '?');
        return true;
    });
    return ascii;
}

}  // namespace fathom::report
