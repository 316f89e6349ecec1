// Whether two logs are of one job, or of jobs that ran at one time.
#pragma once

#include <string>

#include "logformat/log/log.h"

namespace fathom {

// True where both are of one recording: by the fact "job" or by a rank in common; or where they are of other
// ranks of that time.
bool is_of_one_job(const Log& one, const Log& other);

// True where the processes of both ran at one time. Where a log lacks tasks that its launcher counted, they
// may still begin: its time lasts for ten seconds more.
bool may_be_at_once(const Log& there, const Log& other);

// True where a launch is still at work on the log at that path: it keeps a link to it in a folder of its own
// beside it (launch_folder.h). `mine`: the folder of the launch that asks.
bool is_log_of_launch_at_work(const std::string& path, const std::string& mine);

}  // namespace fathom
