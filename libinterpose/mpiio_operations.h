// What the MPI-IO calls are, as values; see operations.h. Files are found by MPI_File handle.
#pragma once

#include <cstdint>

#include "libinterpose/mpi_library.h"
#include "libinterpose/operations.h"

namespace fathom {

using mpi::Handle;

// How many MPI-IO calls this thread is in: an MPI library may implement one by another, and the Fortran
// bindings call the PMPI_ names. Only the outermost counts.
extern thread_local constinit int mpiio_depth __attribute__((tls_model("initial-exec")));

struct OnMpiFile : Operation {
    Handle handle;
    NameChunk* file = nullptr;

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
    const Handle* handle;

    MpiOpen(Handle in, const char* name, const Handle* opened) : communicator(in), path(name), handle(opened)
    {}
    bool find() const;
    void count(int result, Interval when) const;
};

struct MpiClose : OnMpiFile {
    explicit MpiClose(const Handle* of) : OnMpiFile(of == nullptr ? 0 : *of) {}
    bool find();
    void count(int result, Interval when);
};

// Reads and writes of `items` of a type. `kind` is the counter of this form of the call, or nullptr for the
// plain one.
template <class Side>
struct MpiTransfer : OnMpiFile {
    int items;
    Handle type;
    std::uint64_t MpiioCounters::*kind;

    MpiTransfer(Handle of, int how_many, Handle what, std::uint64_t MpiioCounters::*form = nullptr)
        : OnMpiFile(of), items(how_many), type(what), kind(form)
    {}
    void count(int result, Interval when)
    {
        auto* const at = leave();
        if (at == nullptr) return;
        if (result != 0) return count_failure(*at, Side::time, when);
        mpi::Offset size = 0;
        if (mpi::type_size(type, &size) != 0 || size < 0 || items < 0) size = 0;
        if (kind != nullptr) ++(at->counters.*kind);
        count_transfer<Side>(*at, static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(items), when);
    }
};
using MpiRead = MpiTransfer<ReadSide>;
using MpiWrite = MpiTransfer<WriteSide>;

// The second half of a split collective: time, but no further call.
template <class Side>
struct MpiEnd : OnMpiFile {
    using OnMpiFile::OnMpiFile;
    void count(int result, Interval when)
    {
        auto* const at = leave();
        if (at == nullptr) return;
        if (result != 0) return count_failure(*at, Side::time, when);
        at->counters.*Side::time += when.length();
        at->counters.*Side::last = when.end;
        note_burst(when);
    }
};

struct MpiSync : OnMpiFile {
    using OnMpiFile::OnMpiFile;
    void count(int result, Interval when)
    {
        auto* const at = leave();
        if (at == nullptr) return;
        if (result != 0) return count_failure(*at, &Transfers::write_time, when);
        count_sync(*at, when);
    }
};

struct MpiView : OnMpiFile {
    using OnMpiFile::OnMpiFile;
    void count(int result, Interval when)
    {
        auto* const at = leave();
        if (at == nullptr) return;
        if (result != 0) return count_failure(*at, &Transfers::metadata_time, when);
        ++at->counters.views;
        count_metadata(*at, when);
    }
};

}  // namespace fathom
