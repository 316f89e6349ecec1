/* POSIX AIO. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "did.h"

enum { block = 4096, blocks = 8 };
static char memory[blocks][block];

static struct aiocb at_block(int fd, int n)
{
    struct aiocb what;
    memset(&what, 0, sizeof what);
    what.aio_fildes = fd;
    what.aio_buf = memory[n];
    what.aio_nbytes = block;
    what.aio_offset = (off_t)n * block;
    what.aio_sigevent.sigev_notify = SIGEV_NONE;
    return what;
}

/* Waits as programs do; aio_error tells of the end once, and may be asked again. */
static ssize_t finish(struct aiocb* what)
{
    const struct aiocb* const list[] = {NULL, what};
    while (aio_error(what) == EINPROGRESS) MUST(aio_suspend(list, 2, NULL) == 0 || errno == EINTR);
    const int error = aio_error(what);
    const ssize_t result = aio_return(what);
    return error == 0 ? result : -error;
}

static void did_async(const char* file, const char* calls, const char* async, const char* bytes, int n, long each)
{
    did("posix", file, calls, n);
    did("posix", file, async, n);
    did("posix", file, bytes, n * each);
}

static void one_by_one(int fd)
{
    for (int n = 0; n < blocks; ++n) {
        struct aiocb what = at_block(fd, n);
        MUST(aio_write(&what) == 0);
        MUST(finish(&what) == block);
    }
    did_async("file", "writes", "async_writes", "bytes_written", blocks, block);
    did("posix", "file", "consecutive_writes", blocks - 1);
    struct aiocb sync = at_block(fd, 0);
    MUST(aio_fsync(O_SYNC, &sync) == 0);
    MUST(finish(&sync) == 0);
    did("posix", "file", "syncs", 1);
}

/* All at once; the ends are asked for by aio_return alone, in another order. */
static void all_at_once(int fd)
{
    struct aiocb what[blocks];
    for (int n = 0; n < blocks; ++n) {
        what[n] = at_block(fd, n);
        MUST(aio_read(&what[n]) == 0);
    }
    for (int n = blocks - 1; n >= 0; --n) {
        const struct aiocb* const list[] = {&what[n]};
        while (aio_error(&what[n]) == EINPROGRESS) MUST(aio_suspend(list, 1, NULL) == 0 || errno == EINTR);
        MUST(aio_return(&what[n]) == block);
    }
    did_async("file", "reads", "async_reads", "bytes_read", blocks, block);
    did("posix", "file", "consecutive_reads", blocks - 1);
}

/* A list that is waited for, and one that is not; at the end of the file there is nothing. */
static void lists(int fd)
{
    struct aiocb what[blocks];
    struct aiocb* list[blocks + 1];
    for (int n = 0; n < blocks; ++n) {
        what[n] = at_block(fd, n);
        what[n].aio_lio_opcode = n % 2 == 0 ? LIO_READ : LIO_WRITE;
        list[n] = &what[n];
    }
    list[blocks] = NULL;
    MUST(lio_listio(LIO_WAIT, list, blocks + 1, NULL) == 0);
    did_async("file", "reads", "async_reads", "bytes_read", blocks / 2, block);
    did_async("file", "writes", "async_writes", "bytes_written", blocks / 2, block);
    MUST(aio_error(&what[0]) == 0 && aio_return(&what[0]) == block);

    what[0].aio_lio_opcode = what[2].aio_lio_opcode = LIO_READ;
    what[0].aio_offset = (off_t)blocks * block;
    what[1].aio_lio_opcode = LIO_NOP;
    MUST(lio_listio(LIO_NOWAIT, list, 3, NULL) == 0);
    MUST(finish(&what[0]) == 0 && finish(&what[2]) == block);
    did_async("file", "reads", "async_reads", "bytes_read", 1, 0);
    did_async("file", "reads", "async_reads", "bytes_read", 1, block);
    did_at_least("posix", "file", "strided_reads", 3); /* a block's gap again: at 4, 6, and the end */

    MUST(lio_listio(-1, list, 1, NULL) == -1 && errno == EINVAL);
}

/* It cannot be read; an operation that libc refuses; a cancelled one, which may be too late; no file at all. */
static void failures(void)
{
    const int fd = open("writable", O_CREAT | O_WRONLY, 0600);
    MUST(fd >= 0);
    did("posix", "writable", "opens", 1);
    struct aiocb what = at_block(fd, 0);
    MUST(aio_read(&what) == 0);
    MUST(finish(&what) == -EBADF);
    did("posix", "writable", "failed", 1);
    what.aio_reqprio = -1;
    MUST(aio_write(&what) == -1 && errno == EINVAL);
    did("posix", "writable", "failed", 1);

    what = at_block(fd, 1);
    MUST(aio_write(&what) == 0);
    const int cancelled = aio_cancel(fd, &what);
    const ssize_t result = finish(&what);
    MUST((cancelled == AIO_CANCELED) == (result == -ECANCELED));
    if (result == block)
        did_async("writable", "writes", "async_writes", "bytes_written", 1, block);
    else
        did("posix", "writable", "failed", 1);
    MUST(close(fd) == 0);
    did("posix", "writable", "closes", 1);

    int ends[2];
    MUST(pipe(ends) == 0);
    what = at_block(ends[1], 0);
    MUST(aio_write(&what) == 0);
    MUST(finish(&what) == block);
    MUST(close(ends[0]) == 0 && close(ends[1]) == 0);
}

/* A handler is told of the end, and asks for the result, while the program goes on submitting. */
static struct aiocb told[blocks];
static volatile sig_atomic_t answered, wrong;

static void ended(int signal, siginfo_t* about, void* unused)
{
    (void)signal, (void)unused;
    struct aiocb* const what = about->si_value.sival_ptr;
    wrong += aio_error(what) != 0 || aio_return(what) != block;
    ++answered;
}

static void handler(int fd)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = ended;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    MUST(sigaction(SIGRTMIN, &action, NULL) == 0);
    for (int round = 1; round <= 20; ++round) {
        for (int n = 0; n < blocks; ++n) {
            told[n] = at_block(fd, n);
            told[n].aio_sigevent.sigev_notify = SIGEV_SIGNAL;
            told[n].aio_sigevent.sigev_signo = SIGRTMIN;
            told[n].aio_sigevent.sigev_value.sival_ptr = &told[n];
            MUST(aio_read(&told[n]) == 0);
        }
        while (answered < round * blocks) usleep(100);
    }
    MUST(wrong == 0);
    did_async("file", "reads", "async_reads", "bytes_read", 20 * blocks, block);
    did("posix", "file", "consecutive_reads", 20 * (blocks - 1));
}

int main(void)
{
    const int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "file", "opens", 1);
    one_by_one(fd);
    all_at_once(fd);
    lists(fd);
    handler(fd);
    MUST(close(fd) == 0);
    did("posix", "file", "closes", 1);
    failures();
    return 0;
}
