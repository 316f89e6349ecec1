// A job may start tens of thousands of processes (make, configure), and each leaves a part. While the job
// runs, those of processes that have ended are folded into compact logs in the spool, which take a hundredth
// of the room.
#pragma once

#include <cstddef>
#include <string>

namespace fathom {

class Folding {
  public:
    explicit Folding(const std::string& spool) : spool_(spool) {}

    // Folds what can be folded if many parts have come since the last look. Throws nothing: what cannot be
    // folded stays.
    void look();

  private:
    void fold();

    const std::string& spool_;
    std::size_t stayed_ = 0;  // parts that the last look left: of processes that live, and of ranks
    std::size_t folded_ = 0;  // logs made so far
    bool tired_ = false;      // there was no room for one
};

}  // namespace fathom
