// Brings what a batch system's accounting says of its jobs into the job database.
//
// A row in `allocations` for each job of the batch system, and one in `jobs` for each of its steps that is a
// program, unless there is a log of that: then the log's row gets what accounting knows.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "analyzer/jobs/schema/database.h"
#include "logformat/log/tick.h"

namespace fathom::jobs {

struct AccountingPlan {
    // Called with what is wrong: a line each.
    std::function<void(const std::string&)> say;
};

struct AccountingCount {
    std::size_t allocations = 0;  // that are new
    std::size_t changed = 0;      // allocations that were there, of which more is known now
    std::size_t steps = 0;        // new rows of steps without a log
    std::size_t logs = 0;         // jobs with a log that got their allocation
    std::size_t unstarted = 0;    // jobs and steps that never ran: they have no row
    std::size_t broken = 0;       // lines, or files, that cannot be used

    void add(const AccountingCount& other);
};

// By its content; false where it is no regular file or cannot be read.
bool is_accounting(const std::string& path);

// Stores some thousand lines at a time: what is stored stays, whatever comes. Lines that cannot be used are
// said and left out. The same file again, or one that overlaps, makes no second rows. `tick` is told of
// bytes. Ends early where `stop` becomes true. Throws DatabaseError.
AccountingCount add_accounting(Database& database, const std::string& path, const AccountingPlan& plan,
                               const Tick& tick, const std::atomic<bool>& stop);

}  // namespace fathom::jobs
