// The recording of this process: which part is in use, and this thread's place in it. A forked child, and a
// process that goes on after MPI_Finalize, begin a new part at their next recorded call.
#pragma once

#include <atomic>
#include <cstdint>

#include "libinterpose/recording/arena.h"
#include "libinterpose/system/vfork.h"

namespace fathom {

// Fills a page that the kernel empties in a forked child, so that a child knows at once that its part is its
// parent's.
struct alignas(4096) Guard {
    enum State : std::uint32_t { none, building, ready, off };
    std::atomic<std::uint64_t> epoch{0};  // of the part in use; never used twice; 0: there is none
    std::atomic<std::uint32_t> state{none};
    std::atomic<std::uint32_t> builder{0};  // the thread that makes the part
    std::atomic<bool> seen{false};          // this process has looked at it
    std::atomic<long> process{0};           // whose part it is
    std::atomic<std::uint64_t> streams{0};  // changes when what threads remember of streams is out of date
};

// (Said to be hidden, what is declared here is reached without a detour.)
extern Guard guard __asm__("fathom_guard") __attribute__((visibility("hidden")));
extern Arena arena __attribute__((visibility("hidden")));  // the part in use

// This thread's place in a part, valid while its epoch is the guard's.
struct Place {
    ThreadChunk* thread = nullptr;
    std::uint64_t epoch = ~std::uint64_t{0};  // one that no part has
};
extern thread_local constinit Place here __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Gives this thread a place in a current part, which it makes where there is none. False: nothing can be
// recorded now.
bool enter_slowly();

// The process ends: writes its own log, where it is to leave one.
void leave();

inline bool enter()
{
    if (__builtin_expect(here.epoch == guard.epoch.load(std::memory_order_relaxed), 1)) return true;
    return enter_slowly();
}

// This process forbids itself system calls or the clock (confinement.h): nothing new can be begun.
bool is_confined();
// Its id, also then.
long this_process();
// True in the process that began the part in use, or the one that MPI_Finalize has spent; false in children.
bool is_own_part();

// What threads remember of streams is out of date (stream_runs.h).
void forget_streams();

// Calls that could not be counted.
void missed(std::uint64_t calls = 1);

// Stops recording: hooks only forward. Returns the epoch to go on with.
std::uint64_t pause_recording();
// Goes on with the part of that epoch; 0: the next recorded call begins a new one.
void resume_recording(std::uint64_t epoch);

}  // namespace fathom
