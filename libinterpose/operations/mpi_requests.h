// MPI-IO that was begun and is not complete, by request: how long it took is known when the program is told
// of its end, by a wait or a test. Others' requests pass through: while no I/O is under way, at the cost of
// one load.
#pragma once

#include <atomic>
#include <cstdint>

#include "libinterpose/operations/mpiio_operations.h"

namespace fathom {

extern std::atomic<std::uint32_t> operations_under_way __attribute__((visibility("hidden")));

// An operation on a file was begun by a call that succeeded and left its request here.
template <class Side>
void operation_begins(const void* request, NameChunk* file, std::uint64_t bytes, Interval call);

// A wait or a test of requests. Those that are ours are taken out of the table before the call, since
// afterwards another thread may get the same handle, and put back if they are not complete then: that is, if
// the array still holds them. No status is read.
struct MpiCompletion : Operation {
    const void* requests;
    int number;
    std::size_t first = 0;  // the first of the operations that were taken
    std::size_t taken = 0;

    MpiCompletion(int how_many, const void* array) : requests(array), number(how_many) {}
    bool find()
    {
        return __builtin_expect(operations_under_way.load(std::memory_order_relaxed) != 0, 0) && take();
    }
    void count(int result, Interval when);

  private:
    bool take();
    bool is_complete(std::size_t operation) const;
};

// MPI_Request_get_status reports the end and leaves the request.
struct MpiStatus : Operation {
    Handle request;
    const int* flag;

    MpiStatus(Handle of, const int* complete) : request(of), flag(complete) {}
    bool find() const;
    void count(int result, Interval when) const;
};

// MPI_Request_free: nobody will be told of the end.
struct MpiRequestFree : NotCounted {
    const void* request;

    explicit MpiRequestFree(const void* where) : request(where) {}
    bool find() const;
};

}  // namespace fathom
