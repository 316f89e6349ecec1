// How long an operation took and when: adds it to the histogram of its kind and to the slice of time under
// way. Both are this thread's own: plain stores, no locks.
#pragma once

#include <cstdint>

#include "libinterpose/recording/session.h"
#include "logformat/part/part.h"

namespace fathom {

struct Interval {
    std::uint64_t start = 0, end = 0;  // ticks
    std::uint64_t length() const { return end > start ? end - start : 0; }
};

// In one instruction, whatever the compiler has in registers: a signal handler's own call between a load and
// a store would be lost.
inline void add_one(std::uint64_t& counter)
{
    __asm__("incq %0" : "+m"(counter) : : "cc");
}

namespace timings {

// What a counters chunk says in `timed`.
inline constexpr std::uint8_t in_slices = 1, in_trace = 2;

// Which of a slice's sums a call adds to.
struct Sums {
    SliceSum operations, bytes, time;
};
inline constexpr Sums of_reads{SliceSum::reads, SliceSum::bytes_read, SliceSum::read_time};
inline constexpr Sums of_writes{SliceSum::writes, SliceSum::bytes_written, SliceSum::write_time};
// Metadata calls move nothing: what they add to `bytes` is 0.
inline constexpr Sums of_metadata{SliceSum::metadata, SliceSum::bytes_written, SliceSum::metadata_time};

// The kinds whose time is in a sum, a bit each: at every call, that is less than a look at their table.
consteval std::uint32_t kinds_in(std::uint64_t Transfers::*time)
{
    static_assert(kind_count <= 32);
    std::uint32_t kinds = 0;
    for (std::size_t number = 0; number < kind_count; ++number)
        if (kind_table[number].time == time) kinds |= std::uint32_t{1} << number;
    return kinds;
}

constexpr Sums sums_of(Kind kind)
{
    const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(kind);
    if ((bit & kinds_in(&Transfers::read_time)) != 0) return of_reads;
    return (bit & kinds_in(&Transfers::write_time)) != 0 ? of_writes : of_metadata;
}

// Room for a histogram or some of its bins has to be found. `row`: of the place and the kind, see kinds.h.
void count_duration_slowly(std::size_t row, std::uint64_t took, std::uint64_t times = 1);

inline void count_duration(const ThreadChunk& thread, std::size_t row, std::uint64_t took)
{
    const std::uint32_t at = thread.histogram[row];
    if (__builtin_expect((at & ThreadChunk::own) != 0, 1)) {
        auto& own = arena.known_at<HistogramChunk>(at - ThreadChunk::own);
        const auto bin = bins::bin_of(took);
        const std::uint32_t octave = own.octave[bin.shift].load(std::memory_order_relaxed);
        if (__builtin_expect(octave != 0, 1)) {
            add_one(arena.known_at<std::uint64_t>(octave + bin.within * sizeof(std::uint64_t)));
            own.time += took;
            if (__builtin_expect(took > own.longest, 0)) own.longest = took;
            return;
        }
    }
    count_duration_slowly(row, took);
}

// What belongs to slices of time: so many operations that began at the start of the interval; so many bytes
// and, unless the time is counted otherwise, the time, shared out by how much of it lies in each slice.
struct Work {
    std::uint64_t operations = 1, bytes = 0;
    bool takes_time = true;
};
void add_to_slices_slowly(std::size_t place, Sums sums, Interval when, Work work);

inline void add_to_slice(ThreadChunk& thread, std::size_t place, Sums sums, Interval when,
                         std::uint64_t bytes)
{
    if (__builtin_expect(when.start < thread.slice_start || when.end > thread.slice_end, 0))
        return add_to_slices_slowly(place, sums, when, {1, bytes});
    std::uint64_t* const sum = thread.slice[place];
    add_one(sum[static_cast<std::size_t>(sums.operations)]);
    sum[static_cast<std::size_t>(sums.time)] += when.length();
    sum[static_cast<std::size_t>(sums.bytes)] += bytes;
}

// Of several operations.
inline void add_to_slices(ThreadChunk& thread, std::size_t place, Sums sums, Interval when, Work work)
{
    if (when.start < thread.slice_start || when.end > thread.slice_end)
        return add_to_slices_slowly(place, sums, when, work);
    std::uint64_t* const sum = thread.slice[place];
    sum[static_cast<std::size_t>(sums.operations)] += work.operations;
    sum[static_cast<std::size_t>(sums.bytes)] += work.bytes;
    sum[static_cast<std::size_t>(sums.time)] += when.length();
}

}  // namespace timings
}  // namespace fathom
