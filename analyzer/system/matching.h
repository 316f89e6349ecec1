// Which servers and devices of a site a job used: by its mounts, its files' layouts and its nodes.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/job/mounts.h"
#include "logformat/series/table.h"

namespace fathom {

struct MatchedGroup {
    std::string name, member, known_by;
    bool serves_files = true, metadata_alone = false;
    std::vector<std::uint32_t> components;  // of the table
    std::set<const Mount*> mounts;          // of the job's files that lie on them; empty: all
};

struct Matching {
    std::vector<MatchedGroup> groups;
    std::vector<std::string>
        without;  // "/home (nfs4, srv:/export)": mounts with data of which there is nothing
};

Matching match(const Job& job, const series::Table& table);

// "node7.site.org" and "node7" are one.
bool is_same_host(std::string_view one, std::string_view other);
// "/dev/nvme0n1p2" -> "nvme0n1", "/dev/sda1" -> "sda", "/dev/mapper/vg-home" -> "vg-home"
std::string device_of_source(std::string_view source);

}  // namespace fathom
