// Jobs on several nodes: a watch on each leaves some hundred bytes a recording in a folder of all nodes.
#pragma once

#include <string>

#include "analyzer/watch/node_row.h"

namespace fathom::watch {

// Writes a file a recording of a job of the batch system, in place of the one of the look before. A recording
// that was there before and has gone is left as ended. Throws std::runtime_error where it cannot be written.
void leave(const std::string& folder, const Snapshot& before, const Snapshot& now);

// Takes away what this user left a day ago and before.
void forget_old(const std::string& folder);

// What nodes left of a job in the last ten minutes, as two looks: a recording a node. Files of other users
// are passed over, but by root. Throws std::runtime_error where the folder cannot be read.
Looks left_in(const std::string& folder, const std::string& job);

}  // namespace fathom::watch
