// MPI-IO by most of its ways, between ranks that also compute something.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { numbers = 20000 };

int main(int count, char** words)
{
    MPI_Init(&count, &words);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double* const mine = malloc(numbers * sizeof *mine);
    for (int at = 0; at < numbers; ++at) mine[at] = rank * numbers + at;
    const MPI_Offset bytes = numbers * sizeof *mine, start = rank * bytes;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, start, mine, numbers, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int at = 0; at < numbers; at += 100)
        MPI_File_write_at(file, (ranks * bytes) + start + at * 8, mine + at, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Request request;
    MPI_File_iread_at(file, start, mine, numbers, MPI_DOUBLE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Datatype striped;
    MPI_Type_vector(numbers / 10, 10, 10 * ranks, MPI_DOUBLE, &striped);
    MPI_Type_commit(&striped);
    MPI_File_set_view(file, 2 * ranks * bytes + rank * 80, MPI_DOUBLE, striped, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, mine, numbers, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, mine, numbers, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Offset size = 0;
    MPI_File_get_size(file, &size);
    MPI_File_close(&file);
    MPI_Type_free(&striped);
    double sum = 0, all = 0;
    for (int at = 0; at < numbers; ++at) sum += mine[at];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %.0f, %lld bytes\n", all, (long long)size);
    const int error = MPI_File_open(MPI_COMM_WORLD, "nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (rank == 0) printf("%s\n", error == MPI_SUCCESS ? "opened" : "not opened");
    free(mine);
    MPI_Finalize();
    return 0;
}
