// Moves so many MiB in accesses of 1 MiB, from a moment on, and says how long that took.
//
//   side_by_side write|read private|shared MIB FOLDER/NAME START
//
// All ranks together move MIB: each to a file of its own, NAME.rank, or to its part of one file, NAME. A
// write is followed by fsync; reads go around the page cache. All wait for START, seconds of UNIX time, and
// for one another; rank 0 prints "seconds since START at which they began, seconds until the last one was
// done".
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK (1 << 20)

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char* what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv)
{
    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6) {
        fprintf(stderr, "usage: side_by_side write|read private|shared MIB FOLDER/NAME START\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int writes = strcmp(argv[1], "write") == 0, private = strcmp(argv[2], "private") == 0;
    const int blocks = atoi(argv[3]) / ranks;
    const double start = atof(argv[5]);
    char path[4096];
    snprintf(path, sizeof path, private ? "%s.%d" : "%s", argv[4], rank);
    const off_t first = private ? 0 : (off_t)rank * blocks * BLOCK;
    char* block = NULL;
    if (posix_memalign((void**)&block, 4096, BLOCK) != 0) fail("memory");
    memset(block, 'a' + rank % 26, BLOCK);
    const int file = open(path, writes ? O_WRONLY | O_CREAT : O_RDONLY | O_DIRECT, 0644);
    if (file < 0) fail(path);
    while (now() < start) usleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now();
    for (int at = 0; at < blocks; ++at) {
        const off_t offset = first + (off_t)at * BLOCK;
        if (writes ? pwrite(file, block, BLOCK, offset) != BLOCK || fsync(file) != 0
                   : pread(file, block, BLOCK, offset) != BLOCK)
            fail(path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double end = now();
    if (rank == 0) printf("%.3f %.3f\n", begin - start, end - begin);
    close(file);
    MPI_Finalize();
    return 0;
}
