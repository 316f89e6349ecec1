// What single ranks certainly did, where the log has of shared files only what all ranks did together, and
// who was slowest and fastest.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// A rank that the records name. Time in nanoseconds, at the level of the job.
struct CertainWork {
    std::size_t rank = 0;  // index in Job::ranks
    double time = 0;       // in I/O, at least: see SlowestTime::least
    double bytes = 0;      // moved, at least
    // Time in which it moved what the others did not: reads and writes of files of its own, and in shared
    // ones of which it moved more than the mean, what it took beyond the others.
    double time_of_more_bytes = 0;
    double time_of_others = 0;  // mean of the other ranks, at most
    double bytes_of_others = 0;
};

// None without MPI, for one rank, and where totals separate the ranks.
std::vector<CertainWork> certain_work_of(const Job& job);

}  // namespace fathom
