// The commands of `fathom`: a row each, and a file each.
#pragma once

#include <span>

#include "analyzer/commands/command_line.h"

namespace fathom {

CommandLine record_line();
inline constexpr Command record_command{"record", "Run a program and record what its I/O does", record_line};
CommandLine recover_line();
CommandLine report_line();
CommandLine dump_line();
inline constexpr Command dump_command{"dump", "Print every counter of a log, for grep, awk and scripts",
                                      dump_line};
CommandLine merge_line();
CommandLine compare_line();
CommandLine convert_line();
CommandLine clusters_line();
CommandLine monitor_line();
CommandLine watch_line();
CommandLine probe_line();
CommandLine measure_line();
CommandLine model_line();
CommandLine states_line();
CommandLine jobs_line();
CommandLine study_line();
CommandLine history_line();
CommandLine devices_line();
CommandLine scan_line();
CommandLine files_line();
CommandLine neighbours_line();
CommandLine manual_line();

// In the order in which --help lists them.
std::span<const Command> commands();

Program fathom_itself();

}  // namespace fathom
