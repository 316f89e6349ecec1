// The options of a recording (logformat/options.h), from the command line and from the environment.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "logformat/options.h"
#include "logformat/trace/patterns.h"

namespace fathom {

// What was said of each option, on the command line: nothing of those that are absent.
struct GivenOptions {
    struct Given {
        CLI::Option* option = nullptr;
        std::vector<std::string> values;
    };
    std::map<const Option*, Given> given;
};

struct RecordOptions {
    std::string output, library;
    bool quiet = false;
    Patterns exclude, include;
    // Variables that the library shall find in its environment, as it reads them there.
    std::vector<std::pair<std::string, std::string>> for_library;
};

// Adds the options to the command, with their sentences.
void declare_options(CLI::App& app, GivenOptions& given);

// The part of the help that tells of patterns, and of the variables that have no option.
std::string help_on_options();

// What holds: the command line, and where that says nothing the environment. Throws BadUsage at a bad value,
// one for the library too.
RecordOptions settle(const GivenOptions& given);

}  // namespace fathom
