// How evenly ranks shared the I/O, where the log has of shared files no more than the slowest and the
// fastest rank, and how far all lie apart.
#pragma once

#include "analyzer/sections/sections.h"

namespace fathom {

Blocks shared_balance(const Job& job, const SectionChoice& choice);

}  // namespace fathom
