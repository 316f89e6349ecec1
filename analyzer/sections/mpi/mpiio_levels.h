// What MPI-IO was asked for and what POSIX did for it, on the files that both layers have records of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

struct LevelSums {
    std::uint64_t operations = 0, bytes = 0;
    std::uint64_t ranks = 0;       // that did it: most in one file
    std::uint64_t collective = 0;  // operations of all ranks together, the split ones too: MPI-IO's alone
    SizeHistogram sizes;
    // The commonest size, where it cannot be one of the other direction.
    std::optional<std::uint64_t> commonest;

    double mean_size() const
    {
        return operations > 0 ? static_cast<double>(bytes) / static_cast<double>(operations) : 0;
    }
};

// The files of one mount, by direction (job.h).
struct MpiioLevels {
    std::string_view mount, type;  // empty where it is not known
    std::uint64_t files = 0;
    std::array<LevelSums, 2> mpiio, posix;
};

// One a mount, most bytes first.
std::vector<MpiioLevels> mpiio_levels_of(const Job& job);

}  // namespace fathom
