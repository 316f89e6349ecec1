// How long the job transferred data: the time in which any rank was inside a read, a write or a sync.
#pragma once

#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/methods/intervals.h"

namespace fathom {

struct TransferTime {
    double read = 0, write = 0;  // ns; a moment of both counts for each by its part of the calls' time
    // Several took part, and in some slices none of them filled the time: ranks are taken to do their I/O at
    // the same moments there, processes without MPI by chance (methods/coverage.h).
    bool estimated = false;

    double both() const { return read + write; }
};

// Of files, at the level of the job: MPI-IO where it was used. By the slices of time of each rank, within
// which calls lie in the rank's bursts; by totals where the log has no slices. 0 where the log does not
// separate ranks.
TransferTime transfer_time_of(const Job& job);

// When each rank had data under way.
std::vector<Interval> bursts_of_ranks(const Job& job);

}  // namespace fathom
