/* io_uring without liburing's rings: the system calls, by syscall() and by liburing's functions of their names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <liburing.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "did.h"

enum { block = 4096, blocks = 8 };
static char memory[blocks][block];

struct raw_ring {
    int fd;
    struct io_uring_params about;
    char *submissions, *completions;
    struct io_uring_sqe* entries;
    size_t submission_bytes, completion_bytes, entry_bytes;
};

static unsigned* word(char* base, unsigned offset) { return (unsigned*)(base + offset); }

static void map_ring(struct raw_ring* ring)
{
    const struct io_uring_params* const about = &ring->about;
    ring->submission_bytes = about->sq_off.array + about->sq_entries * sizeof(unsigned);
    ring->completion_bytes = about->cq_off.cqes + about->cq_entries * sizeof(struct io_uring_cqe);
    ring->entry_bytes = about->sq_entries * sizeof(struct io_uring_sqe);
    const int how = MAP_SHARED | MAP_POPULATE, may = PROT_READ | PROT_WRITE;
    ring->submissions = mmap(NULL, ring->submission_bytes, may, how, ring->fd, IORING_OFF_SQ_RING);
    ring->entries = mmap(NULL, ring->entry_bytes, may, how, ring->fd, IORING_OFF_SQES);
    ring->completions = mmap(NULL, ring->completion_bytes, may, how, ring->fd, IORING_OFF_CQ_RING);
    MUST(ring->submissions != MAP_FAILED && ring->completions != MAP_FAILED && (void*)ring->entries != MAP_FAILED);
}

static void unmap_ring(struct raw_ring* ring)
{
    MUST(munmap(ring->submissions, ring->submission_bytes) == 0);
    MUST(munmap(ring->completions, ring->completion_bytes) == 0);
    MUST(munmap(ring->entries, ring->entry_bytes) == 0);
    MUST(close(ring->fd) == 0);
}

static void put(struct raw_ring* ring, int opcode, int fd, int n, unsigned flags)
{
    unsigned* const tail = word(ring->submissions, ring->about.sq_off.tail);
    const unsigned at = *tail & *word(ring->submissions, ring->about.sq_off.ring_mask);
    struct io_uring_sqe* const sqe = &ring->entries[at];
    memset(sqe, 0, sizeof *sqe);
    sqe->opcode = opcode;
    sqe->flags = flags;
    sqe->fd = fd;
    sqe->addr = (unsigned long)memory[n];
    sqe->len = block;
    sqe->off = (unsigned long)n * block;
    sqe->user_data = n;
    word(ring->submissions, ring->about.sq_off.array)[at] = at;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static void take(struct raw_ring* ring, int n)
{
    unsigned* const head = word(ring->completions, ring->about.cq_off.head);
    const struct io_uring_cqe* const cqes = (void*)(ring->completions + ring->about.cq_off.cqes);
    for (; n > 0; --n) {
        MUST(__atomic_load_n(word(ring->completions, ring->about.cq_off.tail), __ATOMIC_ACQUIRE) != *head);
        MUST(cqes[*head & *word(ring->completions, ring->about.cq_off.ring_mask)].res == block);
        __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    }
}

static void did_async(const char* calls, const char* async, const char* bytes, int n)
{
    did("posix", "file", calls, n);
    did("posix", "file", async, n);
    did("posix", "file", bytes, (long)n * block);
}

/* Writes all, then reads one more by the index of a registered file. */
static void use(struct raw_ring* ring, int fd, int direct)
{
    for (int n = 0; n < blocks; ++n) put(ring, IORING_OP_WRITE, fd, n, 0);
    const long submitted = direct ? io_uring_enter(ring->fd, blocks, blocks, IORING_ENTER_GETEVENTS, NULL)
                                  : syscall(SYS_io_uring_enter, ring->fd, blocks, blocks, IORING_ENTER_GETEVENTS, NULL, 0);
    MUST(submitted == blocks);
    take(ring, blocks);
    did_async("writes", "async_writes", "bytes_written", blocks);
    MUST((direct ? io_uring_register(ring->fd, IORING_REGISTER_FILES, &fd, 1)
                 : syscall(SYS_io_uring_register, ring->fd, IORING_REGISTER_FILES, &fd, 1)) == 0);
    put(ring, IORING_OP_READ, 0, 1, IOSQE_FIXED_FILE);
    MUST((direct ? io_uring_enter2(ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0)
                 : syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0)) == 1);
    take(ring, 1);
    did_async("reads", "async_reads", "bytes_read", 1);
}

int main(void)
{
    struct raw_ring ring[2];
    memset(ring, 0, sizeof ring);
    ring[0].fd = syscall(SYS_io_uring_setup, blocks, &ring[0].about);
    ring[1].fd = io_uring_setup(blocks, &ring[1].about);
    if (ring[0].fd < 0 || ring[1].fd < 0) {
        WITHOUT("io_uring");
        return 77;
    }
    const int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "file", "opens", 1);
    for (int direct = 0; direct < 2; ++direct) {
        map_ring(&ring[direct]);
        use(&ring[direct], fd, direct);
        unmap_ring(&ring[direct]);
    }
    struct io_uring_params about;
    memset(&about, 0, sizeof about);
    struct io_uring liburing;
    const int made = io_uring_setup(blocks, &about);
    MUST(made >= 0 && io_uring_queue_mmap(made, &about, &liburing) == 0);
    struct io_uring_cqe* cqe = NULL;
    io_uring_prep_read(io_uring_get_sqe(&liburing), fd, memory[0], block, 0);
    MUST(io_uring_submit(&liburing) == 1 && io_uring_wait_cqe(&liburing, &cqe) == 0 && cqe->res == block);
    did_async("reads", "async_reads", "bytes_read", 1);
    io_uring_queue_exit(&liburing);
    MUST(close(fd) == 0);
    did("posix", "file", "closes", 1);
    return 0;
}
