// By what two log files are known to be of one run.
#pragma once

#include <string>

#include "analyzer/job/job.h"

namespace fathom::jobs {

// Equal in copies of one log, however they are packed and called, and in no other log: a hash of who ran what
// when, and of what was counted. 32 hexadecimal digits.
std::string identity_of(const fathom::Job& job);

// "user/number/processes/program": equal in logs of two tools of one run. The number is that of the job in
// the batch system, or without one the id of the process that did the work, as Darshan has it. Several runs
// may share it: steps of one job, one after the other. Empty where the log does not know enough.
std::string match_key_of(const fathom::Job& job);

}  // namespace fathom::jobs
