// What each rank moved, also where totals do not separate the ranks and slices of time do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// By direction and index of the rank, as the program asked for them. Nothing where neither totals nor slices
// show the rank of every byte.
std::optional<std::array<std::vector<std::uint64_t>, 2>> rank_bytes_of(const Job& job);

}  // namespace fathom
