// What the MPI-IO calls are, as values; see operations.h. Files are found by MPI_File handle.
#pragma once

#include <cstdint>

#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/operations/operations.h"

namespace fathom {

using mpi::Handle;

// How many MPI-IO calls this thread is in: an MPI library may implement one by another, and the Fortran
// bindings call the PMPI_ names. Only the outermost counts.
extern thread_local constinit int mpiio_depth __attribute__((tls_model("initial-exec")));

struct OnMpiFile : Operation {
    Handle handle;
    NameChunk* file = nullptr;
    std::uint32_t ranks = 1;  // that opened it together

    explicit OnMpiFile(Handle of) : handle(of) {}
    bool find();
    CountersOf<MpiioCounters>* counters();
    // Each count() begins with this: the call is over.
    CountersOf<MpiioCounters>* leave()
    {
        --mpiio_depth;
        return counters();
    }
};

struct MpiOpen : Operation {
    Handle communicator;
    const char* path;
    Handle info;
    const Handle* handle;

    MpiOpen(Handle in, const char* name, Handle hints, const Handle* opened)
        : communicator(in), path(name), info(hints), handle(opened)
    {}
    bool find() const;
    void count(int result, Interval when) const;
};

struct MpiClose : OnMpiFile {
    explicit MpiClose(const Handle* of) : OnMpiFile(of == nullptr ? 0 : *of) {}
    bool find();
    void count(int result, Interval when);
};

struct MpiDelete : Operation {
    const char* path;

    explicit MpiDelete(const char* name) : path(name) {}
    bool find() const;
    void count(int result, Interval when) const;
};

// Reads and writes of `items` of a type. `kind` is the counter of this form of the call, or nullptr for the
// plain one.
template <class Side>
struct MpiTransfer : OnMpiFile {
    mpi::Offset items;
    Handle type;
    std::uint64_t MpiioCounters::*kind;

    MpiTransfer(Handle of, mpi::Offset how_many, Handle what, std::uint64_t MpiioCounters::*form = nullptr)
        : OnMpiFile(of), items(how_many), type(what), kind(form)
    {}
    void count(int result, Interval when);

  protected:
    std::uint64_t bytes() const;
};
using MpiRead = MpiTransfer<ReadSide>;
using MpiWrite = MpiTransfer<WriteSide>;

// Those that all ranks make together.
template <class Side>
struct MpiCollective : MpiTransfer<Side> {
    std::uint64_t beneath = 0;  // in POSIX on the file, before the call

    MpiCollective(Handle of, mpi::Offset how_many, Handle what)
        : MpiTransfer<Side>(of, how_many, what, Side::collective)
    {}
    bool find();
    void count(int result, Interval when);
};
// …where the pointer is that all ranks share, one rank's data behind the other's.
template <class Side>
struct MpiOrdered : MpiCollective<Side> {
    using MpiCollective<Side>::MpiCollective;
    void count(int result, Interval when);
};
using MpiReadOrdered = MpiOrdered<ReadSide>;
using MpiWriteOrdered = MpiOrdered<WriteSide>;
using MpiReadAll = MpiCollective<ReadSide>;
using MpiWriteAll = MpiCollective<WriteSide>;

// Those that return before they are done, with a request. Their end: mpi_requests.h.
template <class Side>
struct MpiBegin : MpiTransfer<Side> {
    const void* request;

    MpiBegin(Handle of, mpi::Offset how_many, Handle what, const void* where)
        : MpiTransfer<Side>(of, how_many, what, Side::nonblocking), request(where)
    {}
    void count(int result, Interval when);
};
using MpiBeginRead = MpiBegin<ReadSide>;
using MpiBeginWrite = MpiBegin<WriteSide>;

// The second half of a split collective: time, but no further call.
template <class Side>
struct MpiEnd : OnMpiFile {
    using OnMpiFile::OnMpiFile;
    void count(int result, Interval when);
};

struct MpiSync : OnMpiFile {
    using OnMpiFile::OnMpiFile;
    void count(int result, Interval when);
};

// Any other call on a file: metadata time, and a counter for some.
struct MpiOnFile : OnMpiFile {
    std::uint64_t MpiioCounters::*counter;

    explicit MpiOnFile(Handle of, std::uint64_t MpiioCounters::*what = nullptr) : OnMpiFile(of), counter(what)
    {}
    void count(int result, Interval when);
};

// One of these that may set hints.
struct MpiHinted : MpiOnFile {
    Handle info;

    MpiHinted(Handle of, Handle hints, std::uint64_t MpiioCounters::*what = nullptr)
        : MpiOnFile(of, what), info(hints)
    {}
    void count(int result, Interval when);
};

}  // namespace fathom
