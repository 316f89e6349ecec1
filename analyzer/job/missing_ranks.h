// The ranks that MPI started and of which a log has nothing: each rank that was recorded knows how many there
// were.
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
    std::uint64_t started = 0;  // how many ranks there were; 0: the log does not tell
    std::uint64_t missing = 0;  // how many of them are
    std::vector<Range> ranges;  // which, in order

    bool any() const { return missing > 0; }
    std::uint64_t recorded() const { return started - missing; }
    std::string names() const;  // "ranks 2, 5-7 and 9 more"
};

// Not known where the log does not tell, and where it has ranks of launches of different sizes, or with
// numbers beyond their launch's size as logs of several jobs have that were merged. Several launches of one
// size, one after the other, are taken together: a rank that one of them lacks is missing.
MissingRanks missing_ranks_of(const Job& job);

// "4 of 6 MPI ranks"; without "of 6" where none is missing.
std::string ranks_in_words(const Job& job);

}  // namespace fathom
