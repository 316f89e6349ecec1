// What became of the time in single collective calls, from a sample of them (docs/METHODS.md, section 12).
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "analyzer/job/job.h"

namespace fathom {

// Sums over calls of which all ranks' accounts are there. Nanoseconds.
struct CollectiveParts {
    std::uint64_t calls = 0;  // each of all its ranks
    double mean = 0;          // of the ranks, in them
    double waiting = 0;      // mean of the ranks: for those that had not yet come, and were in no call either
    double file_system = 0;  // in POSIX beneath, of the rank that was longest there

    double exchange() const { return std::max(mean - waiting - file_system, 0.0); }
};

// By file and direction. Empty where there is no sample, or the clocks of its nodes are not known.
std::map<std::pair<std::uint64_t, Direction>, CollectiveParts> collective_parts_of(const Job& job);

}  // namespace fathom
