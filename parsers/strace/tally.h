// The record of one file by one process, as it grows operation by operation.
#pragma once

#include <cstdint>
#include <vector>

#include "parsers/strace/replay.h"

namespace fathom::strace {

class Tally {
  public:
    void add(const Operation& operation);

    const PosixRecord& record() const { return record_; }
    // Threads of which it keeps where they were, each in memory of its own.
    std::size_t threads() const { return threads_.size(); }

  private:
    // Where a thread was last, in one direction; as the recorder has it, each thread follows itself alone.
    struct Place {
        bool any = false;
        std::uint64_t end = 0, gap = 0;
    };
    struct OfThread {
        std::uint64_t tid = 0;
        Place place[2];
        int last_direction = -1;
    };

    OfThread& of(std::uint64_t tid);
    void add_transfer(const Operation& operation, bool write);
    void add_place(const Operation& operation, bool write, Place& place);

    PosixRecord record_;
    std::vector<OfThread> threads_;
};

}  // namespace fathom::strace
