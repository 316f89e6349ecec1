// Brings log files into the job database.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

#include "analyzer/jobs/store/store.h"
#include "logformat/log/tick.h"

namespace fathom::jobs {

struct AddPlan {
    std::size_t threads = 1;
    bool again = false;  // reads logs that are there and have not changed too, and makes their numbers anew
    // Called with what is wrong with a log, once: not where it was as broken before.
    std::function<void(const std::string&)> say;
};

struct AddCount : StoreCount {
    std::size_t unchanged = 0;     // logs that were there
    std::size_t still_broken = 0;  // logs that were as broken before
};

// Logs are read by `threads` and stored some hundred at a time: what is stored stays, whatever comes. Where
// `stop` becomes true, what was read until then is stored. Throws DatabaseError.
AddCount add_logs(Database& database, std::span<const std::string> named, const AddPlan& plan,
                  const Tick& tick, const std::atomic<bool>& stop);

}  // namespace fathom::jobs
