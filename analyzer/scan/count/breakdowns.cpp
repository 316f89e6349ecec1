// The table of what inodes are counted by.
#include "analyzer/scan/count/breakdowns.h"

#include <algorithm>

#include "analyzer/scan/count/names.h"

namespace fathom::scan {
namespace {

std::uint32_t depth_of(const Place& place, const Entry& entry)
{
    return place.folder.depth() + (entry.name.empty() ? 0 : 1);
}

std::string kind_key(const Place&, const Entry& entry, const Rules&)
{
    if (S_ISREG(entry.mode)) return "regular";
    if (S_ISDIR(entry.mode)) return "directory";
    return S_ISLNK(entry.mode) ? "symlink" : "other";
}

std::string project_key(const Place& place, const Entry& entry, const Rules& rules)
{
    const std::size_t rule = std::min(place.path_rule, rules.rule_of_user(entry.user));
    return rule < rules.projects().size() ? rules.projects()[rule].project : std::string(no_project);
}

std::string top_key(const Place& place, const Entry& entry, const Rules&)
{
    if (const Folder* const top = place.folder.top()) return top->path();
    std::string path = place.folder.path();
    if (entry.name.empty() || !entry.is_folder()) return path;
    if (path.back() != '/') path += '/';
    return path.append(entry.name);
}

std::string depth_key(const Place& place, const Entry& entry, const Rules&)
{
    return std::to_string(depth_of(place, entry));
}

// What follows the last dot, in small letters, where it looks like a kind of file: else many files would have
// one of their own, such as the number of a step.
std::string suffix_key(const Place&, const Entry& entry, const Rules&)
{
    constexpr std::size_t longest = 12;
    if (!entry.is_regular()) return {};
    const std::size_t dot = entry.name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == entry.name.size()) return "(none)";
    std::string suffix(entry.name.substr(dot));
    if (suffix.size() > longest + 1) return "(none)";
    bool has_letter = false;
    for (char& letter : suffix) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        const bool is_letter = letter >= 'a' && letter <= 'z', is_digit = letter >= '0' && letter <= '9';
        if (!is_letter && !is_digit && letter != '.' && letter != '_' && letter != '-' && letter != '+' &&
            letter != '~')
            return "(none)";
        has_letter = has_letter || is_letter;
    }
    return has_letter ? suffix : "(number)";
}

constexpr std::size_t all_keys = std::size_t{1} << 20;

}  // namespace

std::size_t Rules::rule_of_user(std::uint32_t user) const
{
    if (projects_.empty()) return 0;
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = users_.try_emplace(user);
    if (is_new) place->second = first_rule(projects_, ProjectRule::Of::user, user_name(user));
    return place->second;
}

std::size_t Rules::rule_of_path(const std::string& path) const
{
    return first_rule(projects_, ProjectRule::Of::path, path);
}

const Breakdown breakdowns[breakdown_count] = {
    {By::all, "all", "all", "all", false, 1,
     [](const Place&, const Entry&, const Rules&) { return std::string("all"); }, "All inodes."},
    {By::kind, "kind", "kind", "kinds", true, all_keys, kind_key,
     "Regular files, directories, symbolic links; other: devices, FIFOs, sockets."},
    {By::user, "user", "user", "users", false, all_keys,
     [](const Place&, const Entry& entry, const Rules&) { return std::to_string(entry.user); },
     "The owner of the inode."},
    {By::group, "group", "group", "groups", false, all_keys,
     [](const Place&, const Entry& entry, const Rules&) { return std::to_string(entry.group); },
     "The group of the inode."},
    {By::project, "project", "project", "projects", false, all_keys, project_key,
     "By the first rule of --projects that fits the owner's name, or the path of the folder with a '/' at "
     "its end."},
    {By::top, "top", "top directory", "top directories", false, 1000, top_key,
     "The directory just below the path that was scanned, with all beneath it; what lies beside it counts "
     "for the path itself."},
    {By::depth, "depth", "depth", "depths", false, 1000, depth_key,
     "How many names lead there from the path that was scanned, which has depth 0."},
    {By::suffix, "suffix", "suffix", "suffixes", true, 1000, suffix_key,
     "Of regular files: what follows the last dot, in small letters, up to 12 of them; (number) where it has "
     "digits alone."},
};

}  // namespace fathom::scan
