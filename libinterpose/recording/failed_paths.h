// Calls by path that failed: counted together, and by the paths that they failed on most; and how long
// threads slept before they asked for the same path again.
#pragma once

#include "libinterpose/recording/session.h"
#include "libinterpose/recording/timings.h"

namespace fathom {

// A call on this path failed, and errno says why; `folder`: what a relative one is below. Not counted where
// the path is excluded, or where nothing was there that the kernel could read.
void count_failed_call(int folder, const char* path, Interval when);

// The last call of this thread that failed by a path, and how long it slept since.
struct Polled {
    std::uint64_t id = 0;  // of the path; 0: none
    std::uint64_t end = 0, slept = 0;  // ticks
    std::uint64_t epoch = 0;
    bool absent = false;      // the call failed since nothing was there
    std::int64_t asleep = 0;  // when the first sleep began, by the wall clock

    // No other call was counted since.
    bool is_last() const
    {
        return id != 0 && epoch == here.epoch && epoch == guard.epoch.load(std::memory_order_relaxed) &&
               here.thread->burst[0].end == end;
    }
};
extern thread_local constinit Polled polled __attribute__((tls_model("initial-exec"), visibility("hidden")));

// A call by a path was made, and is not counted yet.
void note_asked_again(int folder, const char* path, bool failed);
inline void note_asked(int folder, const char* path, bool failed)
{
    if (__builtin_expect(polled.slept != 0, 0)) note_asked_again(folder, path, failed);
}

// The same of a lock on this file that somebody else has: asked for, and not given. It is counted already.
void note_refused_lock(const NameChunk& file, Interval when);
// …and asked for again; not counted yet.
void note_lock_asked_again(const NameChunk& file, bool refused);

}  // namespace fathom
