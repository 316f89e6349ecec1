// Folds what a run numbers, and finds the folders that runs have for themselves.
#include "analyzer/compare/roles.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace fathom {
namespace {

constexpr std::size_t shortest_hash = 8;
constexpr std::array<std::string_view, 10> endings = {".h5",  ".h4",  ".hdf5", ".nc4", ".bz2",
                                                      ".mp3", ".mp4", ".f90",  ".f77", ".7z"};

constexpr bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool is_hexadecimal(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool is_of_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// 8-4-4-4-12 hexadecimal digits, at the beginning of the text.
bool begins_with_uuid(std::string_view text)
{
    constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() < form.size() || (text.size() > form.size() && is_of_word(text[form.size()])))
        return false;
    for (std::size_t at = 0; at < form.size(); ++at)
        if (form[at] == '-' ? text[at] != '-' : !is_hexadecimal(text[at])) return false;
    return true;
}

bool is_hash(std::string_view word)
{
    return word.size() >= shortest_hash && std::all_of(word.begin(), word.end(), is_hexadecimal) &&
           std::any_of(word.begin(), word.end(), is_digit);
}

void append_word(std::string_view word, std::string& to)
{
    if (is_hash(word)) {
        to += '#';
        return;
    }
    for (std::size_t at = 0; at < word.size(); ++at) {
        const bool goes_on = at > 0 && is_digit(word[at - 1]);
        if (!is_digit(word[at]))
            to += word[at];
        else if (!goes_on)
            to += '#';
    }
}

// Folders from the root to the file, without empty ones.
std::vector<std::string_view> components_of(std::string_view path)
{
    std::vector<std::string_view> all;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end > 0) all.push_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return all;
}

// What is left of two paths once the folders that they end in alike are taken off.
std::pair<std::string_view, std::string_view> unlike_beginnings(std::string_view one, std::string_view other)
{
    const auto a = components_of(one), b = components_of(other);
    std::size_t alike = 0;
    while (alike < a.size() && alike < b.size() && a[a.size() - 1 - alike] == b[b.size() - 1 - alike])
        ++alike;
    const auto beginning = [&](std::string_view path, const std::vector<std::string_view>& parts) {
        if (alike == parts.size()) return std::string_view();
        const std::string_view last = parts[parts.size() - 1 - alike];
        return path.substr(0, static_cast<std::size_t>(last.data() - path.data()) + last.size());
    };
    return {beginning(one, a), beginning(other, b)};
}

std::string_view name_of(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);  // all of it where there is none
}

}  // namespace

std::string role_of(std::string_view path)
{
    std::string role;
    std::string_view ending;
    for (const std::string_view known : endings)
        if (path.ends_with(known)) ending = known;
    path.remove_suffix(ending.size());
    constexpr std::size_t uuid_size = 36;
    for (std::size_t at = 0; at < path.size();) {
        if (begins_with_uuid(path.substr(at))) {
            role += '#';
            at += uuid_size;
        } else if (is_of_word(path[at])) {
            std::size_t end = at;
            while (end < path.size() && is_of_word(path[end])) ++end;
            append_word(path.substr(at, end - at), role);
            at = end;
        } else {
            role += path[at++];
        }
    }
    return role.append(ending);
}

std::vector<std::pair<std::size_t, std::size_t>> match_roles(std::span<const std::string> earlier,
                                                             std::span<const std::string> later)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<bool> earlier_done(earlier.size()), later_done(later.size());
    const auto match = [&](std::size_t a, std::size_t b) {
        pairs.emplace_back(a, b);
        earlier_done[a] = later_done[b] = true;
    };
    std::unordered_map<std::string_view, std::size_t> by_role;
    for (std::size_t at = 0; at < earlier.size(); ++at) by_role.emplace(earlier[at], at);
    for (std::size_t at = 0; at < later.size(); ++at)
        if (const auto same = by_role.find(later[at]); same != by_role.end()) match(same->second, at);

    // Each pair of roles of one name votes for the folders that would have to stand for each other. Of names
    // that very many share only some are asked.
    constexpr std::size_t most_of_a_name = 50;
    std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
    for (std::size_t at = 0; at < earlier.size(); ++at)
        if (!earlier_done[at]) by_name[name_of(earlier[at])].push_back(at);
    using Folders = std::pair<std::string_view, std::string_view>;
    std::map<Folders, std::vector<std::pair<std::size_t, std::size_t>>> votes;
    for (std::size_t at = 0; at < later.size(); ++at) {
        const auto found = later_done[at] ? by_name.end() : by_name.find(name_of(later[at]));
        if (found == by_name.end()) continue;
        for (std::size_t nth = 0; nth < std::min(found->second.size(), most_of_a_name); ++nth) {
            const std::size_t candidate = found->second[nth];
            votes[unlike_beginnings(earlier[candidate], later[at])].emplace_back(candidate, at);
        }
    }
    std::vector<const std::pair<const Folders, std::vector<std::pair<std::size_t, std::size_t>>>*> order;
    for (const auto& vote : votes) order.push_back(&vote);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.size() > b->second.size(); });
    for (const auto* const vote : order)
        for (const auto& [a, b] : vote->second)
            if (!earlier_done[a] && !later_done[b]) match(a, b);
    return pairs;
}

}  // namespace fathom
