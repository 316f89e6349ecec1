// What jobs moved on one file system over time: numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/neighbours/running.h"

namespace fathom::serve {

using jobs::Number;

struct FileSystem {
    std::string mount, type, source;  // as jobs::OnMount has them
};

// One job's part.
struct JobLoad {
    neighbours::RunningJob job;
    double share = 0;                   // of its bytes that it moved there
    std::vector<double> read, written;  // bytes in each slice
    double bytes_read = 0, bytes_written = 0, most_processes = 0;

    double bytes() const { return bytes_read + bytes_written; }
};

struct Load {
    Number start = 0, end = 0;          // ns of UNIX time
    double slice = 0;                   // s
    std::vector<double> read, written;  // bytes in each slice, of all jobs
    std::vector<JobLoad> jobs;          // those that moved something, the most first
    std::size_t without_bins = 0;       // that used it, and of which it is not known when
};

// More jobs than this ran then: nothing is looked at.
struct TooMany {
    std::size_t jobs = 0;
};
inline constexpr std::size_t most_jobs = 20'000;

// Bytes of a time bin go evenly to the slices that it lies in, and of each job's bins the share that it moved
// there as a whole. Throws TooMany, DatabaseError.
Load load_of(jobs::Database& database, const FileSystem& place, Number start, Number end, std::size_t slices);

}  // namespace fathom::serve
