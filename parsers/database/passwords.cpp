// Where a URL has them: RFC 3986, and libpq's options.
#include "parsers/database/passwords.h"

#include <algorithm>

namespace fathom {

std::vector<TextPart> passwords_in(std::string_view url)
{
    std::vector<TextPart> found;
    const std::size_t scheme = url.find("://");
    if (scheme == std::string_view::npos) return found;
    const std::size_t begin = scheme + 3, end = std::min(url.find_first_of("/?", begin), url.size());
    const std::size_t host = url.substr(0, end).rfind('@'), colon = url.find(':', begin);
    if (host != std::string_view::npos && host >= begin && colon < host)
        found.push_back({colon + 1, host - colon - 1});
    constexpr std::string_view option = "password=";
    for (std::size_t at = url.find(option); at != std::string_view::npos; at = url.find(option, at)) {
        at += option.size();
        found.push_back({at, std::min(url.find('&', at), url.size()) - at});
    }
    return found;
}

void hide_passwords(int count, char** words)
{
    for (int at = 0; at < count; ++at)
        for (const TextPart& part : passwords_in(words[at]))
            std::fill_n(words[at] + part.begin, part.length, 'x');
}

}  // namespace fathom
