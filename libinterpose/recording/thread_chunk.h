// Chunks that a thread makes for itself when it first needs one, as long as the part has few of them.
#pragma once

#include <atomic>
#include <cstdint>

#include "libinterpose/recording/session.h"

namespace fathom {

// `place`: where the thread's chunk lies, 0 at first; `made`: how many threads of the part asked for one.
// nullptr: there is no room for it, and nothing is tried again.
template <class Chunk>
Chunk* chunk_of_thread(std::uint32_t& place, std::atomic<std::uint32_t>& made, ChunkKind kind)
{
    if (__builtin_expect(place == 0, 0)) {
        place = Chunk::no_room;
        if (made.fetch_add(1, std::memory_order_relaxed) >= Chunk::most) return nullptr;
        auto* const chunk = arena.allocate<Chunk>(kind);
        if (chunk == nullptr) return nullptr;
        Arena::publish(chunk->header);
        place = arena.offset_of(chunk);
    }
    return place == Chunk::no_room ? nullptr : &arena.known_at<Chunk>(place);
}

}  // namespace fathom
