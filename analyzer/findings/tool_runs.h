// Runs of a packaged tool in a job without MPI.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

inline constexpr std::string_view tools_that_compress[] = {"gzip", "pigz", "bzip2", "pbzip2",
                                                           "xz",   "pixz", "zstd",  "pzstd"};

struct ToolRuns {
    std::string_view path;
    std::vector<const Member*> members;

    std::string name() const { return std::string(path.substr(path.rfind('/') + 1)); }
};

// Of each tool that came with the system, in the order of their starts; an interpreter is none, but for a
// script that came with it.
std::vector<ToolRuns> runs_of_tools(const Job& job);

// The same of tools with one of these names, by process.
using RunsByProcess = std::unordered_map<std::int64_t, const Member*>;
RunsByProcess runs_of_tools(const Job& job, std::span<const std::string_view> names);

void add_once(std::vector<const Member*>& members, const Member* one);

// s in which any of them ran.
double seconds_of(std::vector<const Member*> members);

}  // namespace fathom
