/* What the programs for POSIX calls have in common. */
#ifndef POSIX_H
#define POSIX_H

#include <fcntl.h>
#include <unistd.h>

#include "did.h"

#define NOT_OPENED "<not opened>" /* where calls by path that failed are counted */

/* One call that must succeed, and the counter that it adds one to. */
#define DID(path, counter, condition)   \
    do {                                \
        MUST(condition);                \
        did("posix", path, counter, 1); \
    } while (0)

/* One call that must fail, on a file that is open or, with NOT_OPENED, by a path that leads nowhere. */
#define FAILED(path, condition) DID(path, "failed", condition)

/* A read or write that must move n bytes. */
#define MOVED(path, calls, bytes, n, call)       \
    do {                                         \
        MUST((call) == (ssize_t)(n));            \
        did("posix", path, calls, 1);            \
        did("posix", path, bytes, (ssize_t)(n)); \
    } while (0)
#define READS(path, n, call) MOVED(path, "reads", "bytes_read", n, call)
#define WRITES(path, n, call) MOVED(path, "writes", "bytes_written", n, call)

static inline int opened(const char* path, int flags)
{
    const int fd = open(path, flags | O_CREAT, 0600);
    DID(path, "opens", fd >= 0);
    return fd;
}

static inline void closed(int fd, const char* path)
{
    DID(path, "closes", close(fd) == 0);
}

#endif
