// Memory that one thread at a time writes to with plain stores: its place, and its counters of each file. A
// thread that died leaves both to those that come after it.
//
// That a thread is dead is the kernel's word, which in C++ says nothing about what that thread wrote. So each
// counted call ends with a release of its place (an ordinary store on x86), and whoever takes something over
// acquires all places: those of dead threads, and those that others took over from them in turn.
#pragma once

#include <cstdint>

#include "logformat/part/part.h"

namespace fathom {

inline void release_place(ThreadChunk& mine)
{
    mine.tid.store(mine.tid.load(std::memory_order_relaxed), std::memory_order_release);
}
void acquire_places();

// The chunk in a list that is this thread's, or was a dead one's; nullptr where there is none.
ThreadChunk* claim_place(std::uint32_t first, std::uint32_t thread);
CountersChunk* claim_counters(std::uint32_t first, std::uint32_t thread);

}  // namespace fathom
