// What every chunk of a part begins with.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "logformat/counters.h"

namespace fathom {

inline constexpr std::uint32_t chunk_mark = 0x4b4e4843;  // "CHNK"
// …of counters that are just being added to others (TemporaryOf).
inline constexpr std::uint32_t adding_mark = 0x44444120;
inline constexpr std::size_t chunk_alignment = 64;

enum class ChunkKind : std::uint16_t {
    name = 1,
    counters,
    thread,
    text,
    sketch,
    deaths,
    starts,
    histogram,
    octave,
    slices,
    trace,
    trace_work,
    trace_bytes,
    trace_places,
    layout,
    hints,
    failures,
    collectives,
    data_file,
    dataset,
    statements,
};

struct ChunkHeader {
    std::atomic<std::uint32_t> mark{};  // set last: a chunk without it was never finished
    ChunkKind kind{};
    Layer layer{};
    std::uint32_t bytes = 0;  // this header included
};

}  // namespace fathom
