/* Makes calls at its own pace and says when each began and ended, so that times that were recorded can be
 * judged.
 *
 * usage: paced write FILE CALLS BYTES PAUSE_MS   appends
 *        paced read FILE CALLS BYTES PAUSE_MS    of a FIFO: as long as nobody writes
 *        paced lock FILE CALLS 0 PAUSE_MS        and unlocks: as long as somebody else holds the lock
 *
 * Prints a line per call: its begin and end in nanoseconds of UNIX time, and what it returned.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void pass(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv)
{
    if (argc != 6) errx(2, "usage: paced write|read|lock FILE CALLS BYTES PAUSE_MS");
    const bool writes = strcmp(argv[1], "write") == 0, locks = strcmp(argv[1], "lock") == 0;
    const long calls = atol(argv[3]), bytes = atol(argv[4]), pause_ms = atol(argv[5]);
    char* const memory = calloc(1, (size_t)bytes + 1);
    const int fd = open(argv[2], writes ? O_WRONLY | O_CREAT | O_APPEND : O_RDONLY, 0644);
    if (memory == NULL || fd < 0) err(1, "%s", argv[2]);
    for (long i = 0; i < calls; ++i) {
        const int64_t begin = now();
        const ssize_t done = writes  ? write(fd, memory, (size_t)bytes)
                             : locks ? flock(fd, LOCK_EX)
                                     : read(fd, memory, (size_t)bytes);
        const int64_t end = now();
        if (done < 0) err(1, "%s", argv[2]);
        printf("%" PRId64 " %" PRId64 " %zd\n", begin, end, done);
        fflush(stdout);
        if (locks) flock(fd, LOCK_UN);
        pass(pause_ms);
    }
    close(fd);
    free(memory);
    return 0;
}
