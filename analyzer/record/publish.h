// Puts a job's log where its user wants it, also when several `fathom record` of one MPI job do so at once.
#pragma once

#include <string>

#include "logformat/log/log.h"

namespace fathom {

// Holds a lock on the folder of a path for as long as it lives. Where the file system has no locks, it holds
// nothing.
class FolderLock {
  public:
    explicit FolderLock(const std::string& path);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int fd_ = -1;
};

// Writes the log to `path`, or beside it, and returns where: the lock on its folder is held. What is there
// - of this job (fact "job"; `of_this_job`: certainly): stays, and gets the rows of this log;
// - of processes that ran while those of this log did: some other ranks of one launch become one log with
// this one; of
//   another recording it stays as it is, and this log goes to "NAME-2.fathom";
// - older: is replaced, as who named the file wants it.
// Throws LogError.
std::string publish(Log log, const std::string& path, const FolderLock&, bool of_this_job = false);

// True if there is a file that does not belong to this job.
bool is_of_another_job(const std::string& path, const std::string& job);

// The logs that the MPI ranks of this job left in a folder, under hidden names.
std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job);
// Removes them, and what is left of one whose writers died.
void remove_logs_of_ranks(const std::string& folder, const std::string& job);

}  // namespace fathom
