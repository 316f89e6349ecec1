// The loop that is measured: one access after the other, each between two readings of the clock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/timing/measure/axes.h"

namespace fathom::measure {

// An access: where it lies, which is known before the loop begins, and when it was, in nanoseconds.
struct Sample {
    std::uint64_t offset = 0, memory = 0;
    std::uint64_t start = 0, duration = 0;
};

// What happens before an access, outside of its time, or with it.
enum class Manner : std::uint8_t { plain, dropped_before, synced };

struct Loop {
    int file = -1;
    Operation operation = Operation::read;
    Manner manner = Manner::plain;
    std::size_t size = 0;
    std::byte* buffer = nullptr;
    std::uint64_t longest = 0;  // nanoseconds after which it ends, 0: never
    std::size_t least = 0;      // accesses that are made even so
};

struct LoopEnd {
    std::size_t done = 0;
    // The access that ended it: what it returned instead of the size, and errno.
    bool failed = false;
    long returned = 0;
    int error = 0;
};

// Makes the accesses of `samples`, and fills in their times. Between two readings of the clock there is one
// system call and nothing else; in the whole loop there is no allocation, no lock, and no page that was not
// touched before, if `samples` and the buffer were.
LoopEnd run_loop(const Loop& loop, std::span<Sample> samples, const std::atomic<bool>& stop);

}  // namespace fathom::measure
