// Advice whose code writes, for programs that read.
#pragma once

#include <vector>

#include "analyzer/document/document.h"

namespace fathom {

// The same calls of MPI-IO, HDF5 and netCDF the other way round.
std::vector<report::Advice> on_reads(std::vector<report::Advice> advice);

}  // namespace fathom
