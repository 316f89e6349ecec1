// The I/O rate of a job whose log another tool made: by records, since it tells no times of each rank.
#pragma once

#include "analyzer/studies/figures.h"
#include "analyzer/studies/study.h"

namespace fathom {

Blocks imported_rates(const Job& job, const JobRates& rates);

// The lowest layers that saw data, by name.
std::string layers_of(const Job& job, const JobRates& rates);

}  // namespace fathom
