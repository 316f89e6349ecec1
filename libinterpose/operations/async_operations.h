// The calls of POSIX AIO and libaio, as values like those of operations.h.
//
// glibc does POSIX AIO with threads of its own, whose reads and writes are inside it and not seen here.
#pragma once

#include <aio.h>
#include <linux/aio_abi.h>

#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/operations.h"
#include "libinterpose/pending/submissions.h"

namespace fathom {

// ---- POSIX AIO: an operation is known by its control block. libc itself reads that before it does anything,
// so that we may too. It has ended when aio_error says so, or with aio_return.

// Not in flight: false. Adds to what the call is for.
bool submit_posix(aiocb* block, Kind kind, Shares& shares);

struct AioSubmit : Operation {
    aiocb* block;
    Kind kind;
    Shares shares;

    AioSubmit(aiocb* which, Kind what) : block(which), kind(what) {}
    bool find() { return submit_posix(block, kind, shares); }
    void count(int result, Interval when) const
    {
        if (result == 0) return shares.hand_out(when.length());
        withdraw(key_of(block));
        count_failed_submission(shares, when);
    }
};

// Called over and over while the operation goes on, so its time is not taken.
struct AioError : NotCounted {
    const aiocb* block;

    explicit AioError(const aiocb* which) : block(which) {}
    void passed(int error) const;
};

struct AioReturn : NotCounted {
    const aiocb* block;

    explicit AioReturn(const aiocb* which) : block(which) {}
    void passed(ssize_t result) const;
};

struct AioCancel : NotCounted {
    const aiocb* block;  // nullptr: all of a descriptor, which are asked for one by one afterwards

    explicit AioCancel(const aiocb* which) : block(which) {}
    void passed(int result) const;
};

struct AioSuspend : Operation {
    const aiocb* const* list;
    int blocks;
    Shares shares;

    AioSuspend(const aiocb* const* which, int n) : list(which), blocks(n) {}
    bool find();
    void count(int, Interval when) const { shares.hand_out(when.length()); }
};

// lio_listio: those that it waited for have ended.
struct AioList : Operation {
    int mode;
    aiocb* const* list;
    int blocks;
    Shares shares;

    AioList(int how, aiocb* const* which, int n) : mode(how), list(which), blocks(n) {}
    bool find();
    void count(int result, Interval when);
};

// ---- libaio: an operation is known by its control block, which is in the event that reports its end. Calls
// return negative error numbers.

struct LibaioSubmit : Operation {
    iocb* const* list;
    long blocks;
    long noted = 0;  // of these: programs may say any number
    Shares shares;
    bool inside = false;  // of another: libaio may call syscall()

    LibaioSubmit(iocb* const* which, long n) : list(which), blocks(n) {}
    bool find();
    void count(long result, Interval when) const;
    void passed(long) const;
};

// io_getevents and its like. A wait while nothing is under way is none for I/O.
struct LibaioEvents : Operation {
    const io_event* events;
    Shares shares;

    explicit LibaioEvents(const io_event* to) : events(to) {}
    static bool find() { return in_flight::any(); }
    void count(long result, Interval when);
    void passed(long result);  // another thread may have submitted some meanwhile

  private:
    void end_all(long result, std::uint64_t now);
};

// Older kernels report the end by this call; newer ones by an event.
struct LibaioCancel : NotCounted {
    const iocb* block;

    explicit LibaioCancel(const iocb* which) : block(which) {}
    void passed(long result) const;
};

}  // namespace fathom
