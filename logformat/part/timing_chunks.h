// The chunks of a part that say how long operations took and when: histograms and slices of time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "logformat/duration_bins.h"
#include "logformat/part/chunk.h"

namespace fathom {

// How long the operations of one class took, as one thread saw them, or several that share it. Bins are made
// by octaves, as they are needed: the durations of one kind rarely span more than a few.
struct HistogramChunk {
    ChunkHeader header;
    std::uint32_t row = 0;                              // place * histogram_count + histogram, see kinds.h
    std::uint64_t time = 0, longest = 0;                // of all, in ticks
    std::atomic<std::uint32_t> octave[bins::shifts]{};  // by shift: where a bin that is 0 `within` would be
};

// The bins of one shift.
struct OctaveChunk {
    ChunkHeader header;
    std::uint64_t count[1]{};

    static constexpr std::size_t first(unsigned shift) { return shift == 0 ? 0 : bins::per_octave; }
    static constexpr std::size_t counts(unsigned shift) { return 2 * bins::per_octave - first(shift); }
    // From the start of the chunk.
    static constexpr std::ptrdiff_t origin(unsigned shift);
};
constexpr std::ptrdiff_t OctaveChunk::origin(unsigned shift)
{
    return static_cast<std::ptrdiff_t>(offsetof(OctaveChunk, count)) -
           static_cast<std::ptrdiff_t>(first(shift) * sizeof(std::uint64_t));
}

// What a slice of time sums up, for one place.
enum class SliceSum : std::uint8_t {
    reads,
    bytes_read,
    read_time,
    writes,
    bytes_written,
    write_time,
    metadata,
    metadata_time,
};
inline constexpr std::size_t slice_sums = 8;

// Slices that threads are done with, of one length: 2^level shortest ones. A table that is full is followed
// by another, of longer slices when there were many.
struct SlicesChunk {
    struct Entry {
        // 0: free. Else 1 + place + timing_places * the slice's number: where it begins, in slices of UNIX
        // time.
        std::atomic<std::uint64_t> key{};
        std::atomic<std::uint64_t> sum[slice_sums]{};
    };

    ChunkHeader header;
    std::uint32_t next = 0;  // the table before it
    std::uint32_t level = 0;
    std::uint32_t capacity = 0;
    Entry entry[1];
};

}  // namespace fathom
