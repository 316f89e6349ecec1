/* Reads and writes of every kind, and where they fall. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "posix.h"

extern char** environ;
static volatile size_t ten = 10; /* not known to the compiler: fortified programs call __read_chk */
static char bytes[100] __attribute__((aligned(64)));

static void writes(const char* path, int fd)
{
    const struct iovec pieces[2] = {{bytes, 30}, {bytes + 30, 20}};
    WRITES(path, 10, write(fd, bytes, ten)); /* to 10 */
    WRITES(path, 50, writev(fd, pieces, 2)); /* to 60 */
    WRITES(path, 10, pwrite(fd, bytes, ten, 60));
    WRITES(path, 10, pwrite64(fd, bytes, ten, 70));
    WRITES(path, 50, pwritev(fd, pieces, 2, 80));
    WRITES(path, 50, pwritev64(fd, pieces, 2, 130));
    WRITES(path, 50, pwritev2(fd, pieces, 2, 180, 0));
    WRITES(path, 50, pwritev64v2(fd, pieces, 2, 230, 0));
    did("posix", path, "consecutive_writes", 7);
    WRITES(path, 50, pwritev2(fd, pieces, 2, -1, 0)); /* at the position, which is 60 */
    WRITES(path, 50, pwritev64v2(fd, pieces, 2, -1, 0));
    did("posix", path, "consecutive_writes", 1);
    WRITES(path, 0, write(fd, bytes, 0));
    did("posix", path, "consecutive_writes", 1);
    WRITES(path, 1, pwrite(fd, bytes + 1, 1, 1000)); /* memory that is no multiple of 8 */
    did("posix", path, "sequential_writes", 1);
    did("posix", path, "memory_unaligned", 1);
    did("posix", path, "strided_writes", 0);
    did("posix", path, "highest_written", 1001);
}

static void reads(const char* path, int fd)
{
    char to[100] __attribute__((aligned(64)));
    const struct iovec pieces[2] = {{to, 30}, {to + 30, 20}};
    DID(path, "seeks", lseek(fd, 0, SEEK_SET) == 0);
    READS(path, 10, read(fd, to, ten));
    READS(path, 50, readv(fd, pieces, 2));
    READS(path, 10, pread(fd, to, ten, 60));
    READS(path, 10, pread64(fd, to, ten, 70));
    READS(path, 50, preadv(fd, pieces, 2, 80));
    READS(path, 50, preadv64(fd, pieces, 2, 130));
    READS(path, 50, preadv2(fd, pieces, 2, 180, 0));
    READS(path, 50, preadv64v2(fd, pieces, 2, 230, 0));
    did("posix", path, "consecutive_reads", 7);
    READS(path, 50, preadv2(fd, pieces, 2, -1, 0));
    READS(path, 50, preadv64v2(fd, pieces, 2, -1, 0));
    did("posix", path, "consecutive_reads", 1);
    did("posix", path, "highest_read", 280);
    DID(path, "seeks", lseek64(fd, 0, SEEK_END) == 1001);
    DID(path, "seeks", lseek(fd, -1, SEEK_CUR) == 1000);
    READS(path, 1, read(fd, to, ten));
    READS(path, 0, read(fd, to, ten)); /* the end */
    did("posix", path, "sequential_reads", 1);
    did("posix", path, "consecutive_reads", 1);
    did("posix", path, "highest_read", 1001 - 280);
}

static void failures(const char* path, int fd, const char* read_only)
{
    const struct iovec nothing = {NULL, 10};
    const struct iovec* volatile const nowhere = (const struct iovec*)8;
    volatile int minus_one = -1;
    FAILED(path, pread(fd, bytes, ten, -1) < 0 && errno == EINVAL);
    FAILED(path, pwrite(fd, bytes, ten, -1) < 0 && errno == EINVAL);
    FAILED(path, lseek(fd, -1, SEEK_SET) < 0 && errno == EINVAL);
    FAILED(path, writev(fd, &nothing, 1) < 0 && errno == EFAULT);
    FAILED(path, writev(fd, nowhere, 1) < 0 && errno == EFAULT);
    FAILED(path, preadv(fd, &nothing, minus_one, 0) < 0 && errno == EINVAL);
    const int other = opened(read_only, O_RDONLY);
    FAILED(read_only, write(other, bytes, ten) < 0 && errno == EBADF);
    closed(other, read_only);
    MUST(read(-1, bytes, 0) < 0 && errno == EBADF);
}

/* Accesses that leave the same gap as the last ones that left any, forwards and back. */
static void strides(void)
{
    char to[10];
    const char* const path = "strides";
    const int fd = opened(path, O_RDWR);
    static const off_t written[] = {0, 30, 60, 70, 100, 200, 100, 0}, read_at[] = {90, 60, 30, 0, 50, 0};
    for (size_t i = 0; i < sizeof written / sizeof *written; ++i)
        WRITES(path, 10, pwrite(fd, bytes, ten, written[i]));
    did("posix", path, "strided_writes", 3); /* at 60, at 100 after 70, and at 0 */
    did("posix", path, "sequential_writes", 4);
    did("posix", path, "consecutive_writes", 1);
    for (size_t i = 0; i < sizeof read_at / sizeof *read_at; ++i)
        READS(path, 10, pread(fd, to, ten, read_at[i]));
    did("posix", path, "strided_reads", 2); /* at 30 and at 0 */
    did("posix", path, "sequential_reads", 1);
    did("posix", path, "consecutive_reads", 0);
    closed(fd, path);
}

/* Appended writes fall at the end of the file, wherever the position was and whatever offset the call names.
 */
static void appends(void)
{
    char to[20];
    const char* const path = "appended";
    const int before = opened(path, O_WRONLY);
    WRITES(path, 50, write(before, bytes, 50));
    closed(before, path);
    const int fd = opened(path, O_RDWR | O_APPEND);
    READS(path, 10, read(fd, to, ten));
    WRITES(path, 10, write(fd, bytes, ten));
    WRITES(path, 10, pwrite(fd, bytes, ten, 5));
    DID(path, "seeks", lseek(fd, 20, SEEK_SET) == 20);
    WRITES(path, 10, write(fd, bytes, ten));
    READS(path, 0, read(fd, to, ten)); /* that moved the position to the end, too: 80 */
    did("posix", path, "sequential_reads", 1);
    DID(path, "truncates", ftruncate(fd, 60) == 0);
    WRITES(path, 10, write(fd, bytes, ten)); /* behind the end of the last one no more: at 60 */
    WRITES(path, 10, write(fd, bytes, ten));
    did("posix", path, "consecutive_writes", 4);
    DID(path, "seeks", lseek(fd, 0, SEEK_CUR) == 80);
    MUST(fcntl(fd, F_SETFL, 0) == 0);
    DID(path, "seeks", lseek(fd, 40, SEEK_SET) == 40);
    WRITES(path, 10, write(fd, bytes, ten)); /* at 40 */
    WRITES(path, 10, pwrite(fd, bytes, ten, 200));
    did("posix", path, "sequential_writes", 1);
    MUST(fcntl(fd, F_SETFL, O_APPEND) == 0);
    WRITES(path, 10, write(fd, bytes, ten)); /* at 210 */
    did("posix", path, "consecutive_writes", 1);
    did("posix", path, "highest_written", 220);
    closed(fd, path);
}

/* A descriptor that appends, given to another program: all that is known there is what the kernel tells. */
static void inherited(const char* self)
{
    const char* const path = "inherited";
    const int fd = opened(path, O_RDWR | O_APPEND);
    DID(path, "truncates", ftruncate(fd, 300) == 0);
    char number[12];
    snprintf(number, sizeof number, "%d", fd);
    char* const words[] = {(char*)self, number, NULL};
    pid_t child = 0;
    int status = 1;
    MUST(posix_spawn(&child, self, NULL, NULL, words, environ) == 0);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    did("posix", path, "writes", 2);
    did("posix", path, "bytes_written", 20);
    did("posix", path, "consecutive_writes", 1);
    did("posix", path, "highest_written", 320);
    closed(fd, path);
}

int main(int count, char** words)
{
    if (count > 1) {
        const int fd = atoi(words[1]);
        return write(fd, bytes, 10) == 10 && write(fd, bytes, 10) == 10 ? 0 : 1;
    }
    const int fd = opened("file", O_RDWR);
    writes("file", fd);
    reads("file", fd);
    failures("file", fd, "read_only");
    closed(fd, "file");
    strides();
    appends();
    inherited(words[0]);
    return 0;
}
