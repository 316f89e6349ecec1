// Counters of files and datasets of libraries, and what lies beneath a call on them.
#pragma once

#include <string_view>

#include "libinterpose/libraries/space.h"
#include "libinterpose/recording/recorder.h"

namespace fathom::libraries {

// This thread's counters of a file, or of an object in one; made where it has none. Changes the name to what
// stands for it where the part has no room. nullptr: the call cannot be counted.
template <class Counters>
CountersOf<Counters>* counters_slowly_of(NameChunk*& name);

template <class Counters>
CountersOf<Counters>* counters_of_library(NameChunk*& name)
{
    if (name == nullptr || !enter()) return nullptr;
    if (__builtin_expect(name->epoch == here.epoch, 1)) {
        const std::uint32_t mine = here.thread->tid.load(std::memory_order_relaxed);
        for (auto* chunk = arena.at<CountersChunk>(name->of_libraries.load(std::memory_order_acquire));
             chunk != nullptr; chunk = arena.at<CountersChunk>(chunk->next))
            if (chunk->owner.load(std::memory_order_relaxed) == mine)
                return static_cast<CountersOf<Counters>*>(chunk);
    }
    return counters_slowly_of<Counters>(name);
}

// The name of an object: its file's, a colon, and where it is in that. What stands for all those that have no
// room where the part has none for it; nullptr where there is none even for that.
NameChunk* name_of_object(const NameChunk& file, std::string_view in_file);

// What stands in a name for an object whose own is not known.
inline constexpr std::string_view unnamed = "<unnamed>", other_objects = "<other datasets>";

// What this thread has counted of a file in POSIX and MPI-IO so far: taken before a call of a library and
// looked at again after it.
class Before {
  public:
    Before() {}  // not filled in before take(): that would cost as much
    struct Empty {};
    constexpr explicit Before(Empty) : used_(0), had_posix_(false), had_mpiio_(false), posix_{}, mpiio_{} {}
    void take(const NameChunk* file);
    // The file had no name before the call: what has been counted of it came since.
    void found(const NameChunk* file)
    {
        if (file_ == nullptr) file_ = file;
    }
    // Adds what came since to the counters; returns how much of it was time, in MPI-IO or else in POSIX.
    std::uint64_t add_to(Beneath& beneath) const;
    // This thread's counters in POSIX; nullptr: it has none yet.
    static const PosixCounters* posix_of(const NameChunk& file);

  private:
    struct Sums {  // filled in by take()
        std::uint64_t reads, writes, bytes_read, bytes_written, time, collective_reads, collective_writes;
    };
    template <class Counters>
    static void sum(const CountersOf<Counters>* at, Sums& sums);
    template <class Counters>
    static const CountersOf<Counters>* mine(const std::atomic<std::uint32_t>& first);

    const NameChunk* file_ = nullptr;
    std::uint64_t used_;  // of the part: what lies behind this is new
    bool had_posix_, had_mpiio_;
    Sums posix_, mpiio_;
};

inline bool is_same(const Extents& one, const Extents& other)
{
    std::uint64_t different = one.rank ^ other.rank;
    for (std::size_t at = 0; at < Extents::most; ++at) different |= one.extent[at] ^ other.extent[at];
    return different == 0;
}

inline constexpr std::uint64_t DatasetCounters::*of_selection[] = {
    &DatasetCounters::nothing, &DatasetCounters::points,    &DatasetCounters::regular,
    &DatasetCounters::whole,   &DatasetCounters::irregular, &DatasetCounters::unknown_selections};

// One more read or write, of these elements; when it was is told apart.
template <class Side>
void count_elements(CountersOf<DatasetCounters>& at, const Space& space, std::uint64_t bytes)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    DatasetCounters& counters = at.counters;
    ++(reads ? counters.reads : counters.writes);
    (reads ? counters.bytes_read : counters.bytes_written) += bytes;
    (reads ? counters.read_size : counters.write_size).add(bytes);
    counters.common_size.count(bytes);
    if (space.shape.rank != 0) {
        CommonShape& common = reads ? counters.read_shape : counters.write_shape;
        if (common.lead != 0 && is_same(common.shape, space.shape))
            ++common.lead;
        else
            common.count(space.shape);
    }
    ++(counters.*of_selection[static_cast<std::size_t>(space.selection)]);
    if (at.last_was == Side::other) ++counters.switches;
    at.last_was = Side::mark;
}

// Further calls like one that was counted with count_elements(), as long as nothing else is counted of the
// dataset on this side: what they add to is known then.
template <class Side>
class Repeated {
  public:
    void begin(CountersOf<DatasetCounters>& at, const Space& space, std::uint64_t bytes)
    {
        constexpr bool reads = std::is_same_v<Side, ReadSide>;
        DatasetCounters& counters = at.counters;
        CommonShape& common = reads ? counters.read_shape : counters.write_shape;
        const bool has_shape = space.shape.rank != 0;
        of_size_ = &(reads ? counters.read_size : counters.write_size).count[SizeHistogram::class_of(bytes)];
        lead_ = has_shape ? &common.lead : &ignored_;
        is_known_ = !has_shape || (common.lead != 0 && is_same(common.shape, space.shape));
        of_selection_ = &(counters.*of_selection[static_cast<std::size_t>(space.selection)]);
        bytes_ = bytes;
        edits_ = space.edits;
    }
    bool is(const Space& space) const { return is_known_ && edits_ == space.edits; }
    void count(CountersOf<DatasetCounters>& at)
    {
        constexpr bool reads = std::is_same_v<Side, ReadSide>;
        DatasetCounters& counters = at.counters;
        ++(reads ? counters.reads : counters.writes);
        (reads ? counters.bytes_read : counters.bytes_written) += bytes_;
        ++*of_size_;
        counters.common_size.count(bytes_);
        ++*lead_;
        ++*of_selection_;
        if (at.last_was == Side::other) ++counters.switches;
        at.last_was = Side::mark;
    }

  private:
    std::uint64_t *of_size_ = nullptr, *lead_ = nullptr, *of_selection_ = nullptr;
    std::uint64_t bytes_ = 0, edits_ = 0, ignored_ = 0;
    bool is_known_ = false;
};

template <class Side>
void count_transfer_of(CountersOf<DatasetCounters>& at, const Space& space, std::uint64_t bytes,
                       Interval when, std::uint64_t beneath)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    DatasetCounters& counters = at.counters;
    const std::uint64_t took = when.length();
    (reads ? counters.read_time : counters.write_time) += took;
    (reads ? counters.read_time_beneath : counters.write_time_beneath) += beneath;
    note_first_last(reads ? counters.first_read : counters.first_write,
                    reads ? counters.last_read : counters.last_write, when);
    SlowestCall& slowest = reads ? counters.slowest_read : counters.slowest_write;
    if (took > slowest.time) slowest = {took, bytes};
    count_elements<Side>(at, space, bytes);
}

// A read or write that returned an error.
template <class Side>
void count_failed(DatasetCounters& counters, Interval when, std::uint64_t beneath)
{
    constexpr bool reads = std::is_same_v<Side, ReadSide>;
    ++counters.failed;
    (reads ? counters.read_time : counters.write_time) += when.length();
    (reads ? counters.read_time_beneath : counters.write_time_beneath) += beneath;
}

}  // namespace fathom::libraries
