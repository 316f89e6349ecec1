// What stands below the title of a report: when the job ran, for how long, with how many processes, and
// where.
#pragma once

#include <string>

#include "analyzer/job/job.h"

namespace fathom {

// "2026-11-21 09:33:58 UTC, for 12 min 34 s, 64 MPI ranks on 2 nodes: node0 and node1". Leaves out what the
// log does not tell.
std::string cover_line(const Job& job);

}  // namespace fathom
