// Runs of a packaged tool in a job without MPI.
#pragma once

#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

struct ToolRuns {
    std::string_view path;
    std::vector<const Member*> members;

    std::string name() const { return std::string(path.substr(path.rfind('/') + 1)); }
};

// Of each tool that came with the system and interprets nothing, in the order of their starts.
std::vector<ToolRuns> runs_of_tools(const Job& job);

// s in which any of them ran.
double seconds_of(const std::vector<const Member*>& members);

}  // namespace fathom
