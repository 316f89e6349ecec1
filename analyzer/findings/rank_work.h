// What each rank of an MPI job did in I/O, for the rules that compare them.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// Doubles, since they are compared and not added up. Time in nanoseconds.
struct RankWork {
    std::size_t rank = 0;  // index in Job::ranks
    double bytes = 0, calls = 0;
    double time = 0;        // beneath MPI-IO where the log shows it, without waiting for other ranks
    double for_others = 0;  // bytes beneath MPI-IO: those of other ranks too, where they are put together
};

// Ranks that moved at least a hundredth of the bytes of the one with most; without MPI tasks of a batch
// system, where each is one process of the same program, or none. A design that leaves I/O to some ranks does
// not make these look uneven.
std::vector<RankWork> movers_of(const Job& job);

// Whether processes without MPI are tasks of one step of a batch system, one process of the same program
// each.
bool are_tasks(const Job& job);

double median_of(const std::vector<RankWork>& work, double RankWork::*number);

}  // namespace fathom
