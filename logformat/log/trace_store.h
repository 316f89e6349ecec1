// Puts operations that lie elsewhere, or come from anywhere, into the tables of a log as a trace.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

// Calls visit for each operation, always the same ones in the same order; what it returns are problems.
using TraceSource = std::function<std::vector<std::string>(const TraceVisit& visit)>;

// Appends the operations to the log's trace, each thread's in the order in which they ended, and notes in its
// processes how many they are. Times are then as exact as trace_code.h says. The source is read once to count
// and then as often as it takes: at most `most_at_once` operations, or those of one thread, are in memory.
// Returns the problems of the source.
std::vector<std::string> store_trace(Log& log, const TraceSource& source,
                                     std::size_t most_at_once = std::size_t{1} << 21);

}  // namespace fathom
