// Signals that come to a recorder and are meant for its program.
#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <sys/types.h>

namespace fathom {

// While it lives, signals that would end this process go to the program instead, and so does the one that
// lets a stopped process go on. What was ignored when this process was started (nohup) stays ignored, for
// both.
//
// A signal to the whole process group, or to all processes of a job one by one, the program has got itself.
// It cannot be seen from here to whom a signal went: a second process, the witness, stands beside this one
// and says which came to it too.
class PassedSignals {
  public:
    explicit PassedSignals(pid_t program);
    ~PassedSignals();
    PassedSignals(const PassedSignals&) = delete;
    PassedSignals& operator=(const PassedSignals&) = delete;

    // SIGCHLD, and those that are blocked: to be waited for.
    const sigset_t& all() const { return all_; }
    void take(const siginfo_t& signal);

  private:
    bool came_to_witness(int signal);

    const pid_t program_;
    sigset_t all_;
    pid_t witness_ = -1;
    int from_witness_ = -1;
    std::array<std::chrono::steady_clock::time_point, 65> seen_{};  // by the witness, last
};

// What the user is told at the first SIGTERM: launchers send one before they kill, and may not wait for what
// collects. To be set before the program is started.
void say_at_sigterm(const std::string& line);

}  // namespace fathom
