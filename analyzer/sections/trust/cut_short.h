// How many calls may have been left in the middle: counted in one place of the log and not yet in another.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "logformat/log/log.h"

namespace fathom {

// One a thread, where a process did not end by itself or ended while it had other threads.
class CutShort {
  public:
    explicit CutShort(const Log& log)
    {
        for (const Process& process : log.rows<Process>()) {
            const auto ending = static_cast<Ending>(process.ending);
            const bool orderly = ending == Ending::exited || ending == Ending::finalized;
            if (orderly && process.threads <= 1) continue;
            by_process_[process.process] = process.threads;
            all_ += process.threads;
        }
    }
    // Of a record that stands for several processes: of all of them.
    std::uint64_t of(std::int64_t process) const
    {
        if (process == reduced) return all_;
        const auto found = by_process_.find(process);
        return found == by_process_.end() ? 0 : found->second;
    }
    std::uint64_t all() const { return all_; }

  private:
    std::unordered_map<std::int64_t, std::uint64_t> by_process_;
    std::uint64_t all_ = 0;
};

// a and b are no further apart than that.
inline bool differ_by_at_most(std::uint64_t most, std::uint64_t a, std::uint64_t b)
{
    return (a > b ? a - b : b - a) <= most;
}

}  // namespace fathom
