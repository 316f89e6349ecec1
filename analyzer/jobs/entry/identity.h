// By what two log files are known to be of one run.
#pragma once

#include <string>

#include "analyzer/job/job.h"

namespace fathom::jobs {

// Equal in copies of one log, however they are packed and called, and in no other log: a hash of who ran what
// when, and of what was counted. 32 hexadecimal digits.
std::string identity_of(const fathom::Job& job);

// "user/number/processes/program", the program as it was called: equal in logs of two tools of one run. The
// number is that of the job in the batch system, or without one the id of the process that did the work, as
// Darshan has it. Several runs may share it: steps of one job, one after the other. Empty where the log does
// not know enough.
std::string match_key_of(const fathom::Job& job);

// "user/process/program" of rank 0, or of the process that did the work without MPI: equal in logs of two
// tools of one run, and of no other one at that time. Logs of Darshan have the process in their name,
// "USER_PROGRAM_idJOB-PROCESS_...". Empty where it is not known.
std::string process_key_of(const fathom::Job& job, const std::string& path);

}  // namespace fathom::jobs
