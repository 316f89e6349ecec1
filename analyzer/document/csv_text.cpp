// Letter by letter.
#include "analyzer/document/csv_text.h"

namespace fathom::report {

std::string csv_text(std::string_view text)
{
    constexpr std::string_view begins_formula = "=+-@\t\r";
    std::string plain(text);
    if (plain.size() > 1 && begins_formula.find(plain.front()) != begins_formula.npos) plain.insert(0, "'");
    for (char& letter : plain)
        if (letter == '\n' || letter == '\r') letter = ' ';
    if (plain.find_first_of(",\"") == std::string::npos) return plain;
    std::string quoted = "\"";
    for (const char letter : plain) quoted.append(letter == '"' ? 2 : 1, letter);
    return quoted + '"';
}

}  // namespace fathom::report
