// How evenly the processes of a job moved data in a stretch of time: from its log, since the database has
// sums.
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/job/job.h"
#include "analyzer/neighbours/beside.h"

namespace fathom::neighbours {

// Relative standard deviation (over all, by the mean) of the bytes that each process moved in [from, to), ns
// of UNIX time, of those that moved any; a time bin that lies across an end is shared out. Nothing of fewer
// than two processes. LWM2's study, section 4.2: 5.8 % for files of one process each, 20.1 % for shared
// files.
std::optional<double> spread_of(const fathom::Job& job, std::uint64_t from, std::uint64_t to);

// Of the first neighbours that have a model and an active overlap, and of the job itself; of logs that still
// lie where they were added from and have at most 64 MiB.
void add_spreads(jobs::Database& database, Beside& beside);

}  // namespace fathom::neighbours
