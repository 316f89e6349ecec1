// Which jobs a command of `fathom jobs` is about: by ids and filters, shared by several commands.
#pragma once

#include <string>
#include <vector>

#include "analyzer/commands/command_line.h"
#include "analyzer/jobs/list/choice.h"

namespace fathom {

struct ChoiceOptions {
    std::vector<std::string> ids;
    std::vector<std::string> said;  // for each filter; empty: nothing
    std::string url;
};

// The line of such a command: the ids, where `ids` is a name for them, the database and all filters.
CommandLine choice_line(ChoiceOptions& options, const char* ids, const char* meaning);

// What its help says of filters and databases.
std::string help_on_choices();

// Throws BadUsage for what cannot be understood. Without ids and filters it chooses all.
jobs::Choice choice_of(const ChoiceOptions& options);

// "user anna, since yesterday"; empty where there are no filters.
std::string filters_in_words(const ChoiceOptions& options);

}  // namespace fathom
