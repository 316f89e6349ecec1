// What `fathom record` knows of a job before and after the program ran: how it is started, its name, its
// facts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logformat/log/log.h"
#include "logformat/trace/patterns.h"

namespace fathom {

// True where an MPI launcher has started this very process: `mpirun fathom record -- ./app`.
bool is_inside_launcher();

// This process's number on its node, as its launcher counts; empty where that is not known.
std::string local_rank();

// Tells the parts and logs of one job from those of others. Inside a launcher it is the same for all ranks.
std::string job_key();

// The program's base name and the local time: "checkpoint-20261121-101500.fathom". Inside a launcher the time
// is the launcher's, so that its processes on a node agree on one name.
std::string default_log_name(const std::string& program, std::uint64_t start_ns);

std::string command_line(const std::vector<std::string>& words);

// What FATHOM_STREAMS says of this process's standard streams: " device:inode " in hexadecimal for each
// regular file.
std::string redirected_streams();

// The facts of a job, as a log without any other rows. The patterns are the user's.
Log facts_of(const std::vector<std::string>& command, const std::string& job, std::uint64_t start_ns,
             const Patterns& exclude, const Patterns& include);

}  // namespace fathom
