// Compiles patterns to where their letters are, and compares paths with them; no memory is asked for.
#include "logformat/trace/patterns.h"

#include <algorithm>
#include <cstring>

#include "logformat/excluded.h"

namespace fathom {
namespace {

std::size_t plain_letters(std::string_view pattern)
{
    return std::min(pattern.find_first_of("*?"), pattern.size());
}

// The end of the letter of UTF-8 that begins here; of other text, of the byte.
std::size_t end_of_letter(std::string_view text, std::size_t at)
{
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
    return at;
}

// Within one component, or one name. Of two stars only the last one has to be tried again.
bool match_component(std::string_view pattern, std::string_view text)
{
    constexpr std::size_t none = std::string_view::npos;
    std::size_t at = 0, in_text = 0, star = none, after_star = 0;
    while (in_text < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            after_star = in_text;
        } else if (at < pattern.size() && pattern[at] == '?') {
            ++at;
            in_text = end_of_letter(text, in_text);
        } else if (at < pattern.size() && pattern[at] == text[in_text]) {
            ++at;
            ++in_text;
        } else if (star != none) {
            at = star + 1;
            in_text = ++after_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == none;
}

// Takes the first component and its slash off a path without the slash in front.
std::string_view take_component(std::string_view& path)
{
    const std::size_t length = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    return component;
}

std::string_view name_of(std::string_view path)
{
    const void* const slash = memrchr(path.data(), '/', path.size());
    return slash == nullptr
               ? path
               : path.substr(static_cast<std::size_t>(static_cast<const char*>(slash) - path.data()) + 1);
}

// What cannot be meant; empty where nothing is.
std::string_view trouble_with(std::string_view pattern)
{
    if (pattern.front() != '/')
        return pattern.find('/') == pattern.npos
                   ? ""
                   : "a pattern with a slash has to begin with one: write the whole path";
    for (std::string_view rest = pattern.substr(1); !rest.empty();) {
        const std::string_view component = take_component(rest);
        if (component == "." || component == "..") return "write the path without . and ..";
        if (component.empty()) return "write the path without doubled slashes";
    }
    return {};
}

}  // namespace

PatternTrouble Patterns::take(std::string_view list)
{
    if (list.empty() && size_ == 0 && count_ == 0) return {};
    size_ = count_ = 0;
    letters_ = 0;
    any_by_name_ = false;
    while (!list.empty()) {
        const std::size_t length = std::min(list.find(':'), list.size());
        const PatternTrouble trouble = length == 0 ? PatternTrouble{} : add(list.substr(0, length));
        if (!trouble.why.empty()) {
            take({});
            return trouble;
        }
        list.remove_prefix(std::min(length + 1, list.size()));
    }
    return {};
}

PatternTrouble Patterns::add(std::string_view pattern)
{
    if (pattern.size() > 1 && pattern.back() == '/' && pattern.front() == '/') pattern.remove_suffix(1);
    if (const std::string_view why = trouble_with(pattern); !why.empty()) return {pattern, why};
    if (count_ == most) return {pattern, "these are more than 128 patterns"};
    static_assert(most == 128);
    if (size_ + 1 + pattern.size() > most_letters)
        return {pattern, "all patterns together are longer than 4096 letters"};
    static_assert(most_letters == 4096);
    if (size_ > 0) text_[size_++] = ':';
    patterns_[count_++] = {static_cast<std::uint16_t>(size_), static_cast<std::uint16_t>(pattern.size()),
                           static_cast<std::uint16_t>(plain_letters(pattern)), pattern.front() != '/'};
    std::copy(pattern.begin(), pattern.end(), text_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += pattern.size();
    any_by_name_ = any_by_name_ || pattern.front() != '/';
    const bool any_letter = pattern.front() != '/' || pattern.size() == 1 || plain_letters(pattern) == 1;
    letters_ |= any_letter ? ~std::uint32_t{0} : bit_of_letter(pattern[1]);
    return {};
}

bool Patterns::match_any(std::string_view absolute) const
{
    const std::string_view name = any_by_name_ ? name_of(absolute) : std::string_view{};
    return std::any_of(patterns_.begin(), patterns_.begin() + count_, [&](const Pattern& pattern) {
        return pattern.by_name ? match_name(pattern, name) : match_path(pattern, absolute);
    });
}

bool Patterns::match_name(std::string_view path) const
{
    if (!any_by_name_) return false;
    const std::string_view name = name_of(path);
    return std::any_of(patterns_.begin(), patterns_.begin() + count_,
                       [&](const Pattern& pattern) { return pattern.by_name && match_name(pattern, name); });
}

bool Patterns::match_name(const Pattern& pattern, std::string_view name) const
{
    const std::string_view text = text_of(pattern);
    // Most often the last letter decides: it does unless it stands for others.
    if (name.empty() || (text.back() != name.back() && text.back() != '*' && text.back() != '?'))
        return false;
    return match_component(text, name);
}

bool Patterns::match_path(const Pattern& pattern, std::string_view path) const
{
    std::string_view text = text_of(pattern);
    if (text.size() == 1) return true;
    // Most often the first letter decides.
    if (pattern.plain > 1 && (path.size() == 1 || path[1] != text[1])) return false;
    if (!path.starts_with(text.substr(0, pattern.plain))) return false;
    if (pattern.plain == text.size()) return path.size() == text.size() || path[text.size()] == '/';
    text.remove_prefix(1);
    path.remove_prefix(1);
    while (!text.empty()) {
        if (path.empty()) return false;
        const std::string_view expected = take_component(text);
        if (!match_component(expected, take_component(path))) return false;
    }
    return true;
}

}  // namespace fathom
