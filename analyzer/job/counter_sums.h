// The counters of many records, added up by layer: every one of them, by its own rule.
#pragma once

#include <array>

#include "analyzer/job/files.h"
#include "analyzer/job/size_sums.h"

namespace fathom {

struct CounterSums {
    PosixCounters posix;
    StdioCounters stdio;
    MpiioCounters mpiio;
    std::array<SizeSums, layers> sizes{};  // all that the counters' common_size has no room for

    void add(const RecordView& record);
    const Transfers& transfers(Layer layer) const;
    // None for MPI-IO.
    const Pattern* pattern(Layer layer) const;
};

}  // namespace fathom
