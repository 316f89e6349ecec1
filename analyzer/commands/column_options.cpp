// Four options, each with a column's name.
#include "analyzer/commands/column_options.h"

namespace fathom {

std::vector<CommandOption> column_options(OperationChoice& choice)
{
    return {
        {"--duration", "COLUMN", "of a CSV: the column of durations", &choice.duration_column},
        {"--start", "COLUMN", "that of starts", &choice.start_column},
        {"--kind", "COLUMN", "that of kinds", &choice.operation_column},
        {"--size-column", "COLUMN", "that of sizes", &choice.size_column},
    };
}

}  // namespace fathom
