// The calling thread's sample of collective MPI-IO calls, in its part.
#pragma once

#include "logformat/collective_calls.h"

namespace fathom {

// Keeps one, where it is in the sample and there is room for it.
void sample_collective(const SampledCollective& one);

}  // namespace fathom
