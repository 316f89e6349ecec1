/* Preloaded into a program: its clock is ahead by WRONG_BY seconds. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now)
{
    const long result = syscall(SYS_clock_gettime, clock, now);
    const char* ahead = getenv("WRONG_BY");
    if (result == 0 && clock == CLOCK_REALTIME && ahead != NULL) now->tv_sec += atol(ahead);
    return (int)result;
}
