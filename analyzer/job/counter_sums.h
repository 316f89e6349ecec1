// The counters of many records, added up by layer: every one of them, by its own rule.
#pragma once

#include "analyzer/job/files.h"

namespace fathom {

struct CounterSums {
    PosixCounters posix;
    StdioCounters stdio;
    MpiioCounters mpiio;

    void add(const RecordView& record);
    const Transfers& transfers(Layer layer) const;
    // None for MPI-IO.
    const Pattern* pattern(Layer layer) const;
};

}  // namespace fathom
