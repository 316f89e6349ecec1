// What the records of a log of another tool show of the slowest rank's time in I/O.
#pragma once

#include "analyzer/job/job.h"
#include "analyzer/methods/slowest.h"

namespace fathom {

// By all records of a layer, those of standard streams too: Darshan's sum.
SlowestTime slowest_in(const Job& job, Layer layer);

// At the level of the job: MPI-IO, and POSIX and stdio where the program called them itself, without streams.
// Then `least` is what some rank spent in I/O for certain, and `most()` what no rank exceeded.
SlowestTime slowest_of(const Job& job);

}  // namespace fathom
