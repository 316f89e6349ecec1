// Walks the three streams of each thread's trace.
#include "logformat/part_trace.h"

#include "logformat/trace_code.h"

namespace fathom {
namespace {

constexpr std::size_t most_run_bytes = 8;

template <class Row>
void append(Bytes& rows, const Row& row)
{
    if (Row* const kept = rows.append_array<Row>(1)) *kept = row;
}

std::span<const std::uint8_t> bytes_of(std::string_view code)
{
    return {reinterpret_cast<const std::uint8_t*>(code.data()), code.size()};
}

}  // namespace

void PartTrace::add(const TraceChunk& trace)
{
    append(traces_, &trace);
}

template <class Chunk>
const Chunk* PartTrace::chunk_at(std::uint32_t at, ChunkKind kind) const
{
    if (at == 0 || at % chunk_alignment != 0 || at > part_.size() || part_.size() - at < sizeof(Chunk))
        return nullptr;
    const auto* const chunk = reinterpret_cast<const Chunk*>(part_.data() + at);
    const bool whole = chunk->header.mark.load(std::memory_order_acquire) == chunk_mark &&
                       chunk->header.kind == kind && chunk->header.bytes <= part_.size() - at;
    return whole ? chunk : nullptr;
}

std::string_view PartTrace::code_of(const TraceBytesChunk& chunk) const
{
    const auto used = static_cast<std::uint32_t>(chunk.used.load(std::memory_order_acquire));
    const std::size_t room = chunk.header.bytes - offsetof(TraceBytesChunk, bytes);
    return {reinterpret_cast<const char*>(chunk.bytes), used < room ? used : room};
}

std::uint64_t PartTrace::make_rows(std::int64_t process, PartRows& rows)
{
    const auto traces = traces_.as<const TraceChunk*>();
    // All at once: rows point to them.
    if (rows.runs.room(traces.size() * most_run_bytes) == nullptr) return 0;
    std::uint64_t operations = 0, thread = 0;
    for (const TraceChunk* const trace : traces) {
        if (trace->operations == 0) continue;
        operations += trace->operations;
        const auto* const of = chunk_at<ThreadChunk>(trace->thread, ChunkKind::thread);
        const std::uint64_t tid = of == nullptr ? 0 : of->tid.load(std::memory_order_relaxed);
        make_places({process, thread, 0, 0}, trace->first_places, rows);
        make_times({process, thread, tid, clock_.instant(trace->model.origin), clock_.ns_per_tick, {}},
                   trace->first_times, rows);
        make_pieces({process, thread, 0, 0, 0}, *trace, rows);
        ++thread;
    }
    return operations;
}

void PartTrace::make_places(TracePlace row, std::uint32_t at, PartRows& rows) const
{
    for (const auto* chunk = chunk_at<TracePlacesChunk>(at, ChunkKind::trace_places); chunk != nullptr;
         chunk = chunk_at<TracePlacesChunk>(chunk->next, ChunkKind::trace_places)) {
        const std::uint32_t used = chunk->used.load(std::memory_order_acquire);
        for (std::uint32_t place = 0; place < (used < chunk->most ? used : chunk->most); ++place) {
            const auto* const name = chunk_at<NameChunk>(chunk->entry[place].name, ChunkKind::name);
            row.file = name == nullptr ? 0 : name->id;
            row.offset = chunk->entry[place].offset;
            append(rows.trace_places, row);
        }
    }
}

void PartTrace::make_times(TraceTimes row, std::uint32_t at, PartRows& rows) const
{
    for (const auto* chunk = chunk_at<TraceBytesChunk>(at, ChunkKind::trace_bytes); chunk != nullptr;
         chunk = chunk_at<TraceBytesChunk>(chunk->next, ChunkKind::trace_bytes)) {
        row.code = code_of(*chunk);
        append(rows.trace_times, row);
    }
}

void PartTrace::make_pieces(TracePiece row, const TraceChunk& trace, PartRows& rows) const
{
    for (const auto* chunk = chunk_at<TraceBytesChunk>(trace.first_what, ChunkKind::trace_bytes);
         chunk != nullptr; chunk = chunk_at<TraceBytesChunk>(chunk->next, ChunkKind::trace_bytes)) {
        const bool newest = chunk->next == 0;
        const auto run = static_cast<std::uint32_t>(chunk->used.load(std::memory_order_acquire) >> 32);
        const std::uint64_t of_chunk = newest ? trace.operations - trace.before_piece : chunk->operations;
        if (const std::string_view code = code_of(*chunk); !code.empty())
            make_piece(row, code, of_chunk > run ? of_chunk - run : 0, rows);
        if (run == 0) continue;
        auto* const at = reinterpret_cast<std::uint8_t*>(rows.runs.room(most_run_bytes));
        if (at == nullptr) return;
        const std::size_t bytes = end_run(run, at);
        rows.runs.grow(bytes);
        make_piece(row, {reinterpret_cast<const char*>(at), bytes}, run, rows);
    }
}

void PartTrace::make_piece(TracePiece& row, std::string_view code, std::uint64_t operations, PartRows& rows)
{
    row.shape = trace_shape_id(bytes_of(code));
    row.operations = operations;
    append(rows.trace, row);
    append(rows.trace_shapes, TraceShape{row.shape, code});
    ++row.number;
}

}  // namespace fathom
