// Names of MPI's functions, and the families of MPI whose handles are known.
#include "libinterpose/mpi_library.h"

namespace fathom::mpi {

constinit Next<int(Handle, int*)> comm_rank("PMPI_Comm_rank"), comm_size("PMPI_Comm_size");
constinit Next<int(Handle, int, int, Handle*)> comm_split("PMPI_Comm_split");
constinit Next<int(Handle, Handle)> comm_set_errhandler("PMPI_Comm_set_errhandler");
constinit Next<int(Handle*)> comm_free("PMPI_Comm_free");
constinit Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, void*)> sendrecv(
    "PMPI_Sendrecv");
constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> allreduce("PMPI_Allreduce");
constinit Next<int(void*, int, Handle, int, Handle)> broadcast("PMPI_Bcast");
constinit Next<int(Handle, const char*, int, Handle, Handle*)> file_open("PMPI_File_open");
constinit Next<int(Handle, Offset, const void*, int, Handle, void*)> file_write_at_all(
    "PMPI_File_write_at_all");
constinit Next<int(Handle*)> file_close("PMPI_File_close");
constinit Next<int(Handle, Offset*)> type_size("PMPI_Type_size_x");
constinit Next<int(char*, int*)> library_version("PMPI_Get_library_version");

constinit World world;

Handle find_world()
{
    if (const auto object = reinterpret_cast<Handle>(mpi_variable("ompi_mpi_comm_world"))) return object;
    // MPICH and its kin: MPI_COMM_WORLD is a number. A function of theirs tells that it is one of them.
    constexpr Handle mpich_world = 0x44000000;
    return mpi_variable("MPIR_Dup_fn") != nullptr ? mpich_world : 0;
}

bool find_constants(Constants& constants)
{
    // Open MPI: a handle is the address of an object of this name.
    const auto object = [](const char* name) { return reinterpret_cast<Handle>(mpi_variable(name)); };
    constants.comm_world = object("ompi_mpi_comm_world");
    constants.byte = object("ompi_mpi_byte");
    constants.uint64 = object("ompi_mpi_uint64_t");
    constants.least = object("ompi_mpi_op_min");
    constants.info_null = object("ompi_mpi_info_null");
    constants.errors_return = object("ompi_mpi_errors_return");
    return constants.comm_world != 0 && constants.byte != 0 && constants.uint64 != 0 &&
           constants.least != 0 && constants.info_null != 0 && constants.errors_return != 0;
}

}  // namespace fathom::mpi
