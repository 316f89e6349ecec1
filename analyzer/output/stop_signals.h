// Ends work cleanly that is interrupted: Ctrl-C, or the system's wish that we go.
#pragma once

#include <atomic>

namespace fathom {

// While it lives, SIGINT, SIGTERM and SIGHUP only set a flag, which the work has to look at; one that is
// ignored stays so (nohup). There is one at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    const std::atomic<bool>& came() const;

    // Ends this process as the signal would have, so that whoever started it sees that. To be called once all
    // is in order. Returns where none came.
    void end_by_it() const;
};

}  // namespace fathom
