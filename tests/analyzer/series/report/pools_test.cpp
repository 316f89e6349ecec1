// What may be added up, and what repeats others.
#include "analyzer/series/report/pools.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/series/report/made_table.h"

using namespace fathom::series;
using namespace fathom::series::testing;

namespace {

Component device(const std::string& host, const std::string& name, const std::string& system = {})
{
    return {system, host, ComponentType::device, name, {}};
}
Component volume(const std::string& name)
{
    return {{}, "n1", ComponentType::volume, name, {}};
}

}  // namespace

TEST_CASE("pools: a partition begins with its disk's name and ends in digits")
{
    CHECK(is_partition_of("sda1", "sda"));
    CHECK(is_partition_of("nvme0n1p2", "nvme0n1"));
    CHECK_FALSE(is_partition_of("sda", "sda"));
    CHECK_FALSE(is_partition_of("sdaa", "sda"));
    CHECK_FALSE(is_partition_of("sdaa1", "sda"));
    CHECK_FALSE(is_partition_of("nvme0n12", "nvme0n1"));
    CHECK_FALSE(is_partition_of("nvme0n1p", "nvme0n1"));
    CHECK_FALSE(is_partition_of("sda1", ""));
}

TEST_CASE("pools: devices of a host or of a system are added up, with nothing above or below them")
{
    Table table;
    for (const char* const name : {"sda", "sda1", "sdb"}) add_server(table, device("n1", name), {1});
    add_server(table, volume("dm-0"), {1});
    add_server(table, device("n2", "sda"), {1});
    add_server(table, device("n3", "sda", "scratch"), {1});
    add_server(table, device("n4", "sda", "scratch"), {1});
    add_server(table, ost("OST0000"), {1});
    add_server(table, {"scratch", "n9", ComponentType::mount, "/scratch", {}}, {1});
    add_server(table, {"scratch", {}, ComponentType::job, "4711", "OST0000"}, {1});
    const Pools pools(table);
    std::vector<std::string> names;
    for (const Pool& pool : pools.pools()) names.push_back(name_of(pool));
    CHECK(names == std::vector<std::string>{"scratch, 1 OST", "n1, 2 devices", "n2, 1 device",
                                            "scratch, 2 devices", "scratch, 1 mount"});
    const Pool& both = pools.pools()[3];
    CHECK(both.hosts == 2);
    CHECK(name_of(both, table.components[both.members[0]]) == "n3 sda");
    CHECK(name_of(pools.pools()[1], table.components[0]) == "sda");
    CHECK(pools.series_of(both, "bytes_read", Kind::amount).size() == 2);
    CHECK(pools.series_of(both, "bytes_read", Kind::level).empty());
    CHECK(pools.series_of(both, "bytes_written", Kind::amount).empty());
}

TEST_CASE("pools: volumes are added up with nothing, but one alone is shown")
{
    Table one, two;
    add_server(one, volume("md0"), {1});
    CHECK(Pools(one).pools().size() == 1);
    add_server(two, volume("md0"), {1});
    add_server(two, volume("dm-0"), {1});
    CHECK(Pools(two).pools().empty());
}
