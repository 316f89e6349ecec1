/* Locks, and advice on what will be read. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "posix.h"

#define LOCKS(condition) DID("file", "locks", condition)
#define ADVISES(condition) DID("file", "advices", condition)

static void locks(int fd, int other)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    LOCKS(flock(fd, LOCK_EX) == 0);
    FAILED("file", flock(other, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK);
    LOCKS(flock(fd, LOCK_UN) == 0);
    LOCKS(lockf(fd, F_LOCK, 10) == 0);
    LOCKS(lockf64(fd, F_ULOCK, 10) == 0);
    LOCKS(fcntl(fd, F_SETLK, &whole) == 0);
    LOCKS(fcntl(fd, F_SETLKW, &whole) == 0);
    LOCKS(fcntl(fd, F_GETLK, &whole) == 0);
    LOCKS(fcntl64(fd, F_SETLK, &whole) == 0);
    FAILED("file", fcntl(fd, F_SETLK, NULL) < 0 && errno == EFAULT);
    MUST(fcntl(fd, F_GETFL) >= 0); /* no lock */
}

static void description_locks(int fd, int other)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct flock asked = whole;
    LOCKS(fcntl(fd, F_OFD_SETLK, &whole) == 0);
    LOCKS(fcntl(fd, F_OFD_SETLKW, &whole) == 0);
    LOCKS(fcntl(other, F_OFD_GETLK, &asked) == 0 && asked.l_type == F_WRLCK);
    FAILED("file", fcntl(other, F_OFD_SETLK, &whole) < 0 && errno == EAGAIN);
    whole.l_type = F_UNLCK;
    LOCKS(fcntl(fd, F_OFD_SETLK, &whole) == 0);
}

/* A lock that another process holds for 200 ms. */
static void waits(int fd)
{
    int ready[2], status = 1;
    char byte = 0;
    MUST(pipe(ready) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const int own = open("file", O_RDWR);
        const int locked = flock(own, LOCK_EX);
        if (write(ready[1], &byte, 1) != 1) _exit(1);
        usleep(200000);
        _exit(locked);
    }
    did("posix", "file", "opens", 1);
    did("posix", "file", "locks", 1);
    MUST(read(ready[0], &byte, 1) == 1);
    LOCKS(flock(fd, LOCK_EX) == 0);
    did_at_least("posix", "file", "lock_time", 20000000);
    did_at_least("posix", "file", "metadata_time", 20000000);
    MUST(waitpid(child, &status, 0) == child && status == 0);
}

static void advice(int fd)
{
    ADVISES(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL) == 0);
    ADVISES(posix_fadvise64(fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
    ADVISES(readahead(fd, 0, 4096) == 0);
    ADVISES(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) == 0);
    did("posix", "file", "random_advices", 1);
    FAILED("file", posix_fadvise(fd, 0, 0, 1000) == EINVAL);
}

int main(void)
{
    int pipes[2];
    const int fd = opened("file", O_RDWR), other = opened("file", O_RDWR);
    locks(fd, other);
    description_locks(fd, other);
    waits(fd);
    advice(fd);
    MUST(pipe(pipes) == 0 && posix_fadvise(pipes[0], 0, 0, POSIX_FADV_NORMAL) == ESPIPE);
    MUST(flock(pipes[0], LOCK_EX) == 0);
    closed(other, "file");
    closed(fd, "file");
    return 0;
}
