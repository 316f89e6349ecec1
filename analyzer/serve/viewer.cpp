// Groups are the system's, asked for once a minute.
#include "analyzer/serve/viewer.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace fathom::serve {
namespace {

constexpr std::size_t longest_name = 256, most_known = 1000;
constexpr std::int64_t seconds_known = 60;

std::int64_t seconds_now()
{
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string group_name(gid_t group)
{
    std::vector<char> room(1 << 16);
    struct group entry {
    }, *found = nullptr;
    return getgrgid_r(group, &entry, room.data(), room.size(), &found) == 0 && found != nullptr
               ? found->gr_name
               : std::string();
}

// A page of another site that has itself resolved to this machine is asked for by that site's name.
bool is_local_name(std::string host)
{
    const std::size_t bracket = host.rfind(']'), colon = host.rfind(':');
    if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) host.resize(colon);
    return host == "localhost" || host == "[::1]" ||
           (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

bool is_name(const std::string& user)
{
    return !user.empty() && user.size() <= longest_name &&
           std::ranges::all_of(user, [](unsigned char letter) { return letter > ' ' && letter != 127; });
}

bool has(const std::vector<std::string>& all, const std::string& one)
{
    return std::ranges::find(all, one) != all.end();
}

}  // namespace

std::string Viewer::key() const
{
    return everything ? "*" : fmt::format("{}\n{}", user, fmt::join(projects, "\n"));
}

std::string user_name(uid_t user)
{
    std::vector<char> room(1 << 16);
    passwd entry{}, *found = nullptr;
    return getpwuid_r(user, &entry, room.data(), room.size(), &found) == 0 && found != nullptr
               ? found->pw_name
               : fmt::format("{}", user);
}

Access::Access(AccessRules rules) : rules_(std::move(rules)) {}

std::vector<std::string> Access::groups_of(const std::string& user)
{
    if (rules_.staff_groups.empty() && !rules_.projects_are_groups) return {};
    const std::lock_guard lock(mutex_);
    if (const auto at = known_.find(user); at != known_.end() && at->second.until > seconds_now())
        return at->second.groups;
    if (known_.size() >= most_known) known_.clear();
    Known& known = known_[user];
    known = {seconds_now() + seconds_known, {}};
    std::vector<char> room(1 << 16);
    passwd entry{}, *found = nullptr;
    if (getpwnam_r(user.c_str(), &entry, room.data(), room.size(), &found) != 0 || found == nullptr)
        return {};
    int count = 1024;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    if (getgrouplist(user.c_str(), found->pw_gid, groups.data(), &count) < 0) return {};
    groups.resize(static_cast<std::size_t>(count));
    for (const gid_t group : groups)
        if (std::string name = group_name(group); !name.empty()) known.groups.push_back(std::move(name));
    return known.groups;
}

Viewer Access::named(const std::string& user)
{
    Viewer viewer;
    viewer.user = user;
    const std::vector<std::string> groups = groups_of(user);
    viewer.everything = has(rules_.staff, user) || std::ranges::any_of(groups, [&](const auto& one) {
                            return has(rules_.staff_groups, one);
                        });
    if (rules_.projects_are_groups) viewer.projects = groups;
    return viewer;
}

std::variant<Viewer, Refusal> Access::viewer_of(const Request& request)
{
    if (rules_.user_header.empty()) {
        if (!request.peer.loopback || request.peer.user != geteuid())
            return Refusal{403, "This is another user's `fathom serve`: start one of your own."};
        const std::vector<std::string> hosts = request.header("Host");
        if (hosts.size() != 1 || !is_local_name(hosts[0]))
            return Refusal{403, "Ask for this page as 127.0.0.1 or localhost."};
        Viewer viewer = named(user_name(geteuid()));
        viewer.everything = viewer.everything || rules_.everything;
        viewer.runs_here = true;
        return viewer;
    }
    const bool known_process =
        !request.peer.loopback ||
        (request.peer.user &&
         (*request.peer.user == 0 || *request.peer.user == geteuid() ||
          std::ranges::find(rules_.proxy_users, *request.peer.user) != rules_.proxy_users.end()));
    if (!has(rules_.proxies, request.peer.address) || !known_process)
        return Refusal{403, "This server answers its proxy alone: use the site's address."};
    const std::vector<std::string> names = request.header(rules_.user_header);
    if (names.size() != 1 || !is_name(names[0]))
        return Refusal{403, "The proxy does not say who you are: log in there."};
    return named(names[0]);
}

}  // namespace fathom::serve
