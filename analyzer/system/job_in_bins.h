// The job's own side of a group of servers: how much of it went there, and when.
#pragma once

#include "analyzer/job/job.h"
#include "analyzer/job/slices.h"
#include "analyzer/job/system_load.h"
#include "analyzer/system/matching.h"

namespace fathom {

// What the job's files on a group's mounts have of all of its bytes, by direction.
struct Parts {
    double read = 0, written = 0, all_read = 0, all_written = 0;
    double of_reads() const { return all_read > 0 ? read / all_read : 0; }
    double of_writes() const { return all_written > 0 ? written / all_written : 0; }
};
Parts parts_of(const Job& job, const MatchedGroup& group);

// The job's time bins on the group's: those of all of its files, times the part that these have.
void add_time_bins(const JobSlices& slices, const Parts& parts, LoadGroup& group);

// Where a log has no time bins: each record's bytes and time of files on the group's mounts, evenly from its
// first read or write to its last.
void add_records(const Job& job, const MatchedGroup& matched, LoadGroup& group);

}  // namespace fathom
