/* An MPI program whose rank 1 ends in its own way while the others go on; every rank writes before. See
 * tests/libinterpose/run_lives.py for what must be in the log.
 *
 * usage: mpi_ends NAME        (in an empty folder)
 */
#include <err.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char* name, int rank, int times)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    FILE* const file = fopen(path, "w");
    if (file == NULL) err(1, "%s", path);
    for (int i = 0; i < times; ++i) fputs("0123456789", file);
    fclose(file);
}

static int have_children(int rank)
{
    const pid_t child = fork();
    if (child == 0) {
        write_file("killed", rank, 3);
        raise(SIGKILL);
    }
    if (waitpid(child, NULL, 0) != child) return 1;
    return system("dd if=/dev/zero of=child.$OMPI_COMM_WORLD_RANK bs=10 count=7 status=none");
}

int main(int count, char** arguments)
{
    int rank = 0;
    const char* const way = count > 1 ? arguments[1] : "";
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_file("before", rank, 5 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "has_children") == 0 && have_children(rank) != 0) return 1;
    if (strcmp(way, "deletes_nothing") == 0 && MPI_File_delete("nothing", MPI_INFO_NULL) == MPI_SUCCESS) return 1;
    const int is_the_one = rank == 1;
    if (is_the_one && strcmp(way, "aborts") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (is_the_one && strcmp(way, "aborts_by_pmpi") == 0) PMPI_Abort(MPI_COMM_WORLD, 3);
    if (is_the_one && strcmp(way, "is_killed") == 0) raise(SIGKILL);
    if (is_the_one && strcmp(way, "skips_finalize") == 0) return 4;
    if (strncmp(way, "aborts", 6) == 0 || strcmp(way, "is_killed") == 0 || strcmp(way, "skips_finalize") == 0)
        pause(); /* until the launcher ends this rank too */
    MPI_Finalize();
    if (is_the_one && strcmp(way, "fails_late") == 0) return 5;
    if (is_the_one && strcmp(way, "crashes_late") == 0) raise(SIGSEGV);
    return 0;
}
