// Starts the program that is to be recorded and waits for it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fathom {

// The preload library beside this executable (bin/../lib), or $FATHOM_LIBRARY. Throws std::runtime_error if
// it is absent.
std::string library_path();

struct Outcome {
    bool started = false;
    int error = 0;   // errno of a failed start
    int status = 0;  // as a shell's $?: 128 + number for a signal
};

// Runs the command with these variables added to its environment, and passes on the signals that ask it to
// stop. Of the terminal's own (^C, ^\) the program hears by itself; this process stays to collect.
Outcome launch(const std::vector<std::string>& command,
               const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace fathom
