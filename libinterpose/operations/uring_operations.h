// The calls of liburing, and the system calls that it is made of, as values like those of operations.h.
#pragma once

#include <algorithm>

#include "libinterpose/operations/operations.h"
#include "libinterpose/pending/rings.h"

namespace fathom {

// A call that may submit, wait, or both.
struct RingCall : Operation {
    Ring* ring = nullptr;
    int ring_number = 0;
    Shares shares;

    bool find(unsigned end_of_submissions)
    {
        ring_number = ring->number.load(std::memory_order_relaxed);
        rings::note_submissions(*ring, end_of_submissions, shares);
        return ring->in_flight.load(std::memory_order_relaxed) > 0;
    }
    template <class Result>
    void count(Result, Interval when)
    {
        if (is_there()) rings::count_completions(*ring, when.end, shares);
        shares.hand_out(when.length());
    }
    template <class Result>
    void passed(Result)
    {
        // Another thread may have submitted some meanwhile.
        if (ring != nullptr && is_there()) rings::count_completions(*ring, 0, shares);
    }
    // Another thread may have unmapped it while this one waited, which is how some end that.
    bool is_there() const
    {
        return ring->number.load(std::memory_order_acquire) == ring_number &&
               ring->ready.load(std::memory_order_relaxed);
    }
};

// Of liburing's functions only those that submit look at what has not been shown to the kernel yet: in
// others, a program may still be writing that.
enum class Submits : bool { no, yes };
struct LiburingCall : RingCall {
    const LiburingRing* liburing;
    Submits submits;

    LiburingCall(const LiburingRing* which, Submits what) : liburing(which), submits(what) {}
    bool find()
    {
        ring = rings::of(*liburing);
        if (ring == nullptr) return false;
        return RingCall::find(submits == Submits::yes ? liburing->sq.user_tail
                                                      : rings::tail_of(ring->submissions));
    }
};

struct LiburingMade : NotCounted {
    const LiburingRing* liburing;

    explicit LiburingMade(const LiburingRing* which) : liburing(which) {}
    void passed(int result) const
    {
        if (result >= 0) rings::made(*liburing);
    }
};

// Registered files: liburing's calls have the arguments that the operation needs.
struct RegisterFiles : NotCounted {
    int ring_fd;
    std::uint32_t first;
    const int* fds;
    std::uint32_t n;

    RegisterFiles(const LiburingRing* ring, std::uint32_t from, const int* which, std::uint32_t count)
        : RegisterFiles(ring->fd, from, which, count)
    {}
    RegisterFiles(int ring, std::uint32_t from, const int* which, std::uint32_t count)
        : ring_fd(ring), first(from), fds(which), n(count)
    {}
    // An update says how many it has changed, which may be fewer.
    void passed(int result) const
    {
        Ring* const ring = rings::of(ring_fd);
        if (ring == nullptr || result < 0) return;
        rings::register_files(*ring, first, fds,
                              result == 0 ? n : std::min(n, static_cast<unsigned>(result)));
    }
};

struct UnregisterFiles : NotCounted {
    const LiburingRing* liburing;

    explicit UnregisterFiles(const LiburingRing* which) : liburing(which) {}
    void passed(int result) const
    {
        Ring* const ring = rings::of(liburing->fd);
        if (ring != nullptr && result >= 0) rings::forget_files(*ring);
    }
};

// ---- the system calls: io_uring_setup, io_uring_enter, io_uring_register ----

struct UringSetup : NotCounted {
    const io_uring_params* about;

    explicit UringSetup(const io_uring_params* what) : about(what) {}
    void passed(long fd) const
    {
        if (fd >= 0) rings::made_raw(static_cast<int>(fd), *about);
    }
};

// A ring that is named by the index of its registered descriptor is not found.
struct UringEnter : RingCall {
    int fd;
    unsigned flags;

    UringEnter(int number, unsigned how) : fd(number), flags(how) {}
    bool find()
    {
        constexpr unsigned by_index = 1u << 4;
        if ((flags & by_index) == 0) ring = rings::of(fd);
        return ring != nullptr && RingCall::find(rings::tail_of(ring->submissions));
    }
};

struct UringRegister : NotCounted {
    int fd;
    unsigned operation;
    const void* argument;
    unsigned n;

    UringRegister(int number, unsigned what, const void* with, unsigned count)
        : fd(number), operation(what), argument(with), n(count)
    {}
    void passed(long result) const;
};

}  // namespace fathom
