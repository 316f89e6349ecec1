/* Mappings and asynchronous I/O by number, without the functions that stand for them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "did.h"

enum { page = 4096, pages = 8 };
static char memory[page];

static void mapped(void)
{
    const int fd = open("mapped", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0 && ftruncate(fd, pages * page) == 0);
    did("posix", "mapped", "opens", 1);
    did("posix", "mapped", "truncates", 1);
    char* at = (char*)syscall(SYS_mmap, 0L, (long)pages * page, (long)(PROT_READ | PROT_WRITE), (long)MAP_SHARED, (long)fd, 0L);
    MUST(at != MAP_FAILED);
    did("posix", "mapped", "maps", 1);
    did("posix", "mapped", "mapped_bytes", (long)pages * page);
    memset(at, 1, pages * page);
    MUST(syscall(SYS_msync, at, (long)page, (long)MS_SYNC) == 0);
    did("posix", "mapped", "syncs", 1);
    MUST(syscall(SYS_madvise, at, (long)page, (long)MADV_RANDOM) == 0);
    did("posix", "mapped", "advices", 1);
    at = (char*)syscall(SYS_mremap, at, (long)pages * page, (long)pages / 2 * page, 0L, 0L);
    MUST(at != MAP_FAILED);
    MUST(syscall(SYS_munmap, at, (long)pages / 2 * page) == 0);
    did("posix", "mapped", "map_bytes_written", (long)pages * page);
    MUST(syscall(SYS_mmap, 0L, (long)page, (long)PROT_READ, (long)MAP_SHARED, (long)fd, 1L) == -1);
    did("posix", "mapped", "failed", 1);
    MUST(close(fd) == 0);
    did("posix", "mapped", "closes", 1);
}

/* One operation after the other, told of by each of the two calls. */
static void asynchronous(void)
{
    aio_context_t context = 0;
    if (syscall(SYS_io_setup, (long)pages, &context) != 0) {
        WITHOUT("libaio's system calls");
        return;
    }
    const int fd = open("submitted", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "submitted", "opens", 1);
    struct iocb what = {.aio_lio_opcode = IOCB_CMD_PWRITE, .aio_fildes = (unsigned)fd, .aio_buf = (unsigned long)memory,
                        .aio_nbytes = page};
    struct iocb* list = &what;
    struct io_event event;
    MUST(syscall(SYS_io_submit, context, 1L, &list) == 1);
    MUST(syscall(SYS_io_cancel, context, &what, &event) < 0); /* a file's operations cannot be called off */
    MUST(syscall(SYS_io_getevents, context, 1L, 1L, &event, 0L) == 1 && event.res == page);
    did("posix", "submitted", "writes", 1);
    did("posix", "submitted", "async_writes", 1);
    did("posix", "submitted", "bytes_written", page);
    what.aio_lio_opcode = IOCB_CMD_PREAD;
    MUST(syscall(SYS_io_submit, context, 1L, &list) == 1);
    MUST(syscall(SYS_io_pgetevents, context, 1L, 1L, &event, 0L, 0L) == 1 && event.res == page);
    did("posix", "submitted", "reads", 1);
    did("posix", "submitted", "async_reads", 1);
    did("posix", "submitted", "bytes_read", page);
    did_at_least("posix", "submitted", "async_time", 1);
    MUST(close(fd) == 0 && syscall(SYS_io_destroy, context) == 0);
    did("posix", "submitted", "closes", 1);
}

int main(void)
{
    mapped();
    asynchronous();
    return 0;
}
