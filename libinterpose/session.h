// The recording of this process: which part is in use, and this thread's place in it. A forked child, and a
// process that goes on after MPI_Finalize, begin a new part at their next recorded call.
#pragma once

#include <atomic>
#include <cstdint>

#include "libinterpose/arena.h"

namespace fathom {

// Lives on a page that the kernel empties in a forked child, so that a child knows at once that its part is
// its parent's.
struct Guard {
    enum State : std::uint32_t { none, building, ready, off };
    std::atomic<std::uint64_t> epoch{0};  // of the part in use; never used twice; 0: there is none
    std::atomic<std::uint32_t> state{none};
};

extern std::atomic<Guard*> guard;
extern Arena arena;  // the part in use

// This thread's place, valid while my_epoch is the guard's.
extern thread_local constinit ThreadChunk* me __attribute__((tls_model("initial-exec")));
extern thread_local constinit std::uint64_t my_epoch __attribute__((tls_model("initial-exec")));

// Gives this thread a place in a current part, which it makes where there is none. False: nothing can be
// recorded now.
bool enter_slowly();

inline bool enter()
{
    if (__builtin_expect(
            my_epoch == guard.load(std::memory_order_relaxed)->epoch.load(std::memory_order_relaxed) &&
                my_epoch != 0,
            1))
        return true;
    return enter_slowly();
}

// True in a child of vfork, which shares its parent's memory but not its descriptors.
bool in_borrowed_memory();

// A call that could not be counted.
void missed();

// Stops recording: hooks only forward. Returns the epoch to go on with.
std::uint64_t pause_recording();
// Goes on with the part of that epoch; 0: the next recorded call begins a new one.
void resume_recording(std::uint64_t epoch);

}  // namespace fathom
