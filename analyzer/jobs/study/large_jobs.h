// The large runs of a study, read once: what is known of each group of them, and of each program by nodes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/study/site.h"
#include "analyzer/methods/exact_mean.h"
#include "analyzer/methods/quartiles.h"

namespace fathom::jobs {

// Means over runs; each run that a number is known of counts the same.
struct LargeGroup {
    std::uint64_t runs = 0;
    ExactMean rate;  // MiB/s/CN
    ExactMean io_share, metadata_share, files, creates, sequential, aligned;
    ExactMean volume;  // MiB a process
    std::optional<FiveNumbers> rates;
};

struct LargeJobs {
    std::uint64_t runs = 0;
    std::map<std::string, LargeGroup, std::less<>> groups;
    // MiB/s/CN, by program and nodes.
    std::map<std::string, std::map<Number, ExactMean>, std::less<>> programs;
};

LargeJobs read_large_jobs(Site& site);

// Of the time in reads, writes and metadata calls of all processes; nothing where there is none.
std::optional<double> metadata_share_of(Number reads, Number writes, Number metadata);

// "1,024 or more processes and 500 MiB or more"
std::string large_words(const StudyChoice& choice);

}  // namespace fathom::jobs
