// What stands below the title of a report: who ran the job, when, for how long, and where.
#pragma once

#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// "user alice", "Slurm job 4711", "2026-11-21 09:33:58 UTC", "12 min 34 s", "64 MPI ranks on 2 nodes: node0
// and node1". Leaves out what the log does not have.
std::vector<std::string> circumstances_of(const Job& job);

}  // namespace fathom
