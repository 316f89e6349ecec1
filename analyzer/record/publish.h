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

// Writes the log to `path`, or beside it, and returns where; the lock is that on its folder. A log that is
// there already
// - is added to where it is of this job (its fact "job", or `of_this_job`), or of other ranks of that time;
// - stays as it is where another recording made it at that time: this log goes to NAME-2.fathom;
// - is replaced where it is older.
// Throws LogError.
std::string publish(Log log, const std::string& path, const FolderLock&, bool of_this_job = false);

// True if there is a file that does not belong to this job.
bool is_of_another_job(const std::string& path, const std::string& job);

// The logs that the MPI ranks of this job left in a folder, under hidden names.
std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job);
// Removes them, and what is left of one whose writers died.
void remove_logs_of_ranks(const std::string& folder, const std::string& job);

}  // namespace fathom
