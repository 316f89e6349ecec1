/* MPI-IO: every call that is hooked, by its MPI_ and its PMPI_ name, with counts of an int and of 64 bits.
 * Run with two ranks or more, which all do the same; rank 0 says what they did together. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "did.h"

enum { ints = 16, block = ints * sizeof(int) };
static int rank, ranks;

static void did_by_all(const char* path, const char* counter, long long n)
{
    long long sum = 0;
    MPI_Reduce(&n, &sum, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && sum != 0) did("mpiio", path, counter, sum);
}

static void pause_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

#define SUCCEEDS(call) MUST((call) == MPI_SUCCESS)

/* Where this rank's block lies in those that all ranks write together. */
static MPI_Offset place(int group)
{
    return (MPI_Offset)(group * ranks + rank) * block;
}

static int numbers[ints], again[ints];

static void expect_numbers(void)
{
    MUST(memcmp(numbers, again, sizeof numbers) == 0);
    memset(again, 0, sizeof again);
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define FORM
#define PREFIX MPI_
#include "mpi_calls.inc"
#include "mpi_transfers.inc"
#if MPI_VERSION >= 4
#undef FORM
#define FORM _c
#include "mpi_transfers.inc"
#endif
#undef PREFIX
#undef FORM
#define PREFIX PMPI_
#define FORM
#include "mpi_calls.inc"
#include "mpi_transfers.inc"
#if MPI_VERSION >= 4
#undef FORM
#define FORM _c
#include "mpi_transfers.inc"
#endif

/* More than 31 bits of bytes in one call: at the end of an empty file, so that none come. (A count of more,
 * in the form for that, MPICH 4.0.2 refuses.) */
static void read_gigabytes(const char* path)
{
    MPI_File file;
    MPI_Datatype gigabyte;
    const size_t size = (size_t)3 << 30;
    void* const memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(memory != MAP_FAILED);
    SUCCEEDS(MPI_Type_contiguous(1 << 30, MPI_BYTE, &gigabyte));
    SUCCEEDS(MPI_Type_commit(&gigabyte));
    SUCCEEDS(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    SUCCEEDS(MPI_File_read_at(file, 0, memory, 3, gigabyte, MPI_STATUS_IGNORE));
    SUCCEEDS(MPI_File_close(&file));
    SUCCEEDS(MPI_Type_free(&gigabyte));
    munmap(memory, size);
    did_by_all(path, "opens", 1);
    did_by_all(path, "collective_opens", 1);
    did_by_all(path, "reads", 1);
    did_by_all(path, "bytes_read", (long long)size);
    did_by_all(path, "closes", 1);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int at = 0; at < ints; ++at) numbers[at] = 1000 * rank + at + 1;
    MPI_other_calls("mpi.other");
    MPI_completions("mpi.completions");
    MPI_transfers("mpi.transfers");
    PMPI_other_calls("pmpi.other");
    PMPI_completions("pmpi.completions");
    PMPI_transfers("pmpi.transfers");
#if MPI_VERSION >= 4
    MPI_transfers_c("mpi.transfers_c");
    PMPI_transfers_c("pmpi.transfers_c");
#endif
    read_gigabytes("large");
    MPI_Finalize();
    return 0;
}
