// Puts logs into the job database, many at once: all of them or, where that fails, none.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>

#include "analyzer/jobs/entry/entry.h"
#include "analyzer/jobs/schema/database.h"

namespace fathom::jobs {

struct StoreCount {
    std::size_t jobs = 0;     // that are new
    std::size_t logs = 0;     // of jobs that were there: from accounting, or from the log of another tool
    std::size_t copies = 0;   // of logs that were there
    std::size_t renewed = 0;  // of these, the ones whose job has its numbers from this log now
    std::size_t changed = 0;  // logs that have another content than when they were added
    std::size_t broken = 0;

    void add(const StoreCount& other);
};

// Each entry is of a log that was read, or of one that could not be: then `log.trouble` says why, and nothing
// but `log` is looked at. `log` has path, size and time of the file.
//
// Two logs are of one job where their identities are equal; or where they are of two tools, their match keys
// are equal and they were under way at the same time. The numbers are those of Fathom's log where there is
// one. A log that is there already changes nothing, unless `renew`: then its job's numbers are made anew.
// Throws DatabaseError: then the database is as before.
StoreCount store(Database& database, std::span<Entry> entries, bool renew = false);

// What is known of a log file by its path.
struct KnownLog {
    Number size = 0, changed = 0;
    bool broken = false;
};
// Of all files below this folder, or of the file itself.
void known_logs(Database& database, const std::string& path,
                std::unordered_map<std::string, KnownLog>& known);

// Takes jobs out, with all that belongs to them.
void remove_jobs(Database& database, std::span<const Number> ids);

}  // namespace fathom::jobs
