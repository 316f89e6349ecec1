// Classes of the sizes of runs, in processes.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

// The class of 16,384 ends where Carns et al. saw shared files take over.
inline constexpr std::array<Number, 8> job_size_bounds = {1, 16, 64, 256, 1024, 4096, 16384, 65536};
// Class 0: not known.
inline constexpr std::size_t job_sizes = job_size_bounds.size() + 2;

std::string job_size_name(std::size_t size);  // "257 to 1,024"
std::string job_size_in_sql();

}  // namespace fathom::jobs
