// The options of a recording (logformat/options.h), from the command line and from the environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/commands/command_line.h"
#include "logformat/options.h"
#include "logformat/trace/patterns.h"

namespace fathom {

// What was said of each option, on the command line: nothing of those that are absent.
struct GivenOptions {
    struct Given {
        bool on_command_line = false;
        std::string text;  // of patterns all, with colons between them
    };
    std::map<const Option*, Given> given;
};

struct RecordOptions {
    std::vector<std::string> command;
    std::string output, library;
    bool quiet = false;
    bool arguments = true;  // in the log
    std::string mode;       // of the log, in octal digits; empty: by the umask
    Patterns exclude, include;
    std::vector<std::string> notes;  // what the site's settings say that is not obeyed, or do not allow
    // Variables that the library shall find in its environment, as it reads them there.
    std::vector<std::pair<std::string, std::string>> for_library;
};

// The options of the command, with their sentences; they fill `given`.
std::vector<CommandOption> record_options(GivenOptions& given);

// The part of the help that explains patterns, and of the variables that have no option.
std::string help_on_options();

// What holds: the command line, and where that says nothing the environment. Throws BadUsage at a bad value,
// one for the library too.
RecordOptions settle(const GivenOptions& given);

}  // namespace fathom
