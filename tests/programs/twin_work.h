/* What twins do besides I/O: they compute, and make up numbers. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void compute(double cpu_seconds)
{
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + cpu_seconds;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) continue;
}

static uint64_t random_state = 7;
static inline uint64_t random_below(uint64_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (random_state >> 33) % limit;
}
