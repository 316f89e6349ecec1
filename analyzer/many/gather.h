// Reads many logs, side by side on all processors, to a row each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyzer/many/row.h"
#include "logformat/log/tick.h"

namespace fathom {

struct GatheredRows {
    std::vector<JobRow> rows;           // in the order of the logs
    std::vector<std::string> troubles;  // of logs that could not be read: which, what, where; a line each
};

// Each of `threads` holds one log at a time, and but one of them a large one; the rows stay. `tick` is told
// how many logs are done, by the thread that calls this.
GatheredRows gather_rows(std::span<const std::string> logs, std::size_t threads, const Tick& tick);

// Processors that this process may use.
std::size_t usable_processors();

}  // namespace fathom
