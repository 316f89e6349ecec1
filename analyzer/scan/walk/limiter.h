// No more than so many calls a second, over all threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace fathom::scan {

class Limiter {
  public:
    // 0: as many as there are.
    Limiter(double calls_a_second, const std::atomic<bool>& stop);

    // Waits until one more call may be made; false: it is to stop instead.
    bool take() { return interval_ == 0 ? !stop_.load(std::memory_order_relaxed) : wait(); }

  private:
    bool wait();

    const std::atomic<bool>& stop_;
    std::uint64_t interval_;           // ns
    std::atomic<std::uint64_t> next_;  // when the next call may be made, ns of the monotonic clock
};

}  // namespace fathom::scan
