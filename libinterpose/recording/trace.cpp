// Keeps the three streams of a thread's trace in chunks, within the bound that the user set.
#include "libinterpose/recording/trace.h"

#include "libinterpose/recording/settings.h"
#include "logformat/trace_code.h"

namespace fathom {
namespace {

constexpr std::size_t what_bytes = 4000, times_bytes = 16000;
constexpr std::size_t most_run_bytes = 8;

// A signal handler may come in between any two of a thread's own stores, and the process may be killed there.
void in_this_order()
{
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

template <class Chunk>
Chunk* new_chunk(ChunkKind kind, std::size_t extra = 0)
{
    PartHeader& header = arena.header();
    const std::size_t bytes = sizeof(Chunk) + extra;
    if (header.trace_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes > header.trace_room)
        return nullptr;
    return arena.allocate<Chunk>(kind, {}, extra);
}

// The newest chunk of a stream, made the first one or linked to the one before it.
template <class Chunk>
Chunk* go_on_with(Chunk* chunk, std::uint32_t& first, std::uint32_t& newest)
{
    if (chunk == nullptr) return nullptr;
    Arena::publish(chunk->header);
    const std::uint32_t at = arena.offset_of(chunk);
    if (newest == 0)
        first = at;
    else
        arena.at<Chunk>(newest)->next = at;
    newest = at;
    return chunk;
}

std::uint32_t bytes_used(const TraceBytesChunk& chunk)
{
    return static_cast<std::uint32_t>(chunk.used.load(std::memory_order_relaxed));
}

TraceBytesChunk* what_with_room(TraceChunk& trace)
{
    auto* const chunk = arena.at<TraceBytesChunk>(trace.what);
    if (chunk != nullptr) {
        const std::uint64_t both = chunk->used.load(std::memory_order_relaxed);
        const auto used = static_cast<std::uint32_t>(both), run = static_cast<std::uint32_t>(both >> 32);
        if (used + most_what_bytes + most_run_bytes <= what_bytes) return chunk;
        chunk->used.store(used + end_run(run, chunk->bytes + used), std::memory_order_release);
        chunk->operations = trace.operations - trace.before_piece;
        trace.before_piece = trace.operations;
    }
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, what_bytes), trace.first_what,
                      trace.what);
}

TraceBytesChunk* times_with_room(TraceChunk& trace)
{
    auto* const chunk = arena.at<TraceBytesChunk>(trace.times);
    if (chunk != nullptr && bytes_used(*chunk) + most_times_bytes <= times_bytes) return chunk;
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, times_bytes), trace.first_times,
                      trace.times);
}

TracePlacesChunk* places_with_room(TraceChunk& trace)
{
    auto* const chunk = arena.at<TracePlacesChunk>(trace.places);
    if (chunk != nullptr && chunk->used.load(std::memory_order_relaxed) < TracePlacesChunk::most)
        return chunk;
    return go_on_with(new_chunk<TracePlacesChunk>(ChunkKind::trace_places), trace.first_places, trace.places);
}

bool is_rank_traced()
{
    const RankList& ranks = settings().trace_ranks;
    return ranks.empty() || (arena.header().rank >= 0 && ranks.has(arena.header().rank));
}

TraceChunk* trace_of(ThreadChunk& thread)
{
    if (thread.trace != 0) return arena.at<TraceChunk>(thread.trace);
    auto* const trace = new_chunk<TraceChunk>(ChunkKind::trace);
    if (trace == nullptr) return nullptr;
    trace->thread = arena.offset_of(&thread);
    Arena::publish(trace->header);
    thread.trace = arena.offset_of(trace);
    return trace;
}

void add(TraceChunk& trace, const TracedOperation& operation)
{
    TraceBytesChunk* const what = what_with_room(trace);
    TraceBytesChunk* const times = what == nullptr ? nullptr : times_with_room(trace);
    TracePlacesChunk* const places = times == nullptr ? nullptr : places_with_room(trace);
    if (places == nullptr) {
        trace.is_full.store(true, std::memory_order_relaxed);
        return;
    }
    const std::uint64_t both = what->used.load(std::memory_order_relaxed);
    const auto what_used = static_cast<std::uint32_t>(both);
    auto run = static_cast<std::uint32_t>(both >> 32);
    const std::uint32_t times_used = bytes_used(*times);
    const Coded coded =
        encode(trace.model, operation, run, what->bytes + what_used, times->bytes + times_used);
    in_this_order();
    times->used.store(times_used + coded.times_bytes, std::memory_order_release);
    if (coded.place) {
        const std::uint32_t at = places->used.load(std::memory_order_relaxed);
        places->entry[at] = {static_cast<std::uint32_t>(operation.file), operation.offset};
        places->used.store(at + 1, std::memory_order_release);
    }
    what->used.store(std::uint64_t{run} << 32 | (what_used + coded.what_bytes), std::memory_order_release);
    ++trace.operations;
}

}  // namespace

void trace(const CountersChunk& at, Kind kind, std::uint64_t n, std::uint64_t offset, Interval when)
{
    ThreadChunk& thread = *here.thread;
    if (thread.trace == 0 && !is_rank_traced()) return;
    TraceChunk* const trace = trace_of(thread);
    if (trace == nullptr || trace->is_full.load(std::memory_order_relaxed) ||
        trace->busy.load(std::memory_order_relaxed)) {
        arena.header().untraced.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    trace->busy.store(true, std::memory_order_relaxed);
    in_this_order();
    add(*trace, {at.name, at.header.layer, kind, offset, n, when.start, when.end});
    if (trace->is_full.load(std::memory_order_relaxed))
        arena.header().untraced.fetch_add(1, std::memory_order_relaxed);
    in_this_order();
    trace->busy.store(false, std::memory_order_relaxed);
}

bool is_traced(const NameChunk& file)
{
    const Settings& user = settings();
    if (!user.traces()) return false;
    return user.trace_files.empty() || user.trace_files.match({file.path, file.length});
}

}  // namespace fathom
