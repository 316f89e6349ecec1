// Looks a path's parents up in a table of mounts, from the path itself to the root.
#include "analyzer/job/mounts.h"

namespace fathom {

Mounts::Mounts(const Log& log)
{
    for (const Mount& mount : log.rows<Mount>())
        if (mount.path.starts_with('/')) by_path_[mount.path] = &mount;
}

const Mount* Mounts::of(std::string_view path) const
{
    if (!path.starts_with('/')) return nullptr;
    for (std::string_view parent = path; !parent.empty(); parent = parent.substr(0, parent.rfind('/')))
        if (const auto found = by_path_.find(parent); found != by_path_.end()) return found->second;
    const auto root = by_path_.find("/");
    return root == by_path_.end() ? nullptr : root->second;
}

std::string_view Mounts::type_of(const FileUse& use) const
{
    const Mount* const mount = of(use);
    return mount == nullptr ? std::string_view{} : mount->type;
}

}  // namespace fathom
