// The rare parts of counting: new counters, new bursts.
#include "libinterpose/recording/recorder.h"

#include <algorithm>
#include <atomic>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/files.h"
#include "libinterpose/recording/further_files.h"
#include "libinterpose/recording/settings.h"

namespace fathom {
namespace {

thread_local constinit std::uint64_t no_room_epoch __attribute__((tls_model("initial-exec"))) = 0;
thread_local constinit std::uint32_t no_room_calls __attribute__((tls_model("initial-exec"))) = 0;

template <class Counters>
CountersChunk* new_counters(Arena::Room room)
{
    if constexpr (!std::is_same_v<Counters, MpiioCounters>)
        if (room == Arena::Room::temporary)
            return arena.allocate<TemporaryOf<Counters>>(ChunkKind::counters, layer_of<Counters>(), 0, room);
    return arena.allocate<CountersOf<Counters>>(ChunkKind::counters, layer_of<Counters>(), 0, room);
}

CountersChunk* new_counters(Layer layer, Arena::Room room)
{
    switch (layer) {
        case Layer::posix:
            return new_counters<PosixCounters>(room);
        case Layer::stdio:
            return new_counters<StdioCounters>(room);
        case Layer::mpiio:
            return new_counters<MpiioCounters>(room);
    }
    return nullptr;
}

// The counters in a file's chain that are this thread's, or were a dead thread's.
CountersChunk* find_mine(NameChunk& file, Layer layer)
{
    return claim_counters(file.counters[static_cast<std::size_t>(layer)].load(std::memory_order_acquire),
                          here.thread->tid.load(std::memory_order_relaxed));
}

CountersChunk* add_counters(NameChunk& file, Layer layer, Arena::Room room)
{
    CountersChunk* const chunk = new_counters(layer, room);
    if (chunk == nullptr) return nullptr;
    // Measured when it begins to matter: many programs count nothing.
    const std::atomic_ref cost(arena.header().clock_cost);
    if (cost.load(std::memory_order_relaxed) == 0 && !clock_is_stopped())
        cost.store(clock_cost(), std::memory_order_relaxed);
    chunk->name = arena.offset_of(&file);
    chunk->file_bytes =
        file.kind == NameKind::stream || file.kind == NameKind::device ? 0 : ~std::uint64_t{0};
    chunk->timing_place = static_cast<std::uint8_t>(timing_place(layer, chunk->file_bytes == 0));
    chunk->first_histogram = static_cast<std::uint16_t>(chunk->timing_place * histogram_count);
    chunk->timed = static_cast<std::uint8_t>((settings().timings ? timings::in_slices : 0) |
                                             (is_traced(file) ? timings::in_trace : 0));
    if (layer == Layer::posix && file.alignment != 0) {
        chunk->offset_mask = file.alignment - 1;
        static_cast<CountersOf<PosixCounters>*>(chunk)->counters.file_alignment = file.alignment;
    }
    chunk->owner.store(here.thread->tid.load(std::memory_order_relaxed), std::memory_order_relaxed);
    Arena::publish(chunk->header);
    auto& head = file.counters[static_cast<std::size_t>(layer)];
    std::uint32_t first = head.load(std::memory_order_relaxed);
    do chunk->next = first;
    while (!head.compare_exchange_weak(first, arena.offset_of(chunk), std::memory_order_acq_rel));
    return chunk;
}

CountersChunk* mine_or_new(NameChunk& file, Layer layer, Arena::Room room)
{
    CountersChunk* const known = find_mine(file, layer);
    return known != nullptr ? known : add_counters(file, layer, room);
}

}  // namespace

CountersChunk* counters_if_room(NameChunk*& file, Layer layer)
{
    // Once a thread has found no room at all, it looks again only now and then.
    constexpr std::uint32_t patience = 1024;
    if (no_room_epoch == here.epoch && ++no_room_calls % patience != 0) return nullptr;
    if (file->epoch != here.epoch) file = file_again(*file);
    if (file != nullptr) {
        const bool stands_for_several = file->kind == NameKind::overflow ||
                                        file->kind == NameKind::unopened || file->kind == NameKind::by_path;
        const bool may_be_temporary = file->temporary.load(std::memory_order_relaxed) != 0;
        if (CountersChunk* const own = mine_or_new(*file, layer,
                                                   stands_for_several ? Arena::Room::reserve
                                                   : may_be_temporary ? Arena::Room::temporary
                                                                      : Arena::Room::ordinary))
            return own;
        if (file->kind != NameKind::stream)
            file = stands_for_several ? nullptr : further_file({file->path, file->length}, file->id);
    }
    if (file != nullptr)
        if (CountersChunk* const own = mine_or_new(*file, layer, Arena::Room::reserve)) return own;
    no_room_epoch = here.epoch;
    return nullptr;
}

CountersChunk* counters_slowly(NameChunk*& file, Layer layer)
{
    CountersChunk* const found = counters_if_room(file, layer);
    if (found == nullptr) missed();
    return found;
}

namespace {

// In steps, since the process may be killed after any of them: a stretch without an end is none.
void set(ThreadChunk::Stretch& stretch, Interval when, std::uint64_t bytes)
{
    const auto end = std::atomic_ref(stretch.end);
    end.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    stretch.start = when.start;
    stretch.bytes = bytes;
    end.store(when.end, std::memory_order_release);
}

// When all are in use, those that lie closest become one: pauses must now be twice as long to count. The
// first is the one under way, and those behind it stay as they are: they show who does I/O after whom.
void make_room(ThreadChunk& thread)
{
    while (thread.bursts >= ThreadChunk::most_bursts) {
        thread.gap *= 2;
        constexpr std::uint32_t next = first_bursts + 2;
        std::uint32_t kept = next;
        for (std::uint32_t at = next; at < thread.bursts; ++at) {
            if (thread.burst[at].start <= thread.burst[kept - 1].end + thread.gap) {
                if (thread.burst[at].end > thread.burst[kept - 1].end)
                    thread.burst[kept - 1].end = thread.burst[at].end;
                thread.burst[kept - 1].bytes += thread.burst[at].bytes;
            } else {
                thread.burst[kept++] = thread.burst[at];
            }
        }
        thread.bursts = kept;
    }
}

}  // namespace

void note_new_burst(Interval when, std::uint64_t bytes)
{
    ThreadChunk& thread = *here.thread;
    std::uint64_t none = 0;
    if (thread.burst[0].end == 0)
        arena.header().first_ticks.compare_exchange_strong(none, when.start, std::memory_order_relaxed);
    // One that moved nothing, as where MPI_Init looks at its own files, is no burst for the log.
    if (thread.burst[0].end != 0 && thread.burst[0].bytes != 0) {
        make_room(thread);
        // A signal handler that came in between may have filled the room that was just made.
        const std::uint32_t at = std::min(thread.bursts, ThreadChunk::most_bursts - 1);
        const ThreadChunk::Stretch before = thread.burst[0];
        set(thread.burst[at], {before.start, before.end}, before.bytes);
        std::atomic_ref(thread.bursts).store(at + 1, std::memory_order_release);
    }
    set(thread.burst[0], when, bytes);
}

template <class Counters>
void count_unopened(Interval when)
{
    if (!enter()) return;
    NameChunk* nothing = unopened_file();
    if (nothing == nullptr) return;
    if (auto* const at = counters_of<Counters>(nothing)) count_failure(*at, &Transfers::metadata_time, when);
}
template void count_unopened<PosixCounters>(Interval);
template void count_unopened<MpiioCounters>(Interval);

}  // namespace fathom
