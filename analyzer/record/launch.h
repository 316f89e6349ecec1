// Starts the program that is to be recorded and waits for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace fathom {

// The preload library: the one that was asked for, or else that beside this executable (bin/../lib). Throws
// std::runtime_error if it is absent.
std::string library_path(const std::string& asked_for);

using Environment = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct LaunchOutcome {
    bool started = false;
    int error = 0;   // errno of a failed start
    int status = 0;  // as a shell's $?: 128 + number for a signal
    int signal = 0;  // that ended it
    pid_t pid = 0;
};

// Runs the command with these variables added to its environment (a variable without a value is taken out),
// and passes on the signals that are meant for it (signals.h); this process stays to collect. `meanwhile` is
// called now and then while the command runs.
LaunchOutcome launch(const std::vector<std::string>& command, const Environment& environment,
                     const std::function<void()>& meanwhile);

// Where a signal ended the command, it ends this process as well, but for the core: whoever started us, a
// shell's script or MPI's launcher, sees what it would see without us. Otherwise, and where that fails, it
// returns `status`.
int end_like(const LaunchOutcome& outcome, int status);

}  // namespace fathom
