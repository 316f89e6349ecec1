/* A rank that writes a file of its own and then ends as its first argument says; the second is a folder.
 *
 * Words of the first: "deaf" to SIGTERM; "slow": between writes; rank 1 "abort"s, "exit"s without
 * MPI_Finalize, gets SIGSEGV ("segv") or SIGKILL ("kill"); the others "wait" for two seconds; "after": writes
 * behind MPI_Finalize. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WRITES = 50, BYTES = 1000 };

static int write_some(int fd, int writes, unsigned pause_us)
{
    char block[BYTES];
    memset(block, 'x', sizeof block);
    for (int done = 0; done < writes; ++done) {
        if (write(fd, block, sizeof block) != sizeof block) return -1;
        if (pause_us > 0) usleep(pause_us);
    }
    return 0;
}

int main(int count, char** words)
{
    const char* const how = words[1];
    if (strstr(how, "deaf") != NULL) signal(SIGTERM, SIG_IGN);
    MPI_Init(&count, &words);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char path[4096];
    snprintf(path, sizeof path, "%s/rank.%d", words[2], rank);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write_some(fd, WRITES, 0) != 0) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (write_some(fd, WRITES, strstr(how, "slow") != NULL ? 3000 : 0) != 0) return 1;
    if (rank == 1) {
        if (strstr(how, "abort") != NULL) MPI_Abort(MPI_COMM_WORLD, 5);
        if (strstr(how, "exit") != NULL) _exit(3);
        if (strstr(how, "segv") != NULL) raise(SIGSEGV);
        if (strstr(how, "kill") != NULL) raise(SIGKILL);
    }
    for (int wait = 0; strstr(how, "wait") != NULL && wait < 100; ++wait) usleep(20000);
    MPI_Finalize();
    return strstr(how, "after") != NULL && write_some(fd, WRITES, 0) != 0;
}
