/* Collective writes to which one rank after another comes late. They say by the clock of their node how long
 * a rank was in them, and how much of that the last one was in none: on a busy machine it may still be in the
 * call before.
 *
 * usage: collectives FILE CALLS KIB MILLISECONDS      (KIB: of each rank and call)
 */
#include <err.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 5) errx(2, "usage: collectives FILE CALLS KIB MILLISECONDS");
    const int calls = atoi(argv[2]), size = atoi(argv[3]) * 1024, late = atoi(argv[4]);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char* const block = malloc((size_t)size);
    if (block == NULL) err(1, "memory");
    memset(block, rank, (size_t)size);

    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file) != 0)
        errx(1, "%s cannot be opened", argv[1]);
    double* const came = calloc((size_t)calls, sizeof *came);
    double* const left = calloc((size_t)calls, sizeof *left);
    if (came == NULL || left == NULL) err(1, "memory");
    double in_calls = 0;
    for (int call = 0; call < calls; ++call) {
        const struct timespec pause = {late / 1000, late % 1000 * 1000000L};
        if (call % ranks == rank) nanosleep(&pause, NULL);
        came[call] = now();
        if (MPI_File_write_at_all(file, ((MPI_Offset)call * ranks + rank) * size, block, size, MPI_BYTE,
                                  MPI_STATUS_IGNORE) != 0)
            errx(1, "write");
        left[call] = now();
        in_calls += left[call] - came[call];
    }
    MPI_File_close(&file);
    double mine[2] = {in_calls, 0}, sums[2];
    for (int call = 0; call < calls; ++call) {
        double last, since;
        MPI_Allreduce(&came[call], &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        const double free_since = came[call] == last && call > 0 ? left[call - 1] : 0;
        MPI_Allreduce(&free_since, &since, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (since < came[call]) since = came[call];
        if (since < last) mine[1] += last - since;
    }
    MPI_Reduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("in collective writes: %.3f s a rank\nwaiting for the last rank: %.3f s a rank\n",
               sums[0] / ranks, sums[1] / ranks);
    MPI_Finalize();
    return 0;
}
