// Recordings of this user that are under way on this node, by their spools. Nothing is written there.
#pragma once

#include <string>
#include <vector>

#include "analyzer/watch/snapshot.h"
#include "logformat/log/log.h"

namespace fathom::watch {

// Those of which a `fathom record` is at work, or processes still run.
std::vector<std::string> spools_in_use();

// That a spool is: a `fathom record` is at work there, or a process of it still runs. Throws
// std::runtime_error.
bool is_in_use(const std::string& spool);

// The spool that is meant: a folder, or the number of a process that writes to one, or of the `fathom record`
// of one. Throws std::runtime_error where there is none.
std::string spool_of(const std::string& folder_or_pid);

// True of a folder with the parts of processes. False of all others, and of what is no folder.
bool is_spool(const std::string& path);

// What the processes of a spool of this user did so far: a log like that of the end. Throws
// std::runtime_error.
Log log_so_far(const std::string& spool);

// One that has ended since is left out.
Snapshot look(const std::vector<std::string>& spools);

}  // namespace fathom::watch
