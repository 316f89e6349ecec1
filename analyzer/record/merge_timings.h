// Histograms, slices and traces of many logs as those of one.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_set>

#include "logformat/log/log.h"

namespace fathom {

class TimingMerger {
  public:
    // Takes the histograms and the shapes that are known already out of a log that is to be appended to ours,
    // and numbers its threads on from those of the same process in ours. Processes have our numbers.
    void take(Log& ours, Log& other);

  private:
    std::unordered_set<std::uint64_t> shapes_;
    std::map<std::int64_t, std::uint64_t> threads_;  // of each process: how many have numbers
};

// Puts slices and traces into their order, and brings all slices of a process to one length, so long that the
// log has no more of them than it may.
void settle_timings(Log& log);

}  // namespace fathom
