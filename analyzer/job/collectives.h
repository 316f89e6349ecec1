// Where the time of collective MPI-IO went (docs/METHODS.md, section 12).
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// One direction of a file whose MPI-IO was mostly by collective calls. Nanoseconds a rank. Where single calls
// were sampled, exchange and waiting are scaled from these. Else they follow from sums: who comes last has
// waited for nobody, so that what the rank with least spent is passing data and the file system.
struct CollectiveTime {
    const FileUse* file = nullptr;
    Direction direction = Direction::write;
    std::uint64_t calls = 0, bytes = 0, ranks = 0;  // calls of each rank count
    std::uint64_t sampled = 0;   // calls of all ranks together that the sample has; 0: from sums
    bool beneath_known = false;  // what POSIX did beneath was seen
    double mean = 0, least = 0;  // in the calls: of all ranks, of the one with least
    double file_system = 0;      // in POSIX beneath, of the rank with most
    double exchange = 0;         // from sums, at most: least - file_system
    double waiting = 0;          // from sums, at least: mean - least

    // One call of all ranks counts once.
    std::uint64_t calls_together() const { return ranks == 0 ? 0 : calls / ranks; }
    void add(const CollectiveTime& other);
};

// Those of at least two ranks, by file and direction.
std::vector<CollectiveTime> collective_times_of(const Job& job);

}  // namespace fathom
