/* libaio. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "did.h"

enum { block = 4096, blocks = 8 };
static char memory[blocks][block];
static io_context_t context;

static void did_async(const char* calls, const char* async, const char* bytes, int n, long each)
{
    did("posix", "file", calls, n);
    did("posix", "file", async, n);
    did("posix", "file", bytes, n * each);
}

static void reap(int n, long result)
{
    struct io_event events[blocks];
    for (int got = 0; got < n;) {
        const int more = io_getevents(context, 1, n - got, events, NULL);
        MUST(more > 0);
        for (int at = 0; at < more; ++at) MUST((long)events[at].res == result);
        got += more;
    }
}

static void transfers(int fd)
{
    struct iocb what[blocks];
    struct iocb* list[blocks];
    for (int n = 0; n < blocks; ++n) {
        io_prep_pwrite(list[n] = &what[n], fd, memory[n], block, (long)n * block);
    }
    MUST(io_submit(context, blocks, list) == blocks);
    reap(blocks, block);
    did_async("writes", "async_writes", "bytes_written", blocks, block);
    did("posix", "file", "consecutive_writes", blocks - 1);

    for (int n = 0; n < blocks; ++n) {
        io_prep_pread(&what[n], fd, memory[n], block, (long)n * 2 * block);
        MUST(io_submit(context, 1, &list[n]) == 1);
        reap(1, n < blocks / 2 ? block : 0);
    }
    did_async("reads", "async_reads", "bytes_read", blocks / 2, block);
    did_async("reads", "async_reads", "bytes_read", blocks / 2, 0);
    did("posix", "file", "sequential_reads", blocks - 1);
}

static void vectors_and_syncs(int fd)
{
    const struct iovec pieces[2] = {{memory[0], block}, {memory[1], block}};
    struct iocb what[2];
    struct iocb* list[2] = {&what[0], &what[1]};
    io_prep_pwritev(&what[0], fd, pieces, 2, 0);
    io_prep_pwritev(&what[1], fd, pieces, 2, 2 * block);
    MUST(io_submit(context, 2, list) == 2);
    reap(2, 2 * block);
    did_async("writes", "async_writes", "bytes_written", 2, 2 * block);
    did("posix", "file", "consecutive_writes", 1);
    io_prep_preadv(&what[0], fd, pieces, 2, 0);
    MUST(io_submit(context, 1, list) == 1);
    struct io_event event;
    MUST(io_pgetevents(context, 1, 1, &event, NULL, NULL) == 1 && event.res == 2 * block);
    did_async("reads", "async_reads", "bytes_read", 1, 2 * block);
    io_prep_fsync(&what[0], fd);
    io_prep_fdsync(&what[1], fd);
    MUST(io_submit(context, 2, list) == 2);
    reap(2, 0);
    did("posix", "file", "syncs", 2);
}

/* The second of a list is refused, and so is a list that is none. A wait ends without an event. */
static void failures(int fd)
{
    struct iocb what[2];
    struct iocb* list[2] = {&what[0], &what[1]};
    io_prep_pread(&what[0], fd, memory[0], block, 0);
    io_prep_pread(&what[1], fd, memory[1], block, block);
    what[1].aio_lio_opcode = 77;
    MUST(io_submit(context, 2, list) == 1);
    struct io_event event;
    MUST(io_cancel(context, &what[0], &event) < 0);
    reap(1, block);
    did_async("reads", "async_reads", "bytes_read", 1, block);
    what[0].aio_rw_flags = -1;
    MUST(io_submit(context, 1, list) < 0);
    did("posix", "file", "failed", 1);
    struct iocb** volatile nowhere = (struct iocb**)8;
    MUST(io_submit(context, 1, nowhere) == -EFAULT);
    list[0] = (struct iocb*)nowhere;
    MUST(io_submit(context, 1, list) == -EFAULT);
    struct timespec moment = {0, 1000};
    MUST(io_getevents(context, 1, 1, &event, &moment) == 0);
}

/* One thread submits, another is told of the ends. */
static void* reaper(void* unused)
{
    (void)unused;
    for (int round = 0; round < 200; ++round) reap(1, 512);
    return NULL;
}

static void two_threads(int fd)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, reaper, NULL) == 0);
    static struct iocb what[200];
    for (int round = 0; round < 200; ++round) {
        struct iocb* one = &what[round];
        io_prep_pwrite(one, fd, memory[0], 512, round * 512L);
        while (io_submit(context, 1, &one) == -EAGAIN) {
            did("posix", "file", "failed", 1);
            usleep(100);
        }
    }
    MUST(pthread_join(thread, NULL) == 0);
    did_async("writes", "async_writes", "bytes_written", 200, 512);
    did("posix", "file", "consecutive_writes", 199);
}

int main(void)
{
    if (io_setup(2 * blocks, &context) != 0) {
        WITHOUT("libaio");
        return 77;
    }
    const int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "file", "opens", 1);
    transfers(fd);
    vectors_and_syncs(fd);
    failures(fd);
    two_threads(fd);
    MUST(close(fd) == 0);
    did("posix", "file", "closes", 1);
    MUST(io_destroy(context) == 0);
    return 0;
}
