// The operations of a log: those of its trace, or those that its histograms count.
#pragma once

#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

// `tick` counts operations.
TimedOperations from_trace(const Log& log, const OperationChoice& choice, const Tick& tick);
TimedOperations from_histograms(const Log& log, const OperationChoice& choice);

// The layer of the choice, and the operation, are these; likewise where the choice names none.
bool is_chosen(const OperationChoice& choice, std::string_view layer, std::string_view operation);

}  // namespace fathom
