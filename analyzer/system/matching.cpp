// A row a kind of file system: how its mounts name what lies behind them.
#include "analyzer/system/matching.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

#include "analyzer/job/servers.h"

namespace fathom {
namespace {

using series::Component;
using series::ComponentType;

// A mount with what the job has on it.
struct UsedMount {
    const Mount* mount;
    std::uint64_t bytes = 0;
    std::set<std::uint64_t> servers;  // numbers in layouts of files on it
    bool all_have_layouts = true;
};

std::vector<UsedMount> used_mounts(const Job& job)
{
    const Mounts mounts(job.log);
    std::map<std::uint64_t, const Layout*> layouts;
    for (const Layout& layout : job.log.rows<Layout>()) layouts[layout.file] = &layout;
    std::vector<UsedMount> all;
    for (const FileUse& use : job.files) {
        const Mount* const mount = mounts.of(use);
        if (mount == nullptr || use.system.bytes() + use.application().bytes() == 0) continue;
        auto place = std::ranges::find(all, mount, &UsedMount::mount);
        if (place == all.end()) place = all.insert(all.end(), {mount, 0, {}, true});
        place->bytes += std::max(use.system.bytes(), use.application().bytes());
        const auto layout = layouts.find(use.file);
        if (layout == layouts.end()) {
            place->all_have_layouts = false;
        } else {
            for (const std::uint64_t server : numbers_of_servers(*layout->second))
                place->servers.insert(server);
        }
    }
    std::ranges::sort(all, std::greater(), &UsedMount::bytes);
    return all;
}

// What stands behind the last colon, without slashes: "10.0.0.1@o2ib:/scratch" -> "scratch"
std::string behind_server(std::string_view source)
{
    const std::size_t colon = source.rfind(':');
    std::string_view name = colon == std::string_view::npos ? std::string_view() : source.substr(colon + 1);
    while (name.starts_with('/')) name.remove_prefix(1);
    return std::string(name.substr(0, name.find('/')));
}
std::string server_of(std::string_view source)
{
    return std::string(source.substr(0, source.find(':')));
}

std::vector<std::uint32_t> components_where(const series::Table& table, auto is_one)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t at = 0; at < table.components.size(); ++at)
        if (is_one(table.components[at])) found.push_back(at);
    return found;
}

bool runs_on(const Job& job, std::string_view host)
{
    return std::ranges::any_of(job.hosts, [&](std::string_view one) { return is_same_host(one, host); });
}

// Those of one system; where the mount does not name it, of the only one that there is.
std::string system_for(const series::Table& table, ComponentType type, const std::string& named)
{
    std::set<std::string> systems;
    for (const Component& one : table.components)
        if (one.type == type) systems.insert(one.system);
    if (systems.contains(named)) return named;
    return named.empty() && systems.size() == 1 ? *systems.begin() : named;
}

void add_group(Matching& matching, MatchedGroup group)
{
    if (group.components.empty()) return;
    for (MatchedGroup& other : matching.groups)
        if (other.components == group.components) {
            other.mounts.insert(group.mounts.begin(), group.mounts.end());
            return;
        }
    matching.groups.push_back(std::move(group));
}

void match_lustre(const Job&, const series::Table& table, const UsedMount& used, Matching& matching)
{
    const std::string system = system_for(table, ComponentType::ost, behind_server(used.mount->source));
    std::set<std::string> names;
    if (used.all_have_layouts)
        for (const std::uint64_t server : used.servers) names.insert(fmt::format("OST{:04x}", server));
    add_group(matching,
              {.name = fmt::format("OSTs of {}", system.empty() ? std::string(used.mount->path) : system),
               .member = "OST",
               .known_by = names.empty() ? "its mount" : "its files' layouts",
               .components = components_where(table,
                                              [&](const Component& one) {
                                                  return one.type == ComponentType::ost &&
                                                         one.system == system &&
                                                         (names.empty() || names.contains(one.name));
                                              }),
               .mounts = {used.mount}});
    add_group(
        matching,
        {.name = fmt::format("MDTs of {}", system.empty() ? std::string(used.mount->path) : system),
         .member = "MDT",
         .known_by = "its mount",
         .metadata_alone = true,
         .components = components_where(
             table,
             [&](const Component& one) { return one.type == ComponentType::mdt && one.system == system; }),
         .mounts = {used.mount}});
}

void match_gluster(const Job&, const series::Table& table, const UsedMount& used, Matching& matching)
{
    const std::string volume = behind_server(used.mount->source);
    const std::string system = system_for(table, ComponentType::brick, volume);
    const auto of_volume = [&](const Component& one) {
        return one.type == ComponentType::brick && (one.system == system || one.system.empty());
    };
    add_group(matching, {.name = fmt::format("bricks of {}", volume),
                         .member = "brick",
                         .known_by = "its mount",
                         .components = components_where(table, of_volume),
                         .mounts = {used.mount}});
}

void match_nfs(const Job& job, const series::Table& table, const UsedMount& used, Matching& matching)
{
    const std::string source(used.mount->source), path(used.mount->path), server = server_of(source);
    add_group(matching,
              {.name = fmt::format("{} as this job's nodes see it", source),
               .member = "node",
               .known_by = "its mount",
               .components = components_where(table,
                                              [&](const Component& one) {
                                                  return one.type == ComponentType::mount &&
                                                         (one.name == path || one.system == source) &&
                                                         (one.host.empty() || runs_on(job, one.host));
                                              }),
               .mounts = {used.mount}});
    add_group(matching, {.name = fmt::format("disks of {}", server),
                         .member = "disk",
                         .known_by = "its mount's server",
                         .components = components_where(table,
                                                        [&](const Component& one) {
                                                            return one.type == ComponentType::device &&
                                                                   is_same_host(one.host, server);
                                                        }),
                         .mounts = {used.mount}});
}

void match_gpfs(const Job&, const series::Table& table, const UsedMount& used, Matching& matching)
{
    std::string name(used.mount->source);
    name = name.substr(name.rfind('/') + 1);
    add_group(matching, {.name = fmt::format("servers of {}", name),
                         .member = "server",
                         .known_by = "its mount",
                         .components = components_where(table,
                                                        [&](const Component& one) {
                                                            return one.type == ComponentType::file_system &&
                                                                   one.name == name;
                                                        }),
                         .mounts = {used.mount}});
}

void match_device(const Job& job, const series::Table& table, const UsedMount& used, Matching& matching)
{
    const std::string name = device_of_source(used.mount->source);
    if (name.empty()) return;
    add_group(matching,
              {.name = fmt::format("device {}", name),
               .member = "device",
               .known_by = "its mount",
               .components = components_where(table,
                                              [&](const Component& one) {
                                                  return (one.type == ComponentType::device ||
                                                          one.type == ComponentType::volume) &&
                                                         one.name == name &&
                                                         (one.host.empty() || runs_on(job, one.host));
                                              }),
               .mounts = {used.mount}});
}

struct FileSystem {
    std::string_view type;  // as the kernel calls it, or the beginning of that
    void (*match)(const Job& job, const series::Table& table, const UsedMount& used, Matching& matching);
};
constexpr FileSystem file_systems[] = {
    {"lustre", match_lustre}, {"fuse.glusterfs", match_gluster}, {"nfs", match_nfs}, {"gpfs", match_gpfs},
    {"", match_device},
};

}  // namespace

bool is_same_host(std::string_view one, std::string_view other)
{
    if (one == other) return !one.empty();
    const auto is_address = [](std::string_view name) {
        return name.find_first_not_of("0123456789.:") == std::string_view::npos;
    };
    if (one.empty() || other.empty() || is_address(one) || is_address(other)) return false;
    // A short name is that of a long one; two long ones are two hosts.
    const bool both_long =
        one.find('.') != std::string_view::npos && other.find('.') != std::string_view::npos;
    return !both_long && one.substr(0, one.find('.')) == other.substr(0, other.find('.'));
}

std::string device_of_source(std::string_view source)
{
    constexpr std::string_view folder = "/dev/", mapped = "/dev/mapper/";
    if (source.starts_with(mapped)) return std::string(source.substr(mapped.size()));
    if (!source.starts_with(folder)) return {};
    std::string name(source.substr(folder.size()));
    const auto digit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
    std::size_t end = name.size();
    while (end > 0 && digit(name[end - 1])) --end;
    if (end == name.size() || end == 0) return name;
    // nvme0n1p2, mmcblk0p1: digits before the p; nvme0n1, md0, dm-0, loop0 are whole devices.
    if (name[end - 1] == 'p' && end > 1 && digit(name[end - 2])) return name.substr(0, end - 1);
    for (const std::string_view kind : {"nvme", "mmcblk", "md", "dm-", "loop", "nbd", "sr", "zram", "rbd"})
        if (name.starts_with(kind)) return name;
    return name.substr(0, end);
}

Matching match(const Job& job, const series::Table& table)
{
    Matching matching;
    for (const UsedMount& used : used_mounts(job)) {
        const std::size_t before = matching.groups.size();
        for (const FileSystem& one : file_systems)
            if (used.mount->type.starts_with(one.type)) {
                one.match(job, table, used, matching);
                break;
            }
        const bool found = matching.groups.size() > before ||
                           std::ranges::any_of(matching.groups, [&](const MatchedGroup& group) {
                               return group.mounts.contains(used.mount);
                           });
        if (!found)
            matching.without.push_back(fmt::format("{} ({}{}{})", used.mount->path, used.mount->type,
                                                   used.mount->source.empty() ? "" : ", ",
                                                   used.mount->source));
    }
    add_group(matching, {.name = "network of this job's nodes",
                         .member = "interface",
                         .known_by = "its nodes",
                         .serves_files = false,
                         .components = components_where(table,
                                                        [&](const Component& one) {
                                                            return one.type == ComponentType::interface &&
                                                                   runs_on(job, one.host);
                                                        }),
                         .mounts = {}});
    return matching;
}

}  // namespace fathom
