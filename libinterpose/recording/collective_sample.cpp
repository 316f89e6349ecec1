// Finds the thread's sample.
#include "libinterpose/recording/collective_sample.h"

#include "libinterpose/recording/thread_chunk.h"
#include "libinterpose/recording/world.h"

namespace fathom {

void sample_collective(const SampledCollective& one)
{
    if (auto* const chunk = chunk_of_thread<CollectivesChunk>(
            here.thread->collectives, arena.header().collectives, ChunkKind::collectives))
        chunk->sample.add(one, CollectiveSample::room(world.size));
}

}  // namespace fathom
