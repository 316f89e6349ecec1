// Text of unknown origin (paths, arguments) made safe to show: valid UTF-8, nothing that steers a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fathom::report {

// Length of the UTF-8 character at the start of a non-empty text, 0 where its bytes are none.
std::size_t character_length(std::string_view text);

// The code point of a character of the length given by character_length().
char32_t code_point(std::string_view character);

// Bytes that are no UTF-8 become \xNN; all else stays, control characters too.
std::string valid_utf8(std::string_view text);

// As valid_utf8, and control characters and marks that change the direction of writing become \xNN or \u{N}.
// Tab, newline and return become \t, \n and \r.
std::string printable(std::string_view text);

// As printable, and a backslash is doubled, so that the original can be had back.
std::string escaped(std::string_view text);

// JSON as it was, with \uNNNN in place of what steers a terminal: DEL, C1 and marks that change the direction
// of writing, which JSON allows in texts.
std::string printable_json(std::string_view json);

}  // namespace fathom::report
