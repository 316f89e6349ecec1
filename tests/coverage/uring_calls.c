/* io_uring through liburing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "did.h"

enum { block = 4096, blocks = 8 };
static char memory[blocks][block];
static struct io_uring ring;

static void did_async(const char* calls, const char* async, const char* bytes, int n, long each)
{
    did("posix", "file", calls, n);
    did("posix", "file", async, n);
    did("posix", "file", bytes, n * each);
}
static void did_reads(int n, long each) { did_async("reads", "async_reads", "bytes_read", n, each); }
static void did_writes(int n, long each) { did_async("writes", "async_writes", "bytes_written", n, each); }

static struct io_uring_sqe* entry(void)
{
    struct io_uring_sqe* const sqe = io_uring_get_sqe(&ring);
    MUST(sqe != NULL);
    return sqe;
}

static int take_one(void)
{
    struct io_uring_cqe* cqe = NULL;
    MUST(io_uring_wait_cqe(&ring, &cqe) == 0);
    const int result = cqe->res;
    io_uring_cqe_seen(&ring, cqe);
    return result;
}

static int alone(void)
{
    MUST(io_uring_submit(&ring) == 1);
    return take_one();
}

/* Every way to submit and to wait. The users' data are all the same. */
static void transfers(int fd)
{
    for (int n = 0; n < blocks; ++n) io_uring_prep_write(entry(), fd, memory[n], block, (long)n * block);
    MUST(io_uring_submit_and_wait(&ring, blocks) == blocks);
    for (int n = 0; n < blocks; ++n) MUST(take_one() == block);
    did_writes(blocks, block);
    did("posix", "file", "consecutive_writes", blocks - 1);

    struct io_uring_cqe* cqes[blocks];
    struct __kernel_timespec patience = {10, 0};
    io_uring_prep_read(entry(), fd, memory[0], block, 0);
    MUST(io_uring_submit(&ring) == 1);
    MUST(io_uring_wait_cqes(&ring, cqes, 1, &patience, NULL) == 0 && cqes[0]->res == block);
    io_uring_cqe_seen(&ring, cqes[0]);
    io_uring_prep_read(entry(), fd, memory[0], block, 2 * block);
    MUST(io_uring_submit_and_wait_timeout(&ring, cqes, 1, &patience, NULL) >= 0 && cqes[0]->res == block);
    io_uring_cqe_seen(&ring, cqes[0]);
    io_uring_prep_read(entry(), fd, memory[0], block, 4 * block);
    MUST(io_uring_submit_and_get_events(&ring) == 1);
    MUST(io_uring_wait_cqe_timeout(&ring, cqes, &patience) == 0 && cqes[0]->res == block);
    io_uring_cqe_seen(&ring, cqes[0]);
    io_uring_prep_read(entry(), fd, memory[0], block, blocks * block);
    MUST(io_uring_submit(&ring) == 1);
    while (io_uring_peek_batch_cqe(&ring, cqes, blocks) == 0) MUST(io_uring_get_events(&ring) >= 0);
    MUST(cqes[0]->res == 0);
    io_uring_cqe_seen(&ring, cqes[0]);
    did_reads(3, block);
    did_reads(1, 0);
    did("posix", "file", "sequential_reads", 3);

    const struct iovec pieces[2] = {{memory[0], block}, {memory[1], block}};
    io_uring_prep_writev(entry(), fd, pieces, 2, 0);
    MUST(alone() == 2 * block);
    did_writes(1, 2 * block);
    io_uring_prep_readv(entry(), fd, pieces, 2, 0);
    MUST(alone() == 2 * block);
    did_reads(1, 2 * block);
    io_uring_prep_fsync(entry(), fd, IORING_FSYNC_DATASYNC);
    MUST(alone() == 0);
    did("posix", "file", "syncs", 1);
    io_uring_prep_nop(entry());
    MUST(alone() == 0);
    io_uring_prep_fallocate(entry(), fd, 0, 0, block);
    MUST(alone() == 0);
    did("posix", "file", "truncates", 1);
    io_uring_prep_fadvise(entry(), fd, 0, block, POSIX_FADV_RANDOM);
    MUST(alone() == 0);
    did("posix", "file", "advices", 1);
}

/* At the descriptor's position, which then moves on. */
static void at_position(int fd)
{
    MUST(lseek(fd, block, SEEK_SET) == block);
    io_uring_prep_read(entry(), fd, memory[0], block, -1);
    MUST(alone() == block);
    MUST(read(fd, memory[0], block) == block);
    did("posix", "file", "seeks", 1);
    did_reads(1, block);
    did("posix", "file", "reads", 1);
    did("posix", "file", "bytes_read", block);
    did("posix", "file", "consecutive_reads", 1);
}

/* Files by their index, after their descriptors were closed. */
static void registered(void)
{
    int fds[2] = {-1, open("file", O_RDWR)};
    MUST(fds[1] >= 0);
    did("posix", "file", "opens", 1);
    MUST(io_uring_register_files(&ring, fds, 2) == 0);
    MUST(io_uring_register_files_update(&ring, 0, &fds[1], 1) == 1);
    MUST(close(fds[1]) == 0);
    did("posix", "file", "closes", 1);
    struct iovec piece = {memory[0], block};
    MUST(io_uring_register_buffers(&ring, &piece, 1) == 0);
    for (int index = 0; index < 2; ++index) {
        struct io_uring_sqe* const sqe = entry();
        io_uring_prep_write_fixed(sqe, index, memory[0], block, 0, 0);
        sqe->flags |= IOSQE_FIXED_FILE;
        MUST(alone() == block);
    }
    struct io_uring_sqe* const sqe = entry();
    io_uring_prep_read_fixed(sqe, 1, memory[0], block, 0, 0);
    sqe->flags |= IOSQE_FIXED_FILE;
    MUST(alone() == block);
    did_writes(2, block);
    did_reads(1, block);
    MUST(io_uring_unregister_files(&ring) == 0);
    MUST(io_uring_register_files_tags(&ring, fds, NULL, 1) == 0);
    MUST(io_uring_register_files_update_tag(&ring, 0, fds, NULL, 1) >= 0);
    MUST(io_uring_unregister_files(&ring) == 0);
}

/* Opened and closed by the ring; the number is used again by an ordinary open. */
static void opened(void)
{
    io_uring_prep_openat(entry(), AT_FDCWD, "other", O_CREAT | O_EXCL | O_RDWR, 0600);
    const int fd = alone();
    MUST(fd >= 0);
    did("posix", "other", "opens", 1);
    did("posix", "other", "creates", 1);
    MUST(write(fd, memory[0], block) == block);
    did("posix", "other", "writes", 1);
    did("posix", "other", "bytes_written", block);
    io_uring_prep_close(entry(), fd);
    MUST(alone() == 0);
    did("posix", "other", "closes", 1);
    const int again = open("third", O_CREAT | O_RDWR, 0600);
    MUST(again == fd && write(again, memory[0], block) == block && close(again) == 0);
    did("posix", "third", "opens", 1);
    did("posix", "third", "writes", 1);
    did("posix", "third", "bytes_written", block);
    did("posix", "third", "closes", 1);
    struct open_how how = {.flags = O_TRUNC | O_WRONLY};
    io_uring_prep_openat2(entry(), AT_FDCWD, "third", &how);
    const int emptied = alone();
    MUST(emptied >= 0 && close(emptied) == 0);
    did("posix", "third", "opens", 1);
    did("posix", "third", "creates", 2);
    did("posix", "third", "closes", 1);
}

static void failures(int fd)
{
    io_uring_prep_read(entry(), fd, (void*)8, block, 0);
    MUST(alone() == -EFAULT);
    did("posix", "file", "failed", 1);
    io_uring_prep_openat(entry(), AT_FDCWD, "absent/file", O_RDONLY, 0);
    MUST(alone() == -ENOENT);
    int ends[2];
    MUST(pipe(ends) == 0);
    io_uring_prep_write(entry(), ends[1], memory[0], block, 0);
    MUST(alone() == block);
    MUST(close(ends[0]) == 0 && close(ends[1]) == 0);
}

/* Many rounds without a call that tells of ends: they are taken out of the ring by hand. */
static void by_hand(int fd)
{
    for (int round = 0; round < 100; ++round) {
        io_uring_prep_read(entry(), fd, memory[0], block, 0);
        MUST(io_uring_submit(&ring) == 1);
        unsigned head = 0, n = 0;
        struct io_uring_cqe* cqe = NULL;
        while (n == 0) io_uring_for_each_cqe(&ring, head, cqe) ++n;
        io_uring_cq_advance(&ring, n);
    }
    did_reads(100, block);
}

/* One thread submits, another is told of the ends. */
static void* reaper(void* unused)
{
    (void)unused;
    for (int round = 0; round < 500; ++round) MUST(take_one() == block);
    return NULL;
}

static void two_threads(int fd)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, reaper, NULL) == 0);
    for (int round = 0; round < 500; ++round) {
        struct io_uring_sqe* sqe = NULL;
        while ((sqe = io_uring_get_sqe(&ring)) == NULL) usleep(10);
        io_uring_prep_read(sqe, fd, memory[0], block, 0);
        sqe->user_data = round;
        MUST(io_uring_submit(&ring) == 1);
    }
    MUST(pthread_join(thread, NULL) == 0);
    did_reads(500, block);
}

/* A child's ring is its own; what its parent has under way is the parent's. */
static void in_child(int fd)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct io_uring_params about;
        memset(&about, 0, sizeof about);
        MUST(io_uring_queue_init_params(4, &ring, &about) == 0);
        io_uring_prep_read(entry(), fd, memory[0], block, 0);
        MUST(alone() == block);
        io_uring_queue_exit(&ring);
        _exit(0);
    }
    int status = 0;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    did_reads(1, block);
}

int main(void)
{
    if (io_uring_queue_init(2 * blocks, &ring, 0) != 0) {
        WITHOUT("io_uring");
        return 77;
    }
    const int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "file", "opens", 1);
    transfers(fd);
    at_position(fd);
    registered();
    opened();
    failures(fd);
    by_hand(fd);
    two_threads(fd);
    in_child(fd);
    io_uring_queue_exit(&ring);
    MUST(close(fd) == 0);
    did("posix", "file", "closes", 1);
    return 0;
}
