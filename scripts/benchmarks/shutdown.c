// Uses files, then says how long MPI_Finalize took and how far this process's memory grew in it.
//
//   shutdown shared|own FILES FOLDER RESULTS
//
// Each rank opens FILES files, writes 64 bytes to each and closes it: the same files as all others, at an
// offset of its own, or files that no other rank uses. It leaves "seconds cpu_seconds KIB_before KIB_after" in
// RESULTS.rank.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The most memory that was ever resident, as the kernel counts it.
static long peak_kib(void)
{
    char line[256];
    long kib = -1;
    FILE* const status = fopen("/proc/self/status", "r");
    while (status != NULL && kib < 0 && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0) kib = atol(line + 6);
    if (status != NULL) fclose(status);
    return kib;
}

// From here on the peak is that of what comes: "5" sets it to what is resident now.
static void forget_peak(void)
{
    FILE* const file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL || fputs("5", file) < 0 || fclose(file) != 0) perror("/proc/self/clear_refs");
}

static void use_file(const char* path, long offset)
{
    static const char data[64] = "written by one rank";
    const int fd = open(path, O_WRONLY | O_CREAT, 0666);
    if (fd < 0 || pwrite(fd, data, sizeof data, offset) != (ssize_t)sizeof data || close(fd) != 0) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char** argv)
{
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 5) {
        if (rank == 0) fprintf(stderr, "usage: %s shared|own FILES FOLDER RESULTS\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int shared = strcmp(argv[1], "shared") == 0;
    const long files = atol(argv[2]);
    char path[4096];
    for (long file = 0; file < files; ++file) {
        if (shared)
            snprintf(path, sizeof path, "%s/data.%06ld", argv[3], file);
        else
            snprintf(path, sizeof path, "%s/rank.%05d.%06ld", argv[3], rank, file);
        use_file(path, shared ? 64L * rank : 0);
    }

    forget_peak();
    const long before = peak_kib();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
    MPI_Finalize();
    const double end = now(CLOCK_MONOTONIC), cpu_end = now(CLOCK_PROCESS_CPUTIME_ID);
    const long after = peak_kib();

    snprintf(path, sizeof path, "%s.%d", argv[4], rank);
    FILE* const results = fopen(path, "w");
    if (results == NULL ||
        fprintf(results, "%.9f %.9f %ld %ld\n", end - start, cpu_end - cpu_start, before, after) < 0 ||
        fclose(results) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}
