/* Mapping files, and what goes through the mappings. What is claimed of that is exact here: whole small files are
 * touched, page by page. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "did.h"

enum { page = 4096 };

static int file_of(const char* name, long bytes)
{
    const int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    MUST(ftruncate(fd, bytes) == 0);
    did("posix", name, "opens", 1);
    did("posix", name, "truncates", 1);
    return fd;
}

static void close_file(const char* name, int fd)
{
    MUST(close(fd) == 0);
    did("posix", name, "closes", 1);
}

static char* map(const char* name, int fd, long length, int protection, int flags, long offset, long bytes)
{
    char* const at = mmap(NULL, length, protection, flags, fd, offset);
    MUST(at != MAP_FAILED);
    did("posix", name, "maps", 1);
    did("posix", name, "mapped_bytes", bytes);
    return at;
}

static void written(const char* name, long bytes) { did("posix", name, "map_bytes_written", bytes); }
static void read_through(const char* name, long bytes) { did("posix", name, "map_bytes_read", bytes); }

static char sum;
static void look_at(const char* at, long bytes)
{
    for (long place = 0; place < bytes; place += page) sum ^= ((const volatile char*)at)[place];
}

/* Written through a shared mapping that goes on behind the end of the file. */
static void write_all(void)
{
    const long bytes = 10 * page + 100;
    const int fd = file_of("written", bytes);
    char* const at = map("written", fd, 16 * page, PROT_READ | PROT_WRITE, MAP_SHARED, 0, bytes);
    memset(at, 1, bytes);
    MUST(msync(at, bytes, MS_SYNC) == 0);
    did("posix", "written", "syncs", 1);
    MUST(posix_madvise(at, bytes, POSIX_MADV_SEQUENTIAL) == 0);
    did("posix", "written", "advices", 1);
    MUST(munmap(at, 16 * page) == 0);
    written("written", bytes);
    close_file("written", fd);
}

/* Read: from an offset, by a mapping of its own for each form of memory, and after the file was closed. */
static void read_all(void)
{
    const int fd = file_of("read", 32 * page);
    char* const shared = map("read", fd, 32 * page, PROT_READ, MAP_SHARED, 0, 32 * page);
    char* const private = mmap64(NULL, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 24 * page);
    MUST(private != MAP_FAILED);
    did("posix", "read", "maps", 1);
    did("posix", "read", "mapped_bytes", 8 * page);
    close_file("read", fd);
    look_at(shared, 32 * page);
    for (int at = 0; at < 8; ++at) private[at * page] = 1; /* which is not written to the file */
    MUST(munmap(shared, 32 * page) == 0);
    MUST(munmap(private, 8 * page) == 0);
    read_through("read", 32 * page + 8 * page);
}

/* Nothing is touched; a mapping that fails; an anonymous one, and advice on it. */
static void touch_nothing(void)
{
    const int fd = file_of("untouched", 4 * page);
    char* const at = map("untouched", fd, 4 * page, PROT_READ, MAP_SHARED, 0, 4 * page);
    MUST(munmap(at, 4 * page) == 0);
    MUST(mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 1) == MAP_FAILED);
    did("posix", "untouched", "failed", 1);
    close_file("untouched", fd);
    char* const memory = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(memory != MAP_FAILED);
    memory[0] = 1;
    MUST(madvise(memory, page, MADV_DONTNEED) == 0 && munmap(memory, 4 * page) == 0);
}

/* A hole is cut into it, another mapping is laid over a part of it, the rest goes with one call. */
static void in_pieces(void)
{
    const int fd = file_of("pieces", 64 * page);
    char* const at = map("pieces", fd, 64 * page, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 64 * page);
    memset(at, 1, 64 * page);
    MUST(munmap(at + 8 * page, 8 * page) == 0);
    MUST(mmap(at + 32 * page, 8 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at + 32 * page);
    MUST(munmap(at, 64 * page) == 0);
    written("pieces", 64 * page);
    close_file("pieces", fd);
}

/* Grown, moved, and made smaller: what it loses counts at once, the rest in the end. */
static void moved(void)
{
    const int fd = file_of("moved", 32 * page);
    char* at = map("moved", fd, 16 * page, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 16 * page);
    memset(at, 1, 16 * page);
    at = mremap(at, 16 * page, 32 * page, MREMAP_MAYMOVE);
    MUST(at != MAP_FAILED);
    memset(at + 16 * page, 1, 8 * page);
    at = mremap(at, 32 * page, 20 * page, 0);
    MUST(at != MAP_FAILED);
    MUST(munmap(at, 20 * page) == 0);
    written("moved", 24 * page);
    close_file("moved", fd);
}

/* Pages that are given back and touched again count twice. */
static void dropped(void)
{
    const int fd = file_of("dropped", 16 * page);
    char* const at = map("dropped", fd, 16 * page, PROT_READ, MAP_SHARED, 0, 16 * page);
    look_at(at, 16 * page);
    MUST(madvise(at, 16 * page, MADV_DONTNEED) == 0);
    did("posix", "dropped", "advices", 1);
    look_at(at, 16 * page);
    MUST(munmap(at, 16 * page) == 0);
    read_through("dropped", 32 * page);
    close_file("dropped", fd);
}

/* More than is looked at page by page. */
static void large(void)
{
    const long bytes = 192L << 20;
    const int fd = file_of("large", bytes);
    char* const at = map("large", fd, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 0, bytes);
    for (long place = 0; place < bytes; place += page) at[place] = 1;
    MUST(munmap(at, bytes) == 0);
    written("large", bytes);
    close_file("large", fd);
    MUST(truncate("large", 0) == 0);
    did("posix", "large", "truncates", 1);
}

/* Shared by a child, which touches a part of it itself, and both leave it behind: the one by _exit. */
static void left_behind(void)
{
    const int fd = file_of("left", 64 * page);
    char* const at = map("left", fd, 64 * page, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 64 * page);
    memset(at, 1, 32 * page);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        memset(at + 32 * page, 1, 32 * page);
        _exit(0);
    }
    int status = 0;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    written("left", 64 * page);
    close_file("left", fd);
}

/* Two threads map and unmap the same file. */
static void* maps_often(void* fd)
{
    for (int round = 0; round < 300; ++round) {
        char* const at = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_SHARED, *(const int*)fd, 0);
        MUST(at != MAP_FAILED);
        for (int n = 0; n < 4; ++n) at[n * page] = 1;
        MUST(munmap(at, 4 * page) == 0);
    }
    return NULL;
}

static void two_threads(void)
{
    int fd = file_of("threads", 4 * page);
    pthread_t other;
    MUST(pthread_create(&other, NULL, maps_often, &fd) == 0);
    maps_often(&fd);
    MUST(pthread_join(other, NULL) == 0);
    did("posix", "threads", "maps", 600);
    did("posix", "threads", "mapped_bytes", 600 * 4 * page);
    written("threads", 600 * 4 * page);
    close_file("threads", fd);
}

int main(void)
{
    write_all();
    read_all();
    touch_nothing();
    in_pieces();
    moved();
    dropped();
    large();
    two_threads();
    left_behind();
    return 0;
}
