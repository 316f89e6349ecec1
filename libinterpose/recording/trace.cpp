// Keeps the three streams of a thread's trace in chunks, within the bound that the user set.
#include "libinterpose/recording/trace.h"

#include "libinterpose/recording/settings.h"
#include "logformat/trace/trace_code.h"

namespace fathom {
namespace {

constexpr std::size_t what_bytes = 4000, times_bytes = 16000;

// A signal handler may come in between any two of a thread's own stores, and the process may be killed there.
void in_this_order()
{
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

template <class Chunk>
Chunk* new_chunk(ChunkKind kind, std::size_t extra = 0)
{
    return arena.allocate<Chunk>(kind, {}, extra, Arena::Room::trace);
}

// The newest chunk of a stream, made the first one or linked to the one before it.
template <class Chunk>
bool go_on_with(Chunk* chunk, std::uint32_t& first, std::uint32_t& newest)
{
    if (chunk == nullptr) return false;
    Arena::publish(chunk->header);
    const std::uint32_t at = arena.offset_of(chunk);
    if (newest == 0)
        first = at;
    else
        arena.at<Chunk>(newest)->next = at;
    newest = at;
    return true;
}

std::uint32_t bytes_used(const TraceBytesChunk& chunk)
{
    return static_cast<std::uint32_t>(chunk.used.load(std::memory_order_relaxed));
}

// Each of these gives a stream room for the next operation, whatever that will be. False: there is none.

bool add_what(TraceChunk& trace)
{
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, what_bytes), trace.first_what,
                      trace.what);
}

bool add_times(TraceChunk& trace)
{
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, times_bytes), trace.first_times,
                      trace.times);
}

bool add_places(TraceChunk& trace)
{
    return go_on_with(new_chunk<TracePlacesChunk>(ChunkKind::trace_places), trace.first_places, trace.places);
}

bool make_room_for_what(TraceChunk& trace, TraceBytesChunk& what)
{
    if (bytes_used(what) + most_what_bytes <= what_bytes) return true;
    what.operations = trace.operations - trace.before_piece;
    trace.before_piece = trace.operations;
    return add_what(trace);
}

bool is_rank_traced()
{
    const RankList& ranks = settings().trace_ranks;
    return ranks.empty() || (arena.header().rank >= 0 && ranks.has(arena.header().rank));
}

// This thread's trace, or nullptr: there is no room for one.
TraceChunk* begin_trace(ThreadChunk& thread)
{
    auto* const trace = new_chunk<TraceChunk>(ChunkKind::trace);
    if (trace == nullptr || !add_what(*trace) || !add_times(*trace) || !add_places(*trace)) return nullptr;
    trace->tid = thread.tid.load(std::memory_order_relaxed);
    Arena::publish(trace->header);
    thread.trace = arena.offset_of(trace);
    return trace;
}

// False: there is no room for another place.
bool keep_place(TraceChunk& trace, const TracedOperation& operation)
{
    auto& places = arena.known_at<TracePlacesChunk>(trace.places);
    const std::uint32_t at = places.used.load(std::memory_order_relaxed);
    places.entry[at] = {static_cast<std::uint32_t>(operation.file), operation.offset};
    places.used.store(at + 1, std::memory_order_release);
    return at + 1 < TracePlacesChunk::most || add_places(trace);
}

// False: this is the last one that there is room for.
bool add(TraceChunk& trace, const TracedOperation& operation)
{
    auto& what = arena.known_at<TraceBytesChunk>(trace.what);
    auto& times = arena.known_at<TraceBytesChunk>(trace.times);
    const std::uint64_t both = what.used.load(std::memory_order_relaxed);
    const auto what_used = static_cast<std::uint32_t>(both);
    auto run = static_cast<std::uint32_t>(both >> 32);
    const std::uint32_t times_used = bytes_used(times);
    const Coded coded = encode(trace.model, operation, run, what.bytes + what_used, times.bytes + times_used);
    const std::uint32_t times_end = times_used + coded.times_bytes;
    in_this_order();
    times.used.store(times_end, std::memory_order_release);
    bool room = true;
    if (coded.place) room = keep_place(trace, operation);
    what.used.store(std::uint64_t{run} << 32 | (what_used + coded.what_bytes), std::memory_order_release);
    ++trace.operations;
    if (coded.what_bytes != 0) room = make_room_for_what(trace, what) && room;
    if (__builtin_expect(times_end + most_times_bytes > times_bytes, 0)) room = add_times(trace) && room;
    return room;
}

void count_untraced(std::uint64_t operations)
{
    arena.header().untraced.fetch_add(operations, std::memory_order_relaxed);
}

// False: there is no room for more.
bool encode_waiting(TraceChunk& trace)
{
    trace.state = TraceChunk::encoding;
    in_this_order();
    bool room = true;
    std::uint32_t at = 0;
    while (room && at < trace.waiting) room = add(trace, trace.operation[at++]);
    count_untraced(trace.waiting - at);
    trace.waiting = 0;
    return room;
}

}  // namespace

void trace(const CountersChunk& at, Kind kind, std::uint64_t n, std::uint64_t offset, Interval when)
{
    ThreadChunk& thread = *here.thread;
    TraceChunk* trace = arena.at<TraceChunk>(thread.trace);
    if (__builtin_expect(trace == nullptr, 0)) {
        if (!is_rank_traced()) return;
        trace = begin_trace(thread);
    }
    if (__builtin_expect(trace == nullptr || trace->state != TraceChunk::ready, 0)) return count_untraced(1);
    trace->state = TraceChunk::busy;
    in_this_order();
    const std::uint32_t place = trace->waiting;
    trace->operation[place] = {at.name, at.header.layer, kind, offset, n, when.start, when.end};
    in_this_order();
    trace->waiting = place + 1;
    const bool room = trace->waiting < TraceChunk::most_waiting || encode_waiting(*trace);
    in_this_order();
    trace->state = room ? TraceChunk::ready : TraceChunk::full;
}

bool is_traced(const NameChunk& file)
{
    const Settings& user = settings();
    if (!user.traces()) return false;
    return user.trace_files.empty() || user.trace_files.match({file.path, file.length});
}

}  // namespace fathom
