/* Sleeps between two calls by the same path, the first of which failed; and those that are none. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>

#include "posix.h"

static void misses(const char* path)
{
    FAILED(NOT_OPENED, access(path, F_OK) < 0 && errno == ENOENT);
}

/* Of the one process that there is. */
static void polls(int n)
{
    did("processes", "<all>", "polls", n);
}

#define SLEEPS(call)       \
    do {                   \
        misses("none");    \
        MUST((call) == 0); \
        misses("none");    \
        polls(1);          \
    } while (0)
#define SLEEPS_FOR_NOTHING(call) \
    do {                         \
        misses("none");          \
        MUST((call) == 0);       \
    } while (0)

/* For a lock that somebody has: by another description here. */
static void sleeps_for_a_lock(int fd)
{
    const int other = opened("file", O_RDWR);
    DID("file", "locks", flock(fd, LOCK_EX) == 0);
    FAILED("file", flock(other, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK);
    MUST(usleep(2000) == 0);
    FAILED("file", flock(other, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK);
    DID("file", "locks", flock(fd, LOCK_UN) == 0);
    MUST(usleep(2000) == 0); /* after another call */
    FAILED("file", flock(other, 0) < 0 && errno == EINVAL);
    closed(other, "file");
    polls(1);
}

static void* makes_it_soon(void* unused)
{
    (void)unused;
    MUST(usleep(50000) == 0);
    closed(opened("late", O_RDWR), "late");
    return NULL;
}

/* It is there for most of the sleep. */
static void oversleeps(void)
{
    pthread_t other;
    MUST(pthread_create(&other, NULL, makes_it_soon, NULL) == 0);
    misses("late");
    MUST(usleep(1000000) == 0);
    DID("late", "stats", access("late", F_OK) == 0);
    MUST(pthread_join(other, NULL) == 0);
    polls(1);
}

int main(void)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    struct timeval short_time = {.tv_usec = 2000};
    const int fd = opened("file", O_RDWR);
    SLEEPS(sleep(0));
    SLEEPS(usleep(2000));
    SLEEPS(nanosleep(&moment, NULL));
    SLEEPS(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
    SLEEPS(select(0, NULL, NULL, NULL, &short_time));
    did_at_least("processes", "<all>", "poll_time", 7 * 2000000);
    did_at_least("processes", "<all>", "poll_failed_time", 4 * 2000000);

    /* What was waited for is there: by an open, a call by path, and a stream. None was there before, so that all
     * of these sleeps were in vain. */
    misses("made");
    MUST(usleep(2000) == 0);
    closed(opened("made", O_RDWR), "made");
    misses("folder");
    MUST(usleep(2000) == 0);
    DID("folder", "directory_changes", mkdir("folder", 0700) == 0);
    misses("stream");
    MUST(usleep(2000) == 0);
    FILE* const stream = fopen("stream", "w");
    MUST(stream != NULL && fclose(stream) == 0);
    did("stdio", "stream", "opens", 1);
    did("stdio", "stream", "closes", 1);
    polls(3);

    sleeps_for_a_lock(fd);
    oversleeps();
    did_at_least("processes", "<all>", "poll_time", 1000000000);
    did_at_most("processes", "<all>", "poll_failed_time", 500000000);

    /* Another path, another call in between, no sleep, and a wait for a descriptor. */
    SLEEPS_FOR_NOTHING(usleep(1000));
    misses("other");
    misses("none");
    MUST(usleep(1000) == 0);
    DID("file", "stats", faccessat(AT_FDCWD, "file", F_OK, 0) == 0);
    misses("none");
    MUST(usleep(1000) == 0);
    WRITES("file", 1, write(fd, "1", 1));
    misses("none");
    misses("none");
    fd_set set;
    FD_ZERO(&set);
    short_time.tv_usec = 1000;
    int pipes[2];
    MUST(pipe(pipes) == 0);
    FD_SET(pipes[0], &set);
    MUST(select(pipes[0] + 1, &set, NULL, NULL, &short_time) == 0);
    misses("none");
    closed(fd, "file");
    return 0;
}
