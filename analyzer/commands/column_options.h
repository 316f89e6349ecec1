// Which columns of a CSV describe operations: shared by `fathom clusters` and `fathom model classify`.
#pragma once

#include <vector>

#include "analyzer/commands/command_line.h"
#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

// --duration, --start, --kind and --size-column, which fill `choice`.
std::vector<CommandOption> column_options(OperationChoice& choice);

}  // namespace fathom
