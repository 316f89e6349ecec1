// The operations of a CSV: one a row.
#pragma once

#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

// Throws std::runtime_error: file, line, what to do. `tick` counts bytes.
TimedOperations from_csv(const std::string& path, const OperationChoice& choice, const Tick& tick);

}  // namespace fathom
