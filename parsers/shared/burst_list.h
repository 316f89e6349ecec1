// The stretches of time in which a process had I/O under way, at most so many: where there would be more,
// longer pauses no longer end one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fathom {

class BurstList {
  public:
    static constexpr std::size_t most = 64;
    struct Stretch {
        std::uint64_t start = 0, end = 0;
    };

    // In any order; end >= start.
    void add(std::uint64_t start, std::uint64_t end);

    std::uint64_t gap() const { return gap_; }  // ns
    const std::vector<Stretch>& stretches() const { return stretches_; }

  private:
    void join();

    std::uint64_t gap_ = 1'000'000;
    std::vector<Stretch> stretches_;  // by start, more than the gap apart
};

}  // namespace fathom
