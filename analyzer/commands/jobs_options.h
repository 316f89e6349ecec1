// The options that the commands on the job database share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/commands/command_line.h"

namespace fathom {

// --db URL, else the variable FATHOM_DB, else a file of the user's own.
CommandOption database_option(std::string& url);
std::string database_url(const std::string& said);

// Throws BadUsage where an output would be written over the database's file, or beside it as its journal.
std::vector<std::string> files_of_database(const std::string& said);

extern const char* const help_on_databases;

std::int64_t unix_now();  // ns

CommandLine jobs_add_line();
CommandLine jobs_list_line();
CommandLine jobs_show_line();
CommandLine jobs_report_line();
CommandLine jobs_remove_line();

}  // namespace fathom
