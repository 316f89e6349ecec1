// The ranks that MPI started, or the tasks that a launcher did, and of which a log has nothing: each of them
// that was recorded knows how many there were.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

struct MissingRanks {
    struct Range {
        std::int64_t first, last;
        std::uint64_t times;  // by how many launches
    };
    bool tasks = false;         // these are tasks of a launcher
    std::uint64_t started = 0;  // how many there were; 0: the log does not say
    std::uint64_t missing = 0;  // how many of them are
    std::vector<Range> ranges;  // which, in order
    // Of missing ranks: those of whose tasks some process was recorded, though none that called MPI_Init.
    std::vector<Range> without_mpi;

    bool any() const { return missing > 0; }
    std::uint64_t recorded() const { return started - missing; }
    // "ranks 2, 5-7 and 9 more"
    std::string names() const;
    // "4 of 6 MPI ranks", "4 of 6 tasks"
    std::string in_words() const;
    // "; of rank 3 processes were recorded, but none that called MPI_Init"; empty where there are none.
    std::string remark() const;
};

// Not known where the log does not say, and where it has ranks of launches of different sizes, or with
// numbers beyond their launch's size as logs of several jobs have that were merged. Several launches of one
// size, one after the other, are taken together: a rank that one of them lacks is missing, and a task that
// all of them lack. Tasks are looked at where no rank is known to be missing: those of programs without MPI,
// and of ranks that each believe to be the only one.
MissingRanks missing_ranks_of(const Job& job);

// "4 of 6 MPI ranks", without "of 6" where none is missing; without MPI "9 processes", and "9 processes of 4
// of 6 tasks" where tasks are missing.
std::string ranks_in_words(const Job& job);

}  // namespace fathom
