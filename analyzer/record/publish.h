// Puts a job's log where its user wants it, also when several `fathom record` of one MPI job do so at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/record/file_lock.h"
#include "logformat/log/log.h"

namespace fathom {

// Names for files of the publisher's own, on the file system of the log.
struct OwnFiles {
    std::string held;   // another name for the log that is there already, while it is read
    std::string fresh;  // what will take its place

    // Names that nobody can foresee, in the folder of a log.
    static OwnFiles beside(const std::string& log);
};

// The log at a path as it is at the server: what this node remembers of a folder may be seconds old. Nothing
// where there is none, or nothing that could be read.
std::optional<Log> current_log(const std::string& path, const std::string& held);

// Writes the logs of one job as one to `path`, or beside it, and returns where. Who else writes there shall
// wait for the lock. Logs whose processes are there already are left out. A log that is there already
// - is added to where it is of this job (is_of_one_job() in same_job.h), also under NAME-2.fathom and so on;
// - stays where it is another user's, another recording made it at that time, or a launch is still at work
//   on it: these logs go to NAME-2.fathom and so on;
// - is replaced where it is older.
// Throws LogError.
std::string publish(std::vector<Log> logs, const std::string& path, const FileLock&, const OwnFiles& own);

// True if there is a file that does not belong to this job.
bool is_of_another_job(const std::string& path, const std::string& job);

// The logs that the MPI ranks of this job left in a folder, under hidden names.
std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job);
// Removes them, and what is left of one whose writers died.
void remove_logs_of_ranks(const std::string& folder, const std::string& job);

}  // namespace fathom
