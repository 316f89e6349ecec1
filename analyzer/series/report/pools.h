// Which components may be added up: those of one type on one system, or on one host where no system is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/series/by_component.h"

namespace fathom::series {

// Of clients (mount, file_system) and of servers (ost, mdt, brick) both have the same bytes: they are two
// pools.
struct Pool {
    std::string place;  // the system's name, or the host's; empty: neither is known
    ComponentType type = ComponentType::other;
    std::vector<std::uint32_t> members;  // Table::components, by name
    std::size_t hosts = 0;               // on how many hosts they are; 0: not known
};

// Jobs' own counts, partitions and devices made of others (volumes) repeat what the devices below them have:
// they are in no pool, but a volume that is the only block device of its place.
class Pools {
  public:
    // The table must outlive it. Order: servers before devices before clients, and by name.
    explicit Pools(const Table& table);

    const Table& table() const { return series_.table(); }
    const std::vector<Pool>& pools() const { return pools_; }
    std::span<const Series* const> series_of(std::uint32_t component) const { return series_.of(component); }
    // With those members alone that have samples of any of these amounts: of others only the space is known.
    Pool with_amounts(const Pool& pool, std::span<const std::string_view> quantities) const;
    // That have samples.
    std::vector<const Series*> series_of(const Pool& pool, std::string_view quantity, Kind kind) const
    {
        return series_.of(pool.members, quantity, kind);
    }

  private:
    std::size_t hosts_of(const Pool& pool) const;

    ByComponent series_;
    std::vector<Pool> pools_;
};

bool is_partition_of(std::string_view device, std::string_view whole);

// "snx11025, 24 OSTs"; "node7, 1 device".
std::string name_of(const Pool& pool);
// "OST", "OSTs".
std::string_view word_for(ComponentType type, bool many);
// Within its pool: "OST0000", or "bb1 nvme0n1" where devices of one name are on several hosts.
std::string name_of(const Pool& pool, const Component& component);

}  // namespace fathom::series
