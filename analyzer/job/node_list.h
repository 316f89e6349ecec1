// The nodes that a batch system gave to a job, and those of them from which a log has nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

// "node[1-3,07-09],other" as Slurm writes it: the names of all. Empty where it is no such list, or one of
// more names than anybody would read.
std::vector<std::string> nodes_in(std::string_view list);

// "node2, node3 and 4 more"; empty where there is none, or where the log does not know its nodes.
std::string nodes_without_record(const Job& job);

}  // namespace fathom
