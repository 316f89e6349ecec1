// MPI without linking it: its functions, found at run time, and the values that its header would give.
// Handles are pointers in Open MPI and ints in MPICH; as words they pass through unchanged.
#pragma once

#include <cstdint>
#include <string_view>

#include "libinterpose/system/next.h"

namespace fathom::mpi {

using Handle = std::uintptr_t;
using Offset = long long;  // MPI_Offset and MPI_Count of every MPI on 64-bit machines

// What mpi.h says in the family of MPIs that is loaded. A row of mpi_constants.inc for each handle.
struct Constants {
#define MPI_CONSTANT(member, name, number, object) Handle member = 0;
#include "libinterpose/mpi/mpi_constants.inc"
#undef MPI_CONSTANT
    std::uintptr_t status_ignore = 0;  // MPI_STATUS_IGNORE
    std::size_t handle_bytes = 0;      // of a handle in the program's memory, but for files: always a word
};
// nullptr where no MPI is loaded, or one that is not known here: then it is given no handle but the program's
// own, and every process leaves its part to be merged.
const Constants* constants();

inline constexpr int mode_write_only = 4;

extern Next<int(Handle, int*)> comm_rank, comm_size;
extern Next<int(Handle, int, int, Handle*)> comm_split;
extern Next<int(Handle, Handle)> comm_set_errhandler;
extern Next<int(Handle*)> comm_free;
extern Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, std::uintptr_t)>
    sendrecv;
extern Next<int(const void*, void*, int, Handle, Handle, Handle)> allreduce;
extern Next<int(void*, int, Handle, int, Handle)> broadcast;
extern Next<int(Handle, const char*, int, Handle, Handle*)> file_open;
extern Next<int(Handle, Offset, const void*, int, Handle, std::uintptr_t)> file_write_at_all;
extern Next<int(Handle*)> file_close;
extern Next<int(Handle, Handle*)> file_get_info;
extern Next<int(Handle, int*)> info_get_nkeys;
extern Next<int(Handle, int, char*)> info_get_nthkey;
extern Next<int(Handle, const char*, int, char*, int*)> info_get;
extern Next<int(Handle*)> info_free;
extern Next<int(Handle, Offset*)> type_size;
extern Next<int(char*, int*)> library_version;

}  // namespace fathom::mpi
