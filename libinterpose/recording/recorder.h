// Counting: finds the counters that this thread may write to, and adds one call to them. Plain stores, no
// locks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fcntl.h>

#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/ownership.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/timings.h"
#include "libinterpose/recording/trace.h"
#include "logformat/part/part.h"

namespace fathom {

template <class Counters>
constexpr Layer layer_of()
{
    if constexpr (std::is_same_v<Counters, PosixCounters>)
        return Layer::posix;
    else if constexpr (std::is_same_v<Counters, StdioCounters>)
        return Layer::stdio;
    else
        return Layer::mpiio;
}

// This thread's counters of a file, made or taken over from a dead thread where it has none. Changes `file`
// to the overflow file when the part is full. nullptr: there is no room.
CountersChunk* counters_if_room(NameChunk*& file, Layer layer);
// The same for a call, which is missed where there is no room.
CountersChunk* counters_slowly(NameChunk*& file, Layer layer);

// This thread's counters of a file of this part, where it has some.
template <class Counters>
CountersOf<Counters>* own_counters(const NameChunk& file)
{
    const std::uint32_t mine = here.thread->tid.load(std::memory_order_relaxed);
    const auto& first = file.counters[static_cast<std::size_t>(layer_of<Counters>())];
    for (auto* chunk = arena.at<CountersChunk>(first.load(std::memory_order_acquire)); chunk != nullptr;
         chunk = arena.at<CountersChunk>(chunk->next))
        if (chunk->owner.load(std::memory_order_relaxed) == mine)
            return static_cast<CountersOf<Counters>*>(chunk);
    return nullptr;
}

template <class Counters>
CountersOf<Counters>* counters_of(NameChunk* file)
{
    if (!enter()) return nullptr;
    if (__builtin_expect(file->epoch == here.epoch, 1))
        if (auto* const own = own_counters<Counters>(*file)) return own;
    return static_cast<CountersOf<Counters>*>(counters_slowly(file, layer_of<Counters>()));
}

// A call was under way in this interval and moved so many bytes of files: continues this thread's burst, or
// begins another. The last step of counting a call.
void note_new_burst(Interval when, std::uint64_t bytes);
inline void note_burst(Interval when, std::uint64_t bytes = 0)
{
    ThreadChunk::Stretch& now = here.thread->burst[0];
    if (__builtin_expect(when.start > now.end + here.thread->gap, 0)) {
        note_new_burst(when, bytes);
    } else {
        now.end = when.end;
        if (when.start < now.start) now.start = when.start;  // a call around those that were counted
        now.bytes += bytes;
    }
    release_place(*here.thread);
}

// How long it took and when it was; `sums`: those of the kind, given by those who know them without a look.
// What a transfer moved is in its size and its class; of other calls both are 0.
template <class Counters>
void note_times(const CountersOf<Counters>& at, Kind kind, const timings::Sums& sums, std::size_t size_class,
                std::uint64_t n, std::uint64_t offset, Interval when)
{
    if (at.timed == 0) return;
    if (__builtin_expect((at.timed & timings::in_slices) != 0, 1)) {
        ThreadChunk& thread = *here.thread;
        timings::count_duration(thread, at.first_histogram + histogram_of(kind, size_class), when.length());
        timings::add_to_slice(thread, at.timing_place, sums, when, n);
    }
    if (__builtin_expect((at.timed & timings::in_trace) != 0, 0)) trace(at, kind, n, offset, when);
}

// The same of an asynchronous transfer: the program's time in calls for it is noted apart.
template <class Counters>
void note_asynchronous(const CountersOf<Counters>& at, Kind kind, std::size_t size_class, std::uint64_t n,
                       std::uint64_t offset, Interval when)
{
    if ((at.timed & timings::in_slices) != 0) {
        timings::count_duration(*here.thread, at.first_histogram + histogram_of(kind, size_class),
                                when.length());
        timings::add_to_slices_slowly(at.timing_place, timings::sums_of(kind), when, {1, n, false});
    }
    if ((at.timed & timings::in_trace) != 0) trace(at, kind, n, offset, when);
}

// Time that calls spent on transfers which are counted apart.
template <class Counters>
void note_time_spent(const CountersOf<Counters>& at, Kind kind, Interval when)
{
    if ((at.timed & timings::in_slices) != 0)
        timings::add_to_slices_slowly(at.timing_place, timings::sums_of(kind), when, {0, 0});
}

inline void note_first_last(std::uint64_t& first, std::uint64_t& last, Interval when)
{
    if (first == 0) first = when.start;
    last = when.end;
}

// The time since the last open, or the last close if that was later: each moment once.
inline void note_held(Transfers& counters, Interval close)
{
    const std::uint64_t since = std::max(counters.last_open, counters.last_close);
    if (counters.last_open != 0 && close.start > since) counters.held_time += close.start - since;
}

template <class Counters>
void count_metadata(CountersOf<Counters>& at, Kind kind, Interval when, std::uint64_t offset = no_offset)
{
    at.counters.metadata_time += when.length();
    note_times(at, kind, timings::of_metadata, 0, 0, offset, when);
    note_burst(when);
}

template <class Counters>
void count_open(CountersOf<Counters>& at, Interval when)
{
    ++at.counters.opens;
    note_first_last(at.counters.first_open, at.counters.last_open, when);
    count_metadata(at, Kind::open, when);
}

template <class Counters>
void count_close(CountersOf<Counters>& at, Interval when)
{
    ++at.counters.closes;
    note_held(at.counters, when);
    note_first_last(at.counters.first_close, at.counters.last_close, when);
    count_metadata(at, Kind::close, when);
}

template <class Counters>
[[gnu::noinline]] void count_failure(CountersOf<Counters>& at, std::uint64_t Transfers::*time, Interval when)
{
    ++at.counters.failed;
    at.counters.*time += when.length();
    const Kind kind = failed_kind(time);
    note_times(at, kind, timings::sums_of(kind), 0, 0, no_offset, when);
    note_burst(when);
}

template <class Counters>
void count_sync(CountersOf<Counters>& at, Interval when)
{
    ++at.counters.syncs;
    at.counters.sync_time += when.length();
    at.counters.write_time += when.length();
    note_first_last(at.counters.first_write, at.counters.last_write, when);
    note_times(at, Kind::sync, timings::sums_of(Kind::sync), 0, 0, no_offset, when);
    note_burst(when);
}

// What reads and writes have in common, as members of the counters that belong to the direction.
struct ReadSide {
    static constexpr Kind kind = Kind::read;
    static constexpr std::uint8_t mark = 1, other = 2;
    static constexpr auto calls = &Transfers::reads, bytes = &Transfers::bytes_read,
                          time = &Transfers::read_time, first = &Transfers::first_read,
                          last = &Transfers::last_read;
    static constexpr auto slowest = &Transfers::slowest_read;
    static constexpr auto sizes = &Transfers::read_size;
    static constexpr auto collective = &MpiioCounters::collective_reads,
                          nonblocking = &MpiioCounters::nonblocking_reads;
    static constexpr std::uint64_t direction = 0;
    static constexpr auto end = &CountersChunk::read_end;
    static constexpr auto sequential = &Pattern::sequential_reads, consecutive = &Pattern::consecutive_reads,
                          strided = &Pattern::strided_reads, highest = &Pattern::highest_read;
    template <class Counters>
    static constexpr auto gap = &CountersOf<Counters>::read_gap;
    static constexpr auto asynchronous = &PosixCounters::async_reads;
};
struct WriteSide {
    static constexpr Kind kind = Kind::write;
    static constexpr std::uint8_t mark = 2, other = 1;
    static constexpr auto calls = &Transfers::writes, bytes = &Transfers::bytes_written,
                          time = &Transfers::write_time, first = &Transfers::first_write,
                          last = &Transfers::last_write;
    static constexpr auto slowest = &Transfers::slowest_write;
    static constexpr auto sizes = &Transfers::write_size;
    static constexpr auto collective = &MpiioCounters::collective_writes,
                          nonblocking = &MpiioCounters::nonblocking_writes;
    static constexpr std::uint64_t direction = 1;
    static constexpr auto end = &CountersChunk::written_end;
    static constexpr auto sequential = &Pattern::sequential_writes,
                          consecutive = &Pattern::consecutive_writes, strided = &Pattern::strided_writes,
                          highest = &Pattern::highest_written;
    template <class Counters>
    static constexpr auto gap = &CountersOf<Counters>::written_gap;
    static constexpr auto asynchronous = &PosixCounters::async_writes;
};

// One more transfer, whose time is added to one of the sums. Returns the class of its size.
template <class Side, class Counters>
std::size_t count_moved(CountersOf<Counters>& at, std::uint64_t n, Interval when, std::uint64_t& time)
{
    Counters& counters = at.counters;
    const std::uint64_t took = when.length();
    add_one(counters.*Side::calls);
    counters.*Side::bytes += n;
    time += took;
    note_first_last(counters.*Side::first, counters.*Side::last, when);
    if (took > (counters.*Side::slowest).time) counters.*Side::slowest = {took, n};
    const std::size_t size_class = SizeHistogram::class_of(n);
    ++(counters.*Side::sizes).count[size_class];
    counters.common_size.count(n);
    if (at.last_was == Side::other) ++counters.switches;
    at.last_was = Side::mark;
    return size_class;
}

// One more transfer that the program waited for. `offset`: where in the file, if that is known.
template <class Side, class Counters>
void count_transfer(CountersOf<Counters>& at, std::uint64_t n, Interval when, std::uint64_t offset)
{
    const std::size_t size_class = count_moved<Side>(at, n, when, at.counters.*Side::time);
    note_times(at, Side::kind, timings::sums_of(Side::kind), size_class, n, offset, when);
    note_burst(when, n & at.file_bytes);
}

// Where in the file a transfer fell. Called before count_transfer: the first one of a thread follows nothing.
template <class Side, class Counters>
void count_place(CountersOf<Counters>& at, std::uint64_t offset, std::uint64_t n)
{
    Counters& counters = at.counters;
    if (counters.*Side::calls > 0) {
        if (const std::uint64_t gap = offset - at.*Side::end; gap == 0) {
            ++(counters.*Side::consecutive);
        } else {
            counters.*Side::sequential += offset > at.*Side::end;
            if (gap == at.*Side::template gap<Counters>)
                ++(counters.*Side::strided);
            else
                at.*Side::template gap<Counters> = gap;
        }
    }
    at.*Side::end = offset + n;
    if (offset + n > counters.*Side::highest) counters.*Side::highest = offset + n;
}

// An asynchronous transfer falls somewhere when it is submitted, and is counted when it has ended.
struct Placement {
    bool consecutive = false, sequential = false, strided = false;
    std::uint64_t end_before = 0, gap_before = 0;
};

template <class Side>
Placement place_submission(CountersOf<PosixCounters>& at, std::uint64_t offset, std::uint64_t n)
{
    std::uint64_t& last_gap = at.*Side::template gap<PosixCounters>;
    Placement placed{.end_before = at.*Side::end, .gap_before = last_gap};
    at.*Side::end = offset + n;
    if (placed.end_before == 0 && at.counters.*Side::calls == 0) return placed;  // the first one, or like it
    const std::uint64_t gap = offset - placed.end_before;
    placed.consecutive = gap == 0;
    if (placed.consecutive) return placed;
    placed.sequential = offset > placed.end_before;
    placed.strided = gap == last_gap;
    last_gap = gap;
    return placed;
}

// It was not submitted after all.
template <class Side>
void take_back(CountersOf<PosixCounters>& at, const Placement& placed)
{
    at.*Side::end = placed.end_before;
    at.*Side::template gap<PosixCounters> = placed.gap_before;
}

template <class Side>
void count_completion(CountersOf<PosixCounters>& at, const Placement& placed, std::uint64_t offset,
                      std::uint64_t n, Interval when)
{
    PosixCounters& counters = at.counters;
    counters.*Side::consecutive += placed.consecutive;
    counters.*Side::sequential += placed.sequential;
    counters.*Side::strided += placed.strided;
    if (offset + n > counters.*Side::highest && n > 0) counters.*Side::highest = offset + n;
    add_one(counters.*Side::asynchronous);
    if (when.start < counters.*Side::first) counters.*Side::first = when.start;
    const std::size_t size_class = count_moved<Side>(at, n, when, counters.async_time);
    note_asynchronous(at, Side::kind, size_class, n, offset, when);
    note_burst(when, n & at.file_bytes);
}

// So many asynchronous transfers of which nothing was seen, taken to be like one of them, at some time in
// this interval.
template <class Side>
void count_unseen(CountersOf<PosixCounters>& at, std::uint64_t offset, std::uint64_t n, std::uint64_t times,
                  Interval when)
{
    PosixCounters& counters = at.counters;
    counters.*Side::calls += times;
    counters.*Side::asynchronous += times;
    counters.async_unseen += times;
    counters.*Side::bytes += n * times;
    (counters.*Side::sizes).add(n, times);
    counters.common_size.add(n, times);
    if (offset + n > counters.*Side::highest && n > 0) counters.*Side::highest = offset + n;
    note_first_last(counters.*Side::first, counters.*Side::last, when);
    if ((at.timed & timings::in_slices) != 0)
        timings::add_to_slices_slowly(at.timing_place, timings::sums_of(Side::kind), when,
                                      {times, n * times, false});
    note_burst(when, n * times & at.file_bytes);
}

inline void count_alignment(CountersOf<PosixCounters>& at, std::uint64_t offset, const void* memory)
{
    constexpr std::uintptr_t memory_alignment = 8;
    at.counters.file_unaligned += (offset & at.offset_mask) != 0;
    at.counters.memory_unaligned += reinterpret_cast<std::uintptr_t>(memory) % memory_alignment != 0;
}

// A call by path that failed: there is no file to count it for. MPI-IO's have those below them counted as
// well.
template <class Counters = PosixCounters>
void count_unopened(Interval when);

// An open with these flags made the file or emptied it, whatever is known of the file.
constexpr bool always_creates(int flags)
{
    if ((flags & O_PATH) != 0) return false;
    constexpr int only_new = O_CREAT | O_EXCL;
    return (flags & only_new) == only_new || ((flags & O_TRUNC) != 0 && (flags & O_ACCMODE) != O_RDONLY);
}

}  // namespace fathom
