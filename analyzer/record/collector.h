// The process that collects what a recorder recorded, once its program has ended.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

#include "analyzer/record/launch.h"

namespace fathom {

// A launcher that ends a job kills the processes that it started within milliseconds, their process groups
// too. The collector is none of these: it runs before the program does, in a session of its own, leaves alone
// what asks it to stop, and goes to work when its recorder says how the program ended, or is no more. Where
// there can be no such process, the recorder does the work itself.
class Collector {
  public:
    // `begin` is called first, in the process that will collect, and `finish` last: with nothing where the
    // recorder died before its program ended.
    Collector(const std::function<std::string()>& begin,
              const std::function<int(const std::optional<LaunchOutcome>&)>& finish);
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    // What `begin` returned.
    const std::string& reply() const { return reply_; }

    // Lets it collect, and returns what `finish` returned.
    int end(const LaunchOutcome& outcome);

  private:
    std::function<int(const std::optional<LaunchOutcome>&)> finish_;
    std::string reply_;
    pid_t process_ = -1;
    int to_ = -1;
};

}  // namespace fathom
