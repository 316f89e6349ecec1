// When two jobs are taken to have used one file system.
#include "analyzer/neighbours/file_systems.h"

#include <catch2/catch.hpp>

using namespace fathom::neighbours;

namespace {

Place at(std::string type, std::string source, std::string mount = "/scratch", std::string nodes = "",
         std::string cluster = "")
{
    return {std::move(mount), std::move(type), std::move(source), std::move(cluster), std::move(nodes), 1, 1};
}

Sameness between(const Place& a, const Place& b, bool one_source = true)
{
    const Sameness same = compare(a, b, one_source);
    CHECK(compare(b, a, one_source) == same);
    return same;
}

}  // namespace

TEST_CASE("neighbours: file systems are one by their servers and what these export")
{
    using enum Sameness;
    CHECK(between(at("lustre", "10.0.0.1@tcp:/scratch"), at("lustre", "10.0.0.1@tcp:/scratch/a", "/mnt")) ==
          same);
    CHECK(between(at("lustre", "10.0.0.1@tcp,10.0.0.2@tcp:/scratch"),
                  at("lustre", "10.0.0.2@tcp:/scratch")) == same);
    CHECK(between(at("lustre", "10.0.0.1@tcp:10.0.0.2@tcp:/work"), at("lustre", "10.0.0.1@tcp:/scratch")) ==
          different);
    CHECK(between(at("lustre", "10.0.0.1@tcp:/scratch"), at("lustre", "10.1.0.1@o2ib:/scratch")) ==
          not_known);
    CHECK(between(at("fuse.glusterfs", "node2:/data"), at("glusterfs", "node2:data")) == same);
    CHECK(between(at("fuse.glusterfs", "node2:/data"), at("fuse.glusterfs", "node3:/data")) == not_known);
    CHECK(between(at("fuse.glusterfs", "node2:/data"), at("fuse.glusterfs", "node2:/home")) == different);
    CHECK(between(at("nfs4", "srv:/export"), at("nfs", "srv:/export/", "/other")) == same);
    CHECK(between(at("nfs4", "srv:/home/anna"), at("nfs4", "srv:/home/ben")) == not_known);
    CHECK(between(at("nfs4", "srv:/export"), at("nfs4", "srv2:/export")) == not_known);
    CHECK(between(at("nfs4", "srv:/export"), at("nfs4", "srv2:/work")) == different);
    CHECK(between(at("cifs", "//srv/share"), at("cifs", "//srv/share", "/x")) == same);
    CHECK(between(at("gpfs", "gpfs0"), at("gpfs", "gpfs0", "/other")) == same);
    CHECK(between(at("gpfs", "gpfs0"), at("gpfs", "gpfs1")) == different);
    CHECK(between(at("gpfs", "gpfs0", "/g", "", "one"), at("gpfs", "gpfs0", "/g", "", "two")) == not_known);
    CHECK(between(at("lustre", "a:/x", "/g", "", "one"), at("lustre", "a:/x", "/g", "", "two")) == same);
    CHECK(between(at("lustre", "a:/x"), at("nfs4", "a:/x")) == different);
}

TEST_CASE("neighbours: a mount without a server is that of the same place, unless two may be meant")
{
    using enum Sameness;
    CHECK(between(at("lustre", ""), at("lustre", "10.0.0.1@tcp:/scratch")) == same);
    CHECK(between(at("lustre", ""), at("lustre", "10.0.0.1@tcp:/scratch"), false) == not_known);
    CHECK(between(at("lustre", ""), at("lustre", "")) == same);
    CHECK(between(at("lustre", ""), at("lustre", "", "/work")) == not_known);
    CHECK(between(at("lustre", "", "/scratch", "", "a"), at("lustre", "", "/scratch", "", "b")) == not_known);
    CHECK(between(at("", "", ""), at("", "", "")) == not_known);
    Sources sources;
    sources.add(at("lustre", "a:/x"));
    sources.add(at("lustre", ""));
    sources.add(at("lustre", "a:/x"));
    CHECK(sources.is_one_at(at("lustre", "")));
    sources.add(at("lustre", "b:/y", "/work"));
    CHECK(sources.is_one_at(at("lustre", "")));
    sources.add(at("lustre", "b:/y"));
    CHECK_FALSE(sources.is_one_at(at("lustre", "")));
    CHECK(sources.is_one_at(at("lustre", "", "/work")));
}

TEST_CASE("neighbours: a file system of a node is shared by jobs on the same nodes alone")
{
    using enum Sameness;
    CHECK(between(at("ext4", "/dev/sda1", "/tmp", "n1"), at("ext4", "/dev/sda1", "/tmp", "n2")) == different);
    CHECK(between(at("ext4", "/dev/sda1", "/tmp", "n1"), at("ext4", "/dev/sda1", "/tmp", "n1")) == same);
    CHECK(between(at("ext4", "/dev/sda1", "/tmp", "n1"), at("ext4", "/dev/sdb1", "/tmp", "n1")) == different);
    CHECK(between(at("ext4", "/dev/sda1", "/tmp", "n1"), at("ext4", "/dev/sda1", "/home", "n1")) ==
          different);
    CHECK(between(at("ext4", "/dev/sda1", "/tmp", "n1"), at("ext4", "/dev/sda1", "/tmp")) == not_known);
    CHECK(between(at("ext4", "", "/tmp"), at("ext4", "", "/tmp")) == not_known);
    CHECK(between(at("ext4", "", "/tmp", "n1, n12"), at("ext4", "", "/tmp", "n12, n2")) == not_known);
    CHECK(between(at("ext4", "", "/tmp", "n1, n12"), at("ext4", "", "/tmp", "n13, n2")) == different);
    CHECK_FALSE(is_shared_type("tmpfs"));
    CHECK(is_shared_type("fuse.glusterfs"));
}
