// Texts as fields of CSV.
#pragma once

#include <string>
#include <string_view>

namespace fathom::report {

// RFC 4180: in quotes where it must be; line breaks become blanks. What a spreadsheet would take for a
// formula
// (=, +, -, @ in the first place) begins with an apostrophe, which says to it that this is text.
std::string csv_text(std::string_view text);

}  // namespace fathom::report
