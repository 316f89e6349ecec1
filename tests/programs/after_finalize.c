/* An MPI program whose ranks write before and after MPI_Finalize, and have children that write; see
 * tests/libinterpose/run_lives.py for what must be in the log.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char* name, int rank, int times)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    FILE* const file = fopen(path, "w");
    if (file == NULL) abort();
    for (int i = 0; i < times; ++i) fputs("0123456789", file);
    fclose(file);
}

int main(int count, char** arguments)
{
    int rank = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_file("before", rank, 5);
    if (fork() == 0) {
        write_file("child", rank, 7);
        _exit(0);
    }
    wait(NULL);
    MPI_Finalize();
    write_file("after", rank, 3);
    return 0;
}
