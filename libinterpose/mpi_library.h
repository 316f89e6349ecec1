// MPI without linking it: its functions, found at run time, and the values that its header would give.
// Handles are pointers in Open MPI and ints in MPICH; as words they pass through unchanged.
#pragma once

#include <cstdint>
#include <string_view>

#include "libinterpose/next.h"

namespace fathom::mpi {

using Handle = std::uintptr_t;
using Offset = long long;  // MPI_Offset and MPI_Count of every MPI on 64-bit machines

// The predefined handles of the MPI that is loaded. False where there is none, or one that is not known here:
// then no MPI call is made, and every process leaves its part to be merged.
struct Constants {
    Handle comm_world = 0, byte = 0, uint64 = 0, least = 0, info_null = 0, errors_return = 0;
};
bool find_constants(Constants& constants);

// MPI_COMM_WORLD alone, which more MPIs' handles are known for; 0 where it is not.
Handle find_world();

inline constexpr int mode_create = 1, mode_write_only = 4;

extern Next<int(Handle, int*)> comm_rank, comm_size;
extern Next<int(Handle, int, int, Handle*)> comm_split;
extern Next<int(Handle, Handle)> comm_set_errhandler;
extern Next<int(Handle*)> comm_free;
extern Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, void*)> sendrecv;
extern Next<int(const void*, void*, int, Handle, Handle, Handle)> allreduce;
extern Next<int(void*, int, Handle, int, Handle)> broadcast;
extern Next<int(Handle, const char*, int, Handle, Handle*)> file_open;
extern Next<int(Handle, Offset, const void*, int, Handle, void*)> file_write_at_all;
extern Next<int(Handle*)> file_close;
extern Next<int(Handle, Offset*)> type_size;
extern Next<int(char*, int*)> library_version;

// This process's place in MPI_COMM_WORLD: -1 of 0 before MPI_Init and in processes without MPI.
struct World {
    std::int64_t rank = -1;
    std::uint64_t size = 0;
    long pid = 0;           // a forked child of a rank is no rank
    bool gathered = false;  // MPI_Finalize has written the log
};
extern World world;

}  // namespace fathom::mpi
