// Reads many logs, side by side on all processors, to a row each.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/many/row.h"
#include "logformat/log/tick.h"

namespace fathom {

// Reads many logs, `threads` side by side, each of which holds one log at a time, and but one of them a large
// one. Calls take(its index, the job, "") for each, or take(its index, nullptr, why not), from any of the
// threads; no more where that returned false. `tick` gets how many logs are done, by the thread that calls
// this.
using TakeJob = std::function<bool(std::size_t at, const Job* job, std::string trouble)>;
void read_each(std::span<const std::string> logs, std::size_t threads, const Tick& tick, const TakeJob& take);

struct GatheredRows {
    std::vector<JobRow> rows;           // in the order of the logs
    std::vector<std::string> troubles;  // of logs that could not be read: which, what, where; a line each
};

// By read_each(); the rows stay.
GatheredRows gather_rows(std::span<const std::string> logs, std::size_t threads, const Tick& tick);

// Processors that this process may use.
std::size_t usable_processors();

}  // namespace fathom
