// Passwords in the URLs of databases, which nobody else is to see.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fathom {

struct TextPart {
    std::size_t begin = 0, length = 0;
};

// That of "scheme://user:secret@host", and those of options "password=secret" behind a scheme. By their
// place.
std::vector<TextPart> passwords_in(std::string_view url);

// Overwrites them in the words of a command line, which other users of the machine can read (ps).
void hide_passwords(int count, char** words);

}  // namespace fathom
