// Folds paths to roles, sums, and matches the two.
#include "analyzer/compare/file_changes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analyzer/compare/roles.h"

namespace fathom {
namespace {

struct Roles {
    std::vector<std::string> names;
    std::vector<RoleUse> uses;
};

Roles roles_of(const Job& job)
{
    Roles roles;
    std::unordered_map<std::string, std::size_t> known;
    for (const FileUse& file : job.files) {
        if (!is_of_files(file.kind)) continue;
        std::string name = file.path.empty() ? "(names lost)" : role_of(file.path);
        const auto [found, fresh] = known.try_emplace(std::move(name), roles.names.size());
        if (fresh) {
            roles.names.push_back(found->first);
            roles.uses.emplace_back();
        }
        RoleUse& use = roles.uses[found->second];
        use.files += file.files;
        merge<FileSums>(use, file.application());
    }
    return roles;
}

}  // namespace

std::vector<RoleChange> changes_by_role(const Job& earlier, const Job& later)
{
    const Roles before = roles_of(earlier), after = roles_of(later);
    std::vector<RoleChange> changes;
    std::vector<bool> matched(before.names.size());
    std::vector<std::optional<std::size_t>> partner(after.names.size());
    for (const auto& [a, b] : match_roles(before.names, after.names)) {
        matched[a] = true;
        partner[b] = a;
    }
    for (std::size_t at = 0; at < after.names.size(); ++at) {
        RoleChange& change = changes.emplace_back();
        change.role = after.names[at];
        change.after = after.uses[at];
        if (partner[at]) change.before = before.uses[*partner[at]];
    }
    for (std::size_t at = 0; at < before.names.size(); ++at)
        if (!matched[at]) changes.push_back({before.names[at], before.uses[at], std::nullopt});
    std::sort(changes.begin(), changes.end(), [](const RoleChange& a, const RoleChange& b) {
        const double x = std::fabs(a.seconds()), y = std::fabs(b.seconds());
        return x != y ? x > y : a.role < b.role;
    });
    return changes;
}

}  // namespace fathom
