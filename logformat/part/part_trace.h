// What a part says of single operations: the traces of its threads, as rows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "logformat/blocks/bytes.h"
#include "logformat/part/part.h"

namespace fathom {

class PartTrace {
  public:
    PartTrace(std::span<const std::byte> part, const ClockMap& clock) : part_(part), clock_(clock) {}

    void add(const TraceChunk& trace);

    // Appends the rows of all traces, which point into the part, and notes them in the process's row.
    void make_rows(std::int64_t number, PartRows& rows);

    bool good() const { return traces_.good(); }

  private:
    struct Tail;

    template <class Chunk>
    const Chunk* chunk_at(std::uint32_t at, ChunkKind kind) const;
    // The next chunk of a chain. No chunk is in two chains: a damaged part must not lead in circles.
    template <class Chunk>
    const Chunk* follow(std::uint32_t at, ChunkKind kind);
    std::string_view code_of(const TraceBytesChunk& chunk) const;
    std::uint32_t run_of(const TraceChunk& trace) const;
    Tail make_tail(const TraceChunk& trace, TracePlace row, PartRows& rows) const;
    void append_place(TracePlace row, std::uint32_t name, std::uint64_t offset, PartRows& rows) const;
    void make_places(TracePlace row, std::uint32_t at, PartRows& rows);
    void make_times(TraceTimes row, std::uint32_t at, PartRows& rows);
    void make_pieces(TracePiece& row, const TraceChunk& trace, PartRows& rows);
    static void make_piece(TracePiece& row, std::string_view code, std::uint64_t operations, PartRows& rows);

    std::span<const std::byte> part_;
    const ClockMap& clock_;
    std::size_t chunks_left_ = part_.size() / chunk_alignment;
    Bytes traces_;
};

}  // namespace fathom
