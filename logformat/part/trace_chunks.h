// The chunks of a part that hold the traces of its threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "logformat/part/chunk.h"
#include "logformat/trace/trace_model.h"

namespace fathom {

// A piece of a thread's trace: what operations were, or when they were (trace_code.h).
struct TraceBytesChunk {
    ChunkHeader header;
    std::uint32_t next = 0;        // the piece after it
    std::uint64_t operations = 0;  // of "what", once it is full: how many it has
    // How many bytes are in use in the lower half. In the upper one, of "what": the operations after them
    // that the model foretold, which are written once another comes. At once, since the process may be killed
    // at any moment.
    std::atomic<std::uint64_t> used{};
    std::uint8_t bytes[1];
};

// Where a thread's trace refers to a file.
struct TracePlacesChunk {
    struct Entry {
        std::uint32_t name;
        std::uint64_t offset;
    };

    ChunkHeader header;
    std::uint32_t next = 0;
    std::atomic<std::uint32_t> used{};
    Entry entry[1];
};

// How many bytes, or entries, a chunk has room for.
inline std::uint32_t room_in(const TraceBytesChunk& chunk)
{
    return chunk.header.bytes - static_cast<std::uint32_t>(offsetof(TraceBytesChunk, bytes));
}
inline std::uint32_t room_in(const TracePlacesChunk& chunk)
{
    constexpr std::size_t head = offsetof(TracePlacesChunk, entry), each = sizeof(TracePlacesChunk::Entry);
    return static_cast<std::uint32_t>((chunk.header.bytes - head) / each);
}

// What a thread needs while it lives to add to its trace; the next one uses it again.
struct TraceWork {
    static constexpr std::uint32_t most_waiting = 32;

    ChunkHeader header;
    TraceModel model;
    // Operations wait here until there are some to encode at once: between two calls of the program, what
    // that needs is rarely in the cache.
    std::uint32_t waiting = 0;
    TracedOperation operation[most_waiting];
};

// The trace of a thread: first and newest chunk of each of its three streams.
struct TraceChunk {
    // busy: what a signal handler's operation finds; encoding: the model is not yet what the streams say.
    enum State : std::uint32_t { ready, busy, encoding, full };

    ChunkHeader header;
    std::uint32_t tid = 0;
    State state{};
    std::uint32_t first_what = 0, what = 0, first_times = 0, times = 0, first_places = 0, places = 0;
    std::uint32_t work = 0;                          // 0: the thread is dead, and all is in the streams
    std::uint64_t operations = 0, before_piece = 0;  // all, and those before the newest piece of "what"
    std::uint64_t origin = 0;                        // of its model, once that is gone
};

}  // namespace fathom
