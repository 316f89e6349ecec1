// A log as the rows that the job database keeps of it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

// All rows of one job; the keys are not set yet.
struct Entry {
    Job job;
    Details details;
    std::vector<Layer> layers;
    std::vector<OnMount> mounts;
    std::vector<InMode> modes;
    std::vector<Shared> sharing;
    std::vector<InPhase> phases;
    std::vector<Found> findings;
    std::vector<LargeFile> files;
    Environment environment;
    LogFile log;  // without path, size and time
};

inline constexpr std::size_t most_phases = 16, most_findings = 8, most_files = 3, most_command = 1000,
                             most_of_list = 1000;

// The numbers are those of the log's report.
Entry entry_of(const fathom::Job& job);

}  // namespace fathom::jobs
