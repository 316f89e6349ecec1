/* Computes, then writes: compute_and_write FILE BYTES REQUEST UNITS. Unbuffered (O_DIRECT); prints the seconds of both. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char** argv)
{
    if (argc != 5) return 2;
    const double began = now();
    const long bytes = atol(argv[2]), request = atol(argv[3]), units = atol(argv[4]);
    volatile double sum = 0;
    for (long unit = 0; unit < units; ++unit)
        for (long step = 1; step < 1000000; ++step) sum += 1.0 / (double)step;
    const double computed = now();
    void* buffer = NULL;
    if (posix_memalign(&buffer, 4096, (size_t)request) != 0) return 1;
    const int file = open(argv[1], O_CREAT | O_WRONLY | O_DIRECT, 0644);
    if (file < 0) return 1;
    for (long done = 0; done < bytes; done += request)
        if (pwrite(file, buffer, (size_t)request, done) != request) return 1;
    close(file);
    printf("%f %f\n", computed - began, now() - computed);
    return 0;
}
