// Looks for the dead in lists of chunks.
#include "libinterpose/recording/ownership.h"

#include "libinterpose/recording/session.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

template <class Chunk>
Chunk* claim(std::uint32_t first, std::atomic<std::uint32_t> Chunk::*owner, std::uint32_t thread)
{
    std::uint32_t length = 0;
    for (auto* chunk = arena.at<Chunk>(first); chunk != nullptr; chunk = arena.at<Chunk>(chunk->next)) {
        if ((chunk->*owner).load(std::memory_order_relaxed) == thread) return chunk;
        ++length;
    }
    if (length == 0) return nullptr;
    // Each look costs a system call, so there are only a few. Threads are numbered one after the other: each
    // begins where the one before it ended, or many would look at the same few that live and none at the dead
    // behind them.
    constexpr std::uint32_t most_looks = 16;
    auto* chunk = arena.at<Chunk>(first);
    for (std::uint32_t skipped = thread * most_looks % length; skipped > 0; --skipped)
        chunk = arena.at<Chunk>(chunk->next);
    for (std::uint32_t looks = 0; looks < most_looks && looks < length; ++looks) {
        std::uint32_t before = (chunk->*owner).load(std::memory_order_relaxed);
        if (!sys::thread_lives(static_cast<long>(arena.header().pid), before) &&
            (chunk->*owner).compare_exchange_strong(before, thread, std::memory_order_acq_rel)) {
            acquire_places();
            return chunk;
        }
        chunk = arena.at<Chunk>(chunk->next != 0 ? chunk->next : first);
    }
    return nullptr;
}

}  // namespace

void acquire_places()
{
    for (auto* place = arena.at<ThreadChunk>(arena.header().threads.load(std::memory_order_acquire));
         place != nullptr; place = arena.at<ThreadChunk>(place->next))
        place->tid.load(std::memory_order_acquire);
}

ThreadChunk* claim_place(std::uint32_t first, std::uint32_t thread)
{
    return claim(first, &ThreadChunk::tid, thread);
}

CountersChunk* claim_counters(std::uint32_t first, std::uint32_t thread)
{
    return claim(first, &CountersChunk::owner, thread);
}

}  // namespace fathom
