#include "analyzer/series/report/pools.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "analyzer/document/units.h"

namespace fathom::series {
namespace {

struct TypeWords {
    ComponentType type;
    std::string_view one, many;
};

// In the order of reports.
constexpr TypeWords pooled_types[] = {
    {ComponentType::ost, "OST", "OSTs"},
    {ComponentType::mdt, "MDT", "MDTs"},
    {ComponentType::brick, "brick", "bricks"},
    {ComponentType::device, "device", "devices"},
    {ComponentType::volume, "volume", "volumes"},
    {ComponentType::host, "host", "hosts"},
    {ComponentType::file_system, "file system", "file systems"},
    {ComponentType::mount, "mount", "mounts"},
};

// Its place in the table; none: it is added up with nothing.
std::size_t rank_of(ComponentType type)
{
    return static_cast<std::size_t>(std::ranges::find(pooled_types, type, &TypeWords::type) - pooled_types);
}

bool is_digit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool all_digits(std::string_view words)
{
    return !words.empty() && std::ranges::all_of(words, is_digit);
}

using Place = std::pair<std::string, std::size_t>;  // name, rank of the type

}  // namespace

bool is_partition_of(std::string_view device, std::string_view whole)
{
    if (whole.empty() || !device.starts_with(whole)) return false;
    device.remove_prefix(whole.size());
    // nvme0n1p2, mmcblk0p1; sda1.
    if (!is_digit(whole.back())) return all_digits(device);
    return device.starts_with('p') && all_digits(device.substr(1));
}

Pools::Pools(const Table& table) : series_(table)
{
    // Names of whole devices, by host: a partition's begins with one.
    std::set<std::pair<std::string_view, std::string_view>> devices;
    for (const Component& component : table.components)
        if (component.type == ComponentType::device) devices.insert({component.host, component.name});
    const auto is_partition = [&](const Component& component) {
        if (component.type != ComponentType::device) return false;
        std::string_view whole = component.name;
        while (!whole.empty() && is_digit(whole.back())) whole.remove_suffix(1);
        const auto is_there = [&](std::string_view name) {
            return is_partition_of(component.name, name) && devices.contains({component.host, name});
        };
        return is_there(whole) || (whole.ends_with('p') && is_there(whole.substr(0, whole.size() - 1)));
    };

    std::map<Place, Pool> places;
    for (std::uint32_t at = 0; at < table.components.size(); ++at) {
        const Component& component = table.components[at];
        if (series_.of(at).empty() || is_partition(component)) continue;
        const std::size_t rank = rank_of(component.type);
        if (rank == std::size(pooled_types)) continue;
        const std::string& place = component.system.empty() ? component.host : component.system;
        Pool& pool = places[{place, rank}];
        pool.place = place;
        pool.type = component.type;
        pool.members.push_back(at);
    }
    const std::size_t of_device = rank_of(ComponentType::device), of_volume = rank_of(ComponentType::volume);
    for (auto& [place, pool] : places) {
        if (place.second == of_volume &&
            (pool.members.size() > 1 || places.contains({place.first, of_device})))
            continue;
        std::ranges::sort(pool.members, {}, [&](std::uint32_t at) { return table.components[at]; });
        pool.hosts = hosts_of(pool);
        pools_.push_back(std::move(pool));
    }
    std::ranges::stable_sort(pools_, {}, [](const Pool& pool) { return rank_of(pool.type); });
}

std::size_t Pools::hosts_of(const Pool& pool) const
{
    std::set<std::string_view> hosts;
    for (const std::uint32_t at : pool.members)
        if (!table().components[at].host.empty()) hosts.insert(table().components[at].host);
    return hosts.size();
}

Pool Pools::with_amounts(const Pool& pool, std::span<const std::string_view> quantities) const
{
    Pool part = pool;
    std::erase_if(part.members, [&](std::uint32_t member) {
        return std::ranges::none_of(series_of(member), [&](const Series* series) {
            return series->kind == Kind::amount && !series->samples.empty() &&
                   std::ranges::find(quantities, series->quantity) != quantities.end();
        });
    });
    part.hosts = hosts_of(part);
    return part;
}

std::string_view word_for(ComponentType type, bool many)
{
    const std::size_t rank = rank_of(type);
    if (rank == std::size(pooled_types)) return name_of(type);
    return many ? pooled_types[rank].many : pooled_types[rank].one;
}

std::string name_of(const Pool& pool)
{
    const std::string members =
        report::counted(pool.members.size(), word_for(pool.type, false), word_for(pool.type, true));
    return pool.place.empty() ? members : fmt::format("{}, {}", pool.place, members);
}

std::string name_of(const Pool& pool, const Component& component)
{
    const bool named_by_host = pool.type == ComponentType::device || pool.type == ComponentType::volume ||
                               pool.type == ComponentType::mount || pool.type == ComponentType::brick ||
                               pool.type == ComponentType::file_system;
    if (component.name.empty()) return component.host.empty() ? pool.place : component.host;
    if (!named_by_host || pool.hosts < 2 || component.host == component.name) return component.name;
    return component.host + " " + component.name;
}

}  // namespace fathom::series
