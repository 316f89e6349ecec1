// Walks the three streams of each thread's trace.
#include "logformat/part/part_trace.h"

#include <algorithm>

#include "logformat/trace/trace_code.h"

namespace fathom {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view code)
{
    return {reinterpret_cast<const std::uint8_t*>(code.data()), code.size()};
}

}  // namespace

void PartTrace::add(const TraceChunk& trace)
{
    traces_.append_row(&trace);
}

template <class Chunk>
const Chunk* PartTrace::chunk_at(std::uint32_t at, ChunkKind kind) const
{
    if (at == 0 || at % chunk_alignment != 0 || at > part_.size() || part_.size() - at < sizeof(Chunk))
        return nullptr;
    const auto* const chunk = reinterpret_cast<const Chunk*>(part_.data() + at);
    const bool whole = chunk->header.mark.load(std::memory_order_acquire) == chunk_mark &&
                       chunk->header.kind == kind && chunk->header.bytes >= sizeof(Chunk) &&
                       chunk->header.bytes <= part_.size() - at;
    return whole ? chunk : nullptr;
}

template <class Chunk>
const Chunk* PartTrace::follow(std::uint32_t at, ChunkKind kind)
{
    if (chunks_left_ == 0) return nullptr;
    --chunks_left_;
    return chunk_at<Chunk>(at, kind);
}

std::string_view PartTrace::code_of(const TraceBytesChunk& chunk) const
{
    const auto used = static_cast<std::uint32_t>(chunk.used.load(std::memory_order_acquire));
    const std::size_t room = room_in(chunk);
    return {reinterpret_cast<const char*>(chunk.bytes), used < room ? used : room};
}

// What a trace ends with: the run that was not yet written and the operations that waited to be encoded. Its
// codes lie in the buffer of the rows.
struct PartTrace::Tail {
    static constexpr std::size_t most_code = (TraceWork::most_waiting + 1) * most_what_bytes;
    static constexpr std::size_t most_times = TraceWork::most_waiting * most_times_bytes;

    std::uint64_t origin = 0, operations = 0, lost = 0;
    std::string_view code, times;
};

PartTrace::Tail PartTrace::make_tail(const TraceChunk& trace, TracePlace row, PartRows& rows) const
{
    Tail tail;
    const auto* const work = chunk_at<TraceWork>(trace.work, ChunkKind::trace_work);
    tail.origin = work == nullptr ? trace.origin : work->model.origin;
    auto* const code = reinterpret_cast<std::uint8_t*>(rows.runs.room(Tail::most_code + Tail::most_times));
    if (code == nullptr) return tail;
    std::uint32_t run = run_of(trace);
    const std::uint32_t waiting = work == nullptr ? 0 : std::min(work->waiting, TraceWork::most_waiting);
    // Killed in the middle of that, nobody knows any more what the model was at the end of the streams.
    const bool knows = work != nullptr && trace.state != TraceChunk::encoding && work->model.is_sound();
    tail.operations = run + (knows ? waiting : 0);
    // So many of them are in the streams already: only whole lots are encoded.
    const auto encoded = static_cast<std::uint32_t>(trace.operations % TraceWork::most_waiting);
    tail.lost = knows || waiting < encoded ? 0 : waiting - encoded;
    TraceModel model = knows ? work->model : TraceModel{};
    std::uint8_t* const times = code + Tail::most_code;
    std::size_t code_bytes = 0, times_bytes = 0;
    for (std::uint32_t at = 0; knows && at < waiting; ++at) {
        const TracedOperation& operation = work->operation[at];
        const Coded coded = encode(model, operation, run, code + code_bytes, times + times_bytes);
        code_bytes += coded.what_bytes;
        times_bytes += coded.times_bytes;
        if (coded.place)
            append_place(row, static_cast<std::uint32_t>(operation.file), operation.offset, rows);
    }
    code_bytes += end_run(run, code + code_bytes);
    rows.runs.grow(Tail::most_code + Tail::most_times);
    if (knows) tail.origin = model.origin;
    tail.code = {reinterpret_cast<const char*>(code), code_bytes};
    tail.times = {reinterpret_cast<const char*>(times), times_bytes};
    return tail;
}

void PartTrace::make_rows(std::int64_t number, PartRows& rows)
{
    const auto traces = traces_.as<const TraceChunk*>();
    // All at once: rows point to them.
    if (rows.runs.room(traces.size() * (Tail::most_code + Tail::most_times)) == nullptr) return;
    Process& process = *rows.process();
    std::uint64_t thread = 0;
    for (const TraceChunk* const trace : traces) {
        make_places({number, thread, 0, 0}, trace->first_places, rows);
        const Tail tail = make_tail(*trace, {number, thread, 0, 0}, rows);
        process.trace_lost += tail.lost;
        const std::uint64_t operations = trace->operations + (tail.operations - run_of(*trace));
        if (operations == 0) continue;
        process.traced += operations;
        TraceTimes times{number, thread, trace->tid, clock_.instant(tail.origin), clock_.ns_per_tick, {}};
        make_times(times, trace->first_times, rows);
        times.code = tail.times;
        if (!times.code.empty()) rows.trace_times.append_row(times);
        TracePiece piece{number, thread, 0, 0, 0};
        make_pieces(piece, *trace, rows);
        if (!tail.code.empty()) make_piece(piece, tail.code, tail.operations, rows);
        ++thread;
    }
}

// Operations after the newest piece that the model foretold.
std::uint32_t PartTrace::run_of(const TraceChunk& trace) const
{
    const auto* const newest = chunk_at<TraceBytesChunk>(trace.what, ChunkKind::trace_bytes);
    return newest == nullptr ? 0
                             : static_cast<std::uint32_t>(newest->used.load(std::memory_order_acquire) >> 32);
}

void PartTrace::append_place(TracePlace row, std::uint32_t name, std::uint64_t offset, PartRows& rows) const
{
    const auto* const of = chunk_at<NameChunk>(name, ChunkKind::name);
    row.file = of == nullptr ? 0 : of->id;
    row.offset = offset;
    rows.trace_places.append_row(row);
}

void PartTrace::make_places(TracePlace row, std::uint32_t at, PartRows& rows)
{
    for (const auto* chunk = follow<TracePlacesChunk>(at, ChunkKind::trace_places); chunk != nullptr;
         chunk = follow<TracePlacesChunk>(chunk->next, ChunkKind::trace_places)) {
        const std::uint32_t used = chunk->used.load(std::memory_order_acquire);
        for (std::uint32_t place = 0; place < std::min(used, room_in(*chunk)); ++place)
            append_place(row, chunk->entry[place].name, chunk->entry[place].offset, rows);
    }
}

void PartTrace::make_times(TraceTimes row, std::uint32_t at, PartRows& rows)
{
    for (const auto* chunk = follow<TraceBytesChunk>(at, ChunkKind::trace_bytes); chunk != nullptr;
         chunk = follow<TraceBytesChunk>(chunk->next, ChunkKind::trace_bytes)) {
        row.code = code_of(*chunk);
        rows.trace_times.append_row(row);
    }
}

void PartTrace::make_pieces(TracePiece& row, const TraceChunk& trace, PartRows& rows)
{
    for (const auto* chunk = follow<TraceBytesChunk>(trace.first_what, ChunkKind::trace_bytes);
         chunk != nullptr; chunk = follow<TraceBytesChunk>(chunk->next, ChunkKind::trace_bytes)) {
        const bool newest = chunk->next == 0;
        const std::uint64_t operations =
            newest ? trace.operations - trace.before_piece - run_of(trace) : chunk->operations;
        if (const std::string_view code = code_of(*chunk); !code.empty())
            make_piece(row, code, operations, rows);
    }
}

void PartTrace::make_piece(TracePiece& row, std::string_view code, std::uint64_t operations, PartRows& rows)
{
    row.shape = trace_shape_id(bytes_of(code));
    row.operations = operations;
    rows.trace.append_row(row);
    rows.trace_shapes.append_row(TraceShape{row.shape, code});
    ++row.number;
}

}  // namespace fathom
