/* Collective writes to which one rank after another comes late. Each rank says how long it was in them by its
 * own clock.
 *
 * usage: collectives FILE CALLS KIB MILLISECONDS      (KIB: of each rank and call)
 */
#include <err.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    double in_calls = 0;
    for (int call = 0; call < calls; ++call) {
        const struct timespec pause = {late / 1000, late % 1000 * 1000000L};
        if (call % ranks == rank) nanosleep(&pause, NULL);
        const double start = MPI_Wtime();
        if (MPI_File_write_at_all(file, ((MPI_Offset)call * ranks + rank) * size, block, size, MPI_BYTE,
                                  MPI_STATUS_IGNORE) != 0)
            errx(1, "write");
        in_calls += MPI_Wtime() - start;
    }
    MPI_File_close(&file);
    double sum = 0;
    MPI_Reduce(&in_calls, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("in collective writes: %.3f s a rank\n", sum / ranks);
    MPI_Finalize();
    return 0;
}
