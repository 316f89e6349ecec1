// Counters of files and datasets of libraries, and what lies beneath a call on them.
#pragma once

#include <string_view>

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
    void take(const NameChunk* file);
    // The file had no name before the call: what has been counted of it came since.
    void found(const NameChunk* file)
    {
        if (file_ == nullptr) file_ = file;
    }
    // Adds what came since to the counters; returns how much of it was time, in MPI-IO or else in POSIX.
    std::uint64_t add_to(Beneath& beneath) const;

  private:
    struct Sums {
        std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0, time = 0;
        std::uint64_t collective_reads = 0, collective_writes = 0;
    };
    template <class Counters>
    static Sums sums_of(const Counters& counters);
    template <class Counters>
    const CountersOf<Counters>* mine(std::uint32_t first) const;

    const NameChunk* file_ = nullptr;
    std::uint64_t used_ = 0;  // of the part: what lies behind this is new
    bool had_posix_ = false, had_mpiio_ = false;
    Sums posix_, mpiio_;
};

}  // namespace fathom::libraries
