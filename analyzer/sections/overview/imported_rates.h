// The I/O rate of a job whose log another tool made: by records, since it has no times of each rank.
#pragma once

#include "analyzer/job/figures.h"
#include "analyzer/sections/sections.h"

namespace fathom {

Blocks imported_rates(const Job& job, const JobRates& rates);

// The lowest layers that saw data, by name.
std::string layers_of(const Job& job, const JobRates& rates);

}  // namespace fathom
