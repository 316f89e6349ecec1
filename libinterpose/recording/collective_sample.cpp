// Makes the sample when a thread makes its first collective call.
#include "libinterpose/recording/collective_sample.h"

#include "libinterpose/recording/session.h"
#include "libinterpose/recording/world.h"

namespace fathom {
namespace {

// Where there is no room for it, nothing is tried again.
CollectiveSample* new_sample(ThreadChunk& thread)
{
    thread.collectives = CollectivesChunk::no_room;
    if (arena.header().collectives.fetch_add(1, std::memory_order_relaxed) >= CollectivesChunk::most)
        return nullptr;
    auto* const chunk = arena.allocate<CollectivesChunk>(ChunkKind::collectives);
    if (chunk == nullptr) return nullptr;
    Arena::publish(chunk->header);
    thread.collectives = arena.offset_of(chunk);
    return &chunk->sample;
}

CollectiveSample* sample_of(ThreadChunk& thread)
{
    if (thread.collectives == 0) return new_sample(thread);
    return thread.collectives == CollectivesChunk::no_room
               ? nullptr
               : &arena.known_at<CollectivesChunk>(thread.collectives).sample;
}

}  // namespace

void sample_collective(const SampledCollective& one)
{
    if (CollectiveSample* const sample = sample_of(*here.thread))
        sample->add(one, CollectiveSample::room(world.size));
}

}  // namespace fathom
