// Arguments of programs that look like secrets: what stands behind names such as --password is not recorded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom::secrets {

// What the name of an option, a variable or a header of HTTP ends with whose value is a secret. Upper and
// lower case, '-' and '_' make no difference: API_KEY is apikey. A short one is a word of its own, so that
// neither `bypass` nor `author` is meant.
struct Ending {
    std::string_view letters;
    bool own_word = false;
};
inline constexpr Ending endings[] = {{"password"},      {"passwd"},     {"passphrase"},  {"secret"},
                                     {"token"},         {"credential"}, {"credentials"}, {"apikey"},
                                     {"accesskey"},     {"secretkey"},  {"privatekey"},  {"authkey"},
                                     {"authorization"}, {"pass", true}, {"auth", true},  {"cookie", true}};

constexpr bool is_joint(char letter)
{
    return letter == '-' || letter == '_';
}

constexpr char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

constexpr bool ends_with(std::string_view name, const Ending& ending)
{
    std::string_view left = ending.letters;
    while (!left.empty() && !name.empty()) {
        const char letter = lower(name.back());
        name.remove_suffix(1);
        if (letter == left.back())
            left.remove_suffix(1);
        else if (!is_joint(letter) || left.size() == ending.letters.size())
            return false;
    }
    return left.empty() && (!ending.own_word || name.empty() || is_joint(name.back()));
}

constexpr bool is_name_of_secret(std::string_view name)
{
    return std::any_of(std::begin(endings), std::end(endings),
                       [&](const Ending& ending) { return ends_with(name, ending); });
}

// Which bytes of an argument are a secret: none where both are equal.
struct Range {
    std::size_t from = 0, to = 0;
};

// "user:SECRET@host" behind "://".
constexpr Range in_address(std::string_view word)
{
    const std::size_t start = word.find("://");
    if (start == word.npos) return {};
    const std::size_t end = std::min(word.find_first_of("/?#", start + 3), word.size());
    const std::size_t at = word.substr(0, end).rfind('@');
    const std::size_t colon = word.find(':', start + 3);
    return at == word.npos || at < start || colon >= at ? Range{} : Range{colon + 1, at};
}

// `before`: the argument before it.
constexpr Range in_argument(std::string_view word, std::string_view before)
{
    const bool is_option = word.starts_with('-');
    if (before.starts_with('-') && before.find('=') == before.npos && is_name_of_secret(before) && !is_option)
        return {0, word.size()};
    if (const std::size_t mark = word.find_first_of("=:");
        mark != word.npos && is_name_of_secret(word.substr(0, mark)))
        return {mark + 1, word.size()};
    return in_address(word);
}

inline constexpr std::string_view mask = "***";

// Takes secrets out of arguments that end with a zero byte each, in place. Returns how many bytes are left.
constexpr std::size_t mask_all(char* text, std::size_t size)
{
    std::size_t to = 0, before_from = 0, before_to = 0;
    for (std::size_t from = 0; from < size;) {
        const std::string_view rest(text + from, size - from);
        const std::string_view word = rest.substr(0, rest.find('\0'));
        const Range range = in_argument(word, std::string_view(text + before_from, before_to - before_from));
        const std::size_t stars = std::min(mask.size(), range.to - range.from);
        before_from = to;
        for (std::size_t at = 0; at < word.size(); ++at) {
            if (at < range.from || at >= range.to)
                text[to++] = word[at];
            else if (at < range.from + stars)
                text[to++] = '*';
        }
        before_to = to;
        from += word.size();
        if (from < size) text[to++] = text[from++];
    }
    return to;
}

}  // namespace fathom::secrets
