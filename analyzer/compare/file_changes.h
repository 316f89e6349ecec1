// What two runs did to the files of each role.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// The sums over the files of a role. Seconds are of all processes together.
struct RoleUse : FileSums {
    std::uint64_t files = 0;

    double seconds() const { return static_cast<double>(time()) / 1e9; }
};

struct RoleChange {
    std::string role;  // as the later run calls it, where it has it
    std::optional<RoleUse> before, after;

    double seconds() const { return (after ? after->seconds() : 0) - (before ? before->seconds() : 0); }
    std::uint64_t bytes() const { return (after ? after->bytes() : 0) + (before ? before->bytes() : 0); }
};

// All roles of both runs, those whose time changed most first. Only files count, and what stands for many.
std::vector<RoleChange> changes_by_role(const Job& earlier, const Job& later);

}  // namespace fathom
