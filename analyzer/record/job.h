// What `fathom record` knows of a job before and after the program ran: how it is started, its name, its
// facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/record/launcher.h"
#include "analyzer/record/owner.h"
#include "logformat/log/log.h"
#include "logformat/trace/patterns.h"

namespace fathom {

// Tells the parts and logs of one job from those of others: the same for all processes of a launch, made up
// where no launcher has started this one.
std::string job_key(const std::optional<Launched>& launched);

// The program's base name as a part of a file's: of the log's author, who may have written anything.
std::string file_name_of_program(std::string_view program);

// The program's base name and the local time: "checkpoint-20261121-101500.fathom". Inside a launcher the time
// is the launcher's, so that its processes on a node agree on one name; in a step of a batch system the name
// has the step instead: "checkpoint-1234.0.fathom".
std::string default_log_name(const std::string& program, const std::optional<Launched>& launched,
                             std::uint64_t start_ns);

std::string command_line(const std::vector<std::string>& words);

// What FATHOM_STREAMS says of this process's standard streams: " device:inode " in hexadecimal for each
// regular file.
std::string redirected_streams();

// The facts of a job, as a log without any other rows. The patterns are the user's.
Log facts_of(const std::vector<std::string>& command, const std::string& job, std::uint64_t start_ns,
             const OwnerNames& names, const Patterns& exclude, const Patterns& include);

}  // namespace fathom
