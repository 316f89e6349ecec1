/* The ways into MPI and out of it, one a rank, by the names of the first argument. */
#include <mpi.h>
#include <string.h>

#include "did.h"

int main(int argc, char** argv)
{
    const char* const way = argc > 1 ? argv[1] : "";
    int rank = 0, given = 0;
    char path[32];
    MPI_File file;
    if (strcmp(way, "MPI_Init") == 0) MUST(MPI_Init(&argc, &argv) == MPI_SUCCESS);
    if (strcmp(way, "PMPI_Init") == 0) MUST(PMPI_Init(&argc, &argv) == MPI_SUCCESS);
    if (strcmp(way, "MPI_Init_thread") == 0)
        MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &given) == MPI_SUCCESS);
    if (strcmp(way, "PMPI_Init_thread") == 0)
        MUST(PMPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &given) == MPI_SUCCESS);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "of_rank.%d", rank);
    MUST(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
         MPI_SUCCESS);
    MUST(MPI_File_write(file, path, 7, MPI_CHAR, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MUST(MPI_File_close(&file) == MPI_SUCCESS);
    did("mpiio", path, "opens", 1);
    did("mpiio", path, "writes", 1);
    did("mpiio", path, "bytes_written", 7);
    did("mpiio", path, "closes", 1);
    return strncmp(way, "PMPI", 4) == 0 ? PMPI_Finalize() : MPI_Finalize();
}
