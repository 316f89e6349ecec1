// Names of MPI's functions, and the families of MPI whose handles are known.
#include "libinterpose/mpi/mpi_library.h"

namespace fathom::mpi {

constinit Next<int(Handle, int*)> comm_rank("PMPI_Comm_rank"), comm_size("PMPI_Comm_size");
constinit Next<int(Handle, int, int, Handle*)> comm_split("PMPI_Comm_split");
constinit Next<int(Handle, Handle)> comm_set_errhandler("PMPI_Comm_set_errhandler");
constinit Next<int(Handle*)> comm_free("PMPI_Comm_free");
constinit Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, std::uintptr_t)>
    sendrecv("PMPI_Sendrecv");
constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> allreduce("PMPI_Allreduce");
constinit Next<int(void*, int, Handle, int, Handle)> broadcast("PMPI_Bcast");
constinit Next<int(Handle, const char*, int, Handle, Handle*)> file_open("PMPI_File_open");
constinit Next<int(Handle, Offset, const void*, int, Handle, std::uintptr_t)> file_write_at_all(
    "PMPI_File_write_at_all");
constinit Next<int(Handle*)> file_close("PMPI_File_close");
constinit Next<int(Handle, Handle*)> file_get_info("PMPI_File_get_info");
constinit Next<int(Handle, int*)> info_get_nkeys("PMPI_Info_get_nkeys");
constinit Next<int(Handle, int, char*)> info_get_nthkey("PMPI_Info_get_nthkey");
constinit Next<int(Handle, const char*, int, char*, int*)> info_get("PMPI_Info_get");
constinit Next<int(Handle*)> info_free("PMPI_Info_free");
constinit Next<int(Handle, Offset*)> type_size("PMPI_Type_size_x");
constinit Next<int(char*, int*)> library_version("PMPI_Get_library_version");

namespace {

struct Family {
    char sign[20];  // what only MPIs of this family export
    Constants constants;
    bool handles_are_objects;  // at these addresses; else they are the numbers in the table
};
constinit Family families[] = {
    {"ompi_mpi_comm_world", {.status_ignore = 0, .handle_bytes = 8}, true},
    // MPICH and those that keep to its ABI: MVAPICH, Intel MPI, Cray MPICH.
    {"MPIR_Dup_fn",
     {
#define MPI_CONSTANT(member, name, number, object) .member = number,
#include "libinterpose/mpi/mpi_constants.inc"
#undef MPI_CONSTANT
         .status_ignore = 1, .handle_bytes = 4},
     false},
};

bool find_objects(Constants& constants)
{
    bool good = true;
    const auto find = [&](Handle& member, const char* object) {
        member = reinterpret_cast<Handle>(mpi_variable(object));
        good = good && member != 0;
    };
#define MPI_CONSTANT(member, name, number, object) find(constants.member, #object);
#include "libinterpose/mpi/mpi_constants.inc"
#undef MPI_CONSTANT
    return good;
}

}  // namespace

const Constants* constants()
{
    // Several threads at once find the same.
    static constinit std::atomic<const Constants*> known{nullptr};
    if (const Constants* const found = known.load(std::memory_order_acquire)) return found;
    if (mpi_abi_is_loaded()) return nullptr;  // its handles are others, whatever it exports
    for (Family& family : families) {
        if (mpi_variable(family.sign) == nullptr) continue;
        if (family.handles_are_objects && !find_objects(family.constants)) continue;
        known.store(&family.constants, std::memory_order_release);
        return &family.constants;
    }
    return nullptr;
}

}  // namespace fathom::mpi
