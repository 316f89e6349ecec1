// Five characters mean something there.
#include "analyzer/document/markup.h"

#include "analyzer/document/printable.h"

namespace fathom::report {

std::string escape(std::string_view text)
{
    std::string escaped;
    for (const char c : printable(text)) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else if (c == '\'')
            escaped += "&#39;";
        else
            escaped += c;
    }
    return escaped;
}

}  // namespace fathom::report
