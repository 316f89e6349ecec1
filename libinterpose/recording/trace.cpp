// Keeps the three streams of a thread's trace in chunks, within the bound that the user set.
#include "libinterpose/recording/trace.h"

#include <algorithm>

#include "libinterpose/recording/settings.h"
#include "logformat/trace/trace_code.h"

namespace fathom {
namespace {

// Chunks of a stream: the first one is small, since a thread may do little, and each has twice the room of
// the one before it, up to a limit.
constexpr std::uint32_t first_what_bytes = 96, most_what_room = 4000;
constexpr std::uint32_t first_times_bytes = 96, most_times_room = 16000;
constexpr std::uint32_t first_place_entries = 6, most_place_entries = 64;

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

template <class Chunk>
std::uint32_t next_room(std::uint32_t newest, std::uint32_t first, std::uint32_t most)
{
    return newest == 0 ? first : std::min(2 * room_in(arena.known_at<Chunk>(newest)), most);
}

// Each of these gives a stream room for the next operation, whatever that will be. False: there is none.

bool add_what(TraceChunk& trace)
{
    const std::uint32_t room = next_room<TraceBytesChunk>(trace.what, first_what_bytes, most_what_room);
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, room), trace.first_what, trace.what);
}

bool add_times(TraceChunk& trace)
{
    const std::uint32_t room = next_room<TraceBytesChunk>(trace.times, first_times_bytes, most_times_room);
    return go_on_with(new_chunk<TraceBytesChunk>(ChunkKind::trace_bytes, room), trace.first_times,
                      trace.times);
}

bool add_places(TraceChunk& trace)
{
    const std::uint32_t room =
        next_room<TracePlacesChunk>(trace.places, first_place_entries, most_place_entries);
    return go_on_with(
        new_chunk<TracePlacesChunk>(ChunkKind::trace_places, room * sizeof(TracePlacesChunk::Entry)),
        trace.first_places, trace.places);
}

bool make_room_for_what(TraceChunk& trace, TraceBytesChunk& what)
{
    if (bytes_used(what) + most_what_bytes <= room_in(what)) return true;
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
    auto* work = arena.at<TraceWork>(thread.trace_work);
    if (work == nullptr) {
        if ((work = new_chunk<TraceWork>(ChunkKind::trace_work)) == nullptr) return nullptr;
        Arena::publish(work->header);
        thread.trace_work = arena.offset_of(work);
    }
    auto* const trace = new_chunk<TraceChunk>(ChunkKind::trace);
    if (trace == nullptr || !add_what(*trace) || !add_times(*trace) || !add_places(*trace)) return nullptr;
    trace->tid = thread.tid.load(std::memory_order_relaxed);
    trace->work = thread.trace_work;
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
    return at + 1 < room_in(places) || add_places(trace);
}

// False: this is the last one that there is room for.
bool add(TraceChunk& trace, TraceModel& model, const TracedOperation& operation)
{
    auto& what = arena.known_at<TraceBytesChunk>(trace.what);
    auto& times = arena.known_at<TraceBytesChunk>(trace.times);
    const std::uint64_t both = what.used.load(std::memory_order_relaxed);
    const auto what_used = static_cast<std::uint32_t>(both);
    auto run = static_cast<std::uint32_t>(both >> 32);
    const std::uint32_t times_used = bytes_used(times);
    const Coded coded = encode(model, operation, run, what.bytes + what_used, times.bytes + times_used);
    const std::uint32_t times_end = times_used + coded.times_bytes;
    in_this_order();
    times.used.store(times_end, std::memory_order_release);
    bool room = true;
    if (coded.place) room = keep_place(trace, operation);
    what.used.store(std::uint64_t{run} << 32 | (what_used + coded.what_bytes), std::memory_order_release);
    ++trace.operations;
    if (coded.what_bytes != 0) room = make_room_for_what(trace, what) && room;
    if (__builtin_expect(times_end + most_times_bytes > room_in(times), 0)) room = add_times(trace) && room;
    return room;
}

void count_untraced(std::uint64_t operations)
{
    arena.header().untraced.fetch_add(operations, std::memory_order_relaxed);
}

// False: there is no room for more.
bool encode_waiting(TraceChunk& trace, TraceWork& work)
{
    trace.state = TraceChunk::encoding;
    in_this_order();
    bool room = true;
    std::uint32_t at = 0;
    while (room && at < work.waiting) room = add(trace, work.model, work.operation[at++]);
    count_untraced(work.waiting - at);
    work.waiting = 0;
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
    auto& work = arena.known_at<TraceWork>(trace->work);
    const std::uint32_t place = work.waiting;
    work.operation[place] = {at.name, at.header.layer, kind, offset, n, when.start, when.end};
    in_this_order();
    work.waiting = place + 1;
    const bool room = work.waiting < TraceWork::most_waiting || encode_waiting(*trace, work);
    in_this_order();
    trace->state = room ? TraceChunk::ready : TraceChunk::full;
}

void finish_trace_of_dead(ThreadChunk& thread)
{
    auto* const trace = arena.at<TraceChunk>(thread.trace);
    thread.trace = 0;  // a trace is of one thread
    if (trace == nullptr) return;
    auto& work = arena.known_at<TraceWork>(trace->work);
    // One that ended in the middle of an operation (it was cancelled) needs its own to be read.
    if (trace->state != TraceChunk::ready && trace->state != TraceChunk::full) {
        thread.trace_work = 0;
        return;
    }
    encode_waiting(*trace, work);
    trace->origin = work.model.origin;
    in_this_order();
    trace->work = 0;
    trace->state = TraceChunk::full;
    in_this_order();
    work.model = {};
}

bool is_traced(const NameChunk& file)
{
    const Settings& user = settings();
    if (!user.traces()) return false;
    return user.trace_files.empty() || user.trace_files.match({file.path, file.length});
}

}  // namespace fathom
