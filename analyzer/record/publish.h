// Puts a job's log where its user wants it, also when several `fathom record` of one MPI job do so at once.
#pragma once

#include <string>
#include <vector>

#include "analyzer/record/folder_lock.h"
#include "logformat/log/log.h"

namespace fathom {

// Writes the logs of one job as one to `path`, or beside it, and returns where; the lock is that on its folder.
// Those whose processes are there already are left out. A log that is there already
// - is added to where it is of this job (its fact "job", or `of_this_job`), or of other ranks of that time;
// - stays as it is where another recording made it at that time: these logs go to NAME-2.fathom;
// - is replaced where it is older.
// Throws LogError.
std::string publish(std::vector<Log> logs, const std::string& path, const FolderLock&, bool of_this_job = false);

// True if there is a file that does not belong to this job.
bool is_of_another_job(const std::string& path, const std::string& job);

// The logs that the MPI ranks of this job left in a folder, under hidden names.
std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job);
// Removes them, and what is left of one whose writers died.
void remove_logs_of_ranks(const std::string& folder, const std::string& job);

}  // namespace fathom
