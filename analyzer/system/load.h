// A job beside the servers and devices that it used: their load in its time, and which of them lagged.
#pragma once

#include "analyzer/job/job.h"
#include "analyzer/job/system_load.h"
#include "logformat/series/table.h"

namespace fathom {

struct LoadChoice {
    // When earlier runs like the job were in I/O, a list a run: what the servers moved then is usual.
    std::vector<std::vector<series::Window>> earlier{};
    double peak = 0;  // bytes/s that a group of servers can reach at most; 0: the highest rate in its series
};

// docs/METHODS.md, section 16 (ours; the comparison of volumes is that of Beacon, section 4.1).
SystemLoad load_of(const Job& job, const series::Table& table, const LoadChoice& choice = {});

}  // namespace fathom
