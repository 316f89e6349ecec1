// `fathom report` of many logs: one table, a row a log.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/commands/report_output.h"

namespace fathom {

struct ManyOptions {
    std::string list;   // a file with paths; empty: none
    std::string order;  // of the rows; empty: the usual one
    std::size_t top = std::numeric_limits<std::size_t>::max();
    bool csv = false;
};

// --list, --sort, --top and --csv, which fill `options`.
std::vector<CommandOption> many_options(ManyOptions& options);

// Of the table, for shells that complete them.
std::vector<std::string> names_of_columns();

// What the help says about the table.
std::string help_on_tables();

// Whether what was named asks for a table rather than for the report of one log.
bool asks_for_table(const std::vector<std::string>& named, const ManyOptions& options,
                    const OutputOptions& output);

// Returns the exit status. Throws BadUsage before the work, std::runtime_error where the table cannot be
// written.
int report_many(const std::vector<std::string>& named, const ManyOptions& options,
                const OutputOptions& output);

}  // namespace fathom
