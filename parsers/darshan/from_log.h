// Turns a log of ours into one of Darshan.
#pragma once

#include <string>
#include <vector>

#include "logformat/log/log.h"

namespace fathom::darshan {

// Writes a log of format 3.41 (docs/DARSHAN.md says which counter becomes which). Which processes are its
// ranks job_ranks.h says. Throws LogError where it cannot be written. Returns what the log holds that
// Darshan's has no place for, a sentence each with how much of it there is. Besides the log, memory is needed
// for the files by process, and for at most most_sorted_operations of its trace or those of one process on
// one file: the trace is read as often as that takes.
std::vector<std::string> write_darshan_log(const Log& log, const std::string& path);

inline constexpr std::size_t most_sorted_operations = std::size_t{1} << 21;

}  // namespace fathom::darshan
