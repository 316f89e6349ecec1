// What a log lacks, as far as it knows itself.
#pragma once

#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// A sentence each; empty where nothing is known to be missing.
std::vector<std::string> missing_from(const Job& job);

}  // namespace fathom
