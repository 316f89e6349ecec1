/* Duplicating and closing descriptors, in ways that leave their numbers to other files. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/close_range.h>

#include "posix.h"

static void duplicates(void)
{
    const int fd = opened("dups", O_RDWR), over = opened("over", O_RDWR);
    WRITES("dups", 10, write(fd, "0123456789", 10));
    int copy[6];
    DID("dups", "dups", (copy[0] = dup(fd)) >= 0);
    DID("dups", "dups", (copy[1] = fcntl(fd, F_DUPFD, 100)) >= 100);
    DID("dups", "dups", (copy[2] = fcntl64(fd, F_DUPFD_CLOEXEC, 100)) >= 100);
    DID("dups", "dups", (copy[3] = dup2(fd, 150)) == 150);
    DID("dups", "dups", (copy[4] = dup3(fd, 151, O_CLOEXEC)) == 151);
    DID("dups", "dups", (copy[5] = dup2(fd, over)) == over); /* what `over` was is closed without a call */
    DID("dups", "dups", dup2(fd, fd) == fd);
    /* They share one position. */
    for (int i = 0; i < 6; ++i) {
        WRITES("dups", 10, write(copy[i], "0123456789", 10));
        did("posix", "dups", "consecutive_writes", 1);
        closed(copy[i], "dups");
    }
    FAILED("dups", dup2(fd, -1) < 0 && errno == EBADF);
    FAILED("dups", fcntl(fd, F_DUPFD, -1) < 0 && errno == EINVAL);
    FAILED("dups", dup3(fd, fd, 0) < 0 && errno == EINVAL);
    did("posix", "dups", "highest_written", 70);
    closed(fd, "dups");
    MUST(close(fd) < 0 && errno == EBADF); /* no file of that number: nobody's failure */
    MUST(dup(fd) < 0 && errno == EBADF);
}

static int same_number(const char* path, int number)
{
    const int fd = opened(path, O_RDWR);
    MUST(fd == number);
    WRITES(path, 3, write(fd, "abc", 3));
    return fd;
}

/* The number is given to one file after another; the calls before are the ways to lose it. */
static void numbers_given_again(void)
{
    int pipes[2];
    const int fd = opened("first", O_RDWR);
    MUST(close_range((unsigned)fd, (unsigned)fd, 0) == 0);
    same_number("second", fd);
    MUST(close_range((unsigned)fd, ~0u, CLOSE_RANGE_CLOEXEC) == 0); /* closes nothing */
    WRITES("second", 2, write(fd, "de", 2));
    did("posix", "second", "consecutive_writes", 1);
    closefrom(fd);
    same_number("third", fd);
    MUST(pipe(pipes) == 0);
    MUST(dup2(pipes[1], fd) == fd); /* a pipe now */
    WRITES("<pipe>", 3, write(fd, "abc", 3));
    MUST(close(fd) == 0);
    same_number("fourth", fd);
    const int fifth = opened("fifth", O_RDWR);
    DID("fifth", "dups", dup2(fifth, fd) == fd);
    closed(fifth, "fifth");
    WRITES("fifth", 4, write(fd, "abcd", 4)); /* the copy lives on */
    closed(fd, "fifth");
    MUST(read(fd, pipes, 1) < 0 && errno == EBADF);
    closefrom(-1 < pipes[0] ? pipes[0] : 0);
}

int main(void)
{
    duplicates();
    numbers_given_again();
    return 0;
}
