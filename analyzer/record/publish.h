// Puts a job's log where its user wants it, also when several `fathom record` of one MPI job do so at once.
#pragma once

#include <string>
#include <vector>

#include "analyzer/record/folder_lock.h"
#include "logformat/log/log.h"

namespace fathom {

// Names for files of the publisher's own, on the file system of the log.
struct OwnFiles {
    std::string taken;  // the log that is there already, while it is being added to
    std::string fresh;  // what will take its place
};

// Writes the logs of one job as one to `path`, or beside it, and returns where; the lock is that on its folder.
// Those whose processes are there already are left out. What is there is taken away before it is read, and what
// is put there must not find any: other nodes' copies of a folder may be seconds old, and locks may be none.
// A log that is there already
// - is added to where it is of this job (its fact "job", or a process of theirs), or of other ranks of that time;
// - stays as it is where another recording made it at that time: these logs go to NAME-2.fathom;
// - is replaced where it is older.
// Throws LogError.
std::string publish(std::vector<Log> logs, const std::string& path, const FolderLock&, const OwnFiles& own);

// True if there is a file that does not belong to this job.
bool is_of_another_job(const std::string& path, const std::string& job);

// The logs that the MPI ranks of this job left in a folder, under hidden names.
std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job);
// Removes them, and what is left of one whose writers died.
void remove_logs_of_ranks(const std::string& folder, const std::string& job);

}  // namespace fathom
