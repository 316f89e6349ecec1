// A program that is recorded and watched from its start.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "analyzer/record/launch.h"

namespace fathom::watch {

// Runs `fathom record` with a command. With `aside` standard input is empty for it and what it says goes to
// a file without a name: the terminal is the watch's until give_back(). Throws std::runtime_error where
// nothing can be started.
class Started {
  public:
    Started(const std::vector<std::string>& command, const std::string& output, bool aside);
    ~Started();
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    // The spool, once there is one; nothing where the program ended before.
    std::optional<std::string> spool();
    bool has_ended();

    // A signal that came to the watch alone.
    void pass(int signal) const;

    // What was said aside goes to standard output, as it comes, until the program has ended.
    LaunchOutcome give_back();

  private:
    pid_t pid_ = -1;
    int said_ = -1;
    LaunchOutcome outcome_;
    bool ended_ = false;
};

}  // namespace fathom::watch
