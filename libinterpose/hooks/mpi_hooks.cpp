// Expands the tables of MPI-IO calls, and stands in front of MPI_Init and MPI_Finalize.
#include "libinterpose/hooks/hook.h"
#include "libinterpose/mpi/gather.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/mpi/roll_call.h"
#include "libinterpose/operations/mpi_requests.h"
#include "libinterpose/operations/mpiio_operations.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/pending/unfinished.h"
#include "libinterpose/recording/ending.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/sys.h"

namespace fathom {

#define HOOK_MPI(name, parameters, arguments, operation)          \
    FATHOM_ROW(int, MPI_##name, parameters, arguments, operation) \
    FATHOM_ROW(int, PMPI_##name, parameters, arguments, operation)

#include "libinterpose/hooks/mpiio_hooks.inc"

namespace with_int {
using Count = int;
#define HOOK_MPI_TRANSFER(name, parameters, arguments, operation) \
    HOOK_MPI(File_##name, parameters, arguments, operation)
#include "libinterpose/hooks/mpiio_transfer_hooks.inc"
#undef HOOK_MPI_TRANSFER
}  // namespace with_int

namespace with_64_bits {
using Count = mpi::Offset;
#define HOOK_MPI_TRANSFER(name, parameters, arguments, operation) \
    HOOK_MPI(File_##name##_c, parameters, arguments, operation)
#include "libinterpose/hooks/mpiio_transfer_hooks.inc"
#undef HOOK_MPI_TRANSFER
}  // namespace with_64_bits

namespace {

// MPI_ may call PMPI_ in the next library; the outer one does the work.
constinit int init_depth = 0, finalize_depth = 0;

void note_world()
{
    const mpi::Constants* const known = mpi::constants();
    int rank = 0, size = 0;
    if (known == nullptr || mpi::comm_rank(known->comm_world, &rank) != 0 ||
        mpi::comm_size(known->comm_world, &size) != 0)
        return;
    world = {rank, static_cast<std::uint64_t>(size), sys::process_id(), false};
    if (!enter()) return;
    arena.header().rank = rank;
    arena.header().ranks = world.size;
    arena.header().init_ticks = now();
}

template <class Call>
int initialize(Call call)
{
    if (init_depth++ == 0) answer_roll_call();
    const int result = call();
    if (--init_depth == 0 && result == 0) note_world();
    return result;
}

template <class Call>
int finalize(Call call)
{
    if (finalize_depth++ == 0) {
        note_finalize();
        count_live_mappings();
        gather_at_finalize();
    }
    const int result = call();
    --finalize_depth;
    return result;
}

}  // namespace

#define INITIALIZE(name, parameters, arguments)                   \
    namespace {                                                   \
    constinit Next<int parameters> next_##name(#name);            \
    }                                                             \
    FATHOM_HOOK(int, name, parameters)                            \
    {                                                             \
        return initialize([&] { return next_##name arguments; }); \
    }
INITIALIZE(MPI_Init, (int* argc, char*** argv), (argc, argv))
INITIALIZE(PMPI_Init, (int* argc, char*** argv), (argc, argv))
INITIALIZE(MPI_Init_thread, (int* argc, char*** argv, int wanted, int* given), (argc, argv, wanted, given))
INITIALIZE(PMPI_Init_thread, (int* argc, char*** argv, int wanted, int* given), (argc, argv, wanted, given))

#define FINALIZE(name)                                  \
    namespace {                                         \
    constinit Next<int()> next_##name(#name);           \
    }                                                   \
    FATHOM_HOOK(int, name, ())                          \
    {                                                   \
        return finalize([&] { return next_##name(); }); \
    }
FINALIZE(MPI_Finalize)
FINALIZE(PMPI_Finalize)

}  // namespace fathom
