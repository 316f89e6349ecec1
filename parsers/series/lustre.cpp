#include "parsers/series/lustre.h"

#include <algorithm>
#include <string>

namespace fathom::series {
namespace {

struct LustreOperation {
    std::string_view name, quantity;
};
constexpr LustreOperation lustre_operations[] = {
    {"open", "opens"},       {"close", "closes"},     {"mknod", "creates"},      {"link", "links"},
    {"unlink", "unlinks"},   {"mkdir", "mkdirs"},     {"rmdir", "rmdirs"},       {"rename", "renames"},
    {"getattr", "getattrs"}, {"setattr", "setattrs"}, {"getxattr", "getxattrs"}, {"setxattr", "setxattrs"},
    {"statfs", "statfs"},    {"sync", "syncs"},
};

}  // namespace

Component lustre_target(std::string_view name)
{
    constexpr std::string_view uuid = "_UUID";
    if (name.ends_with(uuid)) name.remove_suffix(uuid.size());
    Component target;
    const std::size_t dash = name.rfind('-');
    if (dash != std::string_view::npos) {
        target.system = name.substr(0, dash);
        name.remove_prefix(dash + 1);
    }
    target.name = name;
    if (name.starts_with("OST")) target.type = ComponentType::ost;
    if (name.starts_with("MDT")) target.type = ComponentType::mdt;
    return target;
}

std::string_view lustre_quantity(std::string_view operation)
{
    const auto* const row = std::ranges::find(lustre_operations, operation, &LustreOperation::name);
    return row == std::end(lustre_operations) ? std::string_view() : row->quantity;
}

}  // namespace fathom::series
