// Text in columns: how wide it is, where it breaks, and how a long path is shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::report {

// Columns of a terminal that valid UTF-8 takes: wide characters two, combining marks none.
std::size_t display_width(std::string_view text);

// At most `width` columns: the middle gives way to "…", and the end, which names the file, keeps the larger
// part.
std::string shorten_middle(std::string_view text, std::size_t width);

// The same of a sentence: its end gives way.
std::string shorten_end(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at spaces; a longer word is broken where it must be.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// The same as one text of lines that end in a newline, with their indents: at most `width` columns in all.
std::string wrapped(std::string_view text, std::size_t width, std::string_view first_indent,
                    std::string_view indent);

enum class Align { left, right };
std::string pad(std::string_view text, std::size_t width, Align align = Align::left);

// For terminals without UTF-8: what has a likeness in ASCII becomes it, the rest '?'; widths stay.
std::string to_ascii(std::string_view text);

}  // namespace fathom::report
