/* Small MPI-IO transfers, each rank in a part of one file: what recording adds to a job of them. Run by overhead.py.
 *
 * usage: mpi_transfers FILE read|write BYTES CALLS
 *
 * Rank 0 prints the seconds of the slowest rank.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int result, const char* what)
{
    if (result == MPI_SUCCESS) return;
    fprintf(stderr, "mpi_transfers: %s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv)
{
    static char bytes[1 << 20];
    MPI_Init(&argc, &argv);
    if (argc != 5 || atoi(argv[3]) < 1 || atoi(argv[3]) > (int)sizeof bytes) {
        fprintf(stderr, "usage: mpi_transfers FILE read|write BYTES CALLS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int writes = strcmp(argv[2], "write") == 0, size = atoi(argv[3]);
    const long calls = atol(argv[4]);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "MPI_File_open");
    const MPI_Offset begin = (MPI_Offset)rank * size * calls;
    must(MPI_File_seek(file, begin, MPI_SEEK_SET), "MPI_File_seek");
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long i = 0; i < calls; ++i)
        must(writes ? MPI_File_write(file, bytes, size, MPI_BYTE, MPI_STATUS_IGNORE)
                    : MPI_File_read(file, bytes, size, MPI_BYTE, MPI_STATUS_IGNORE),
             argv[2]);
    const double mine = MPI_Wtime() - start;
    double slowest = 0;
    must(MPI_File_close(&file), "MPI_File_close");
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", slowest);
    MPI_Finalize();
    return 0;
}
