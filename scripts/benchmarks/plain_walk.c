/* Walks a tree on one thread and does nothing with what it learns: what the kernel takes for it.
 *
 *     plain_walk WAY BYTES FOLDER
 *
 * WAY is what is asked of each name: names (nothing), folder (statx, in the order of the folder), inode (statx, in the order of inodes),
 * ring (the same by io_uring, 256 at a time). BYTES is the buffer of getdents64. Prints how many names there are. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum way { NAMES, FOLDER, INODE, RING };
enum { AT_ONCE = 256, LEAST_NAME = 24, FLAGS = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT };

struct name {
    unsigned long inode;
    long next;
    unsigned short length;
    unsigned char type;
    char text[];
};

static enum way way;
static size_t room;
static struct io_uring ring;
static struct statx about[AT_ONCE];

static int by_inode(const void* a, const void* b)
{
    const unsigned long first = (*(struct name* const*)a)->inode, second = (*(struct name* const*)b)->inode;
    return first < second ? -1 : first > second;
}

static void ask_ring(int folder, struct name** names, size_t count)
{
    for (size_t at = 0; at < count; ++at)
        io_uring_prep_statx(io_uring_get_sqe(&ring), folder, names[at]->text, FLAGS, STATX_BASIC_STATS, &about[at]);
    io_uring_submit_and_wait(&ring, (unsigned)count);
    for (size_t at = 0; at < count; ++at) {
        struct io_uring_cqe* done;
        if (io_uring_wait_cqe(&ring, &done) != 0) exit(1);
        io_uring_cqe_seen(&ring, done);
    }
}

static void ask(int folder, struct name** names, size_t count)
{
    if (way >= INODE) qsort(names, count, sizeof *names, by_inode);
    if (way == RING)
        for (size_t at = 0; at < count; at += AT_ONCE) ask_ring(folder, names + at, count - at < AT_ONCE ? count - at : AT_ONCE);
    else if (way != NAMES)
        for (size_t at = 0; at < count; ++at) statx(folder, names[at]->text, FLAGS, STATX_BASIC_STATS, &about[0]);
}

static unsigned long walk(int folder)
{
    char* const bytes = malloc(room);
    struct name** const names = malloc(room / LEAST_NAME * sizeof *names);
    char** below = NULL;
    size_t folders = 0, most = 0;
    unsigned long all = 0;
    for (long got; (got = syscall(SYS_getdents64, folder, bytes, room)) > 0;) {
        size_t count = 0;
        for (long at = 0; at < got; at += ((struct name*)(bytes + at))->length) {
            struct name* const one = (struct name*)(bytes + at);
            if (strcmp(one->text, ".") != 0 && strcmp(one->text, "..") != 0) names[count++] = one;
        }
        ask(folder, names, count);
        all += count;
        for (size_t at = 0; at < count; ++at) {
            if (names[at]->type != DT_DIR) continue;
            if (folders == most) below = realloc(below, (most = most ? 2 * most : 8) * sizeof *below);
            below[folders++] = strdup(names[at]->text);
        }
    }
    free(bytes);
    free(names);
    for (size_t at = 0; at < folders; ++at) {
        const int next = openat(folder, below[at], O_RDONLY | O_DIRECTORY | O_NOATIME | O_NOFOLLOW);
        if (next >= 0) {
            all += walk(next);
            close(next);
        }
        free(below[at]);
    }
    free(below);
    return all;
}

int main(int argc, char** argv)
{
    static const char* const ways[] = {"names", "folder", "inode", "ring"};
    if (argc != 4) return 2;
    while (way <= RING && strcmp(argv[1], ways[way]) != 0) ++way;
    room = (size_t)atol(argv[2]);
    const int folder = open(argv[3], O_RDONLY | O_DIRECTORY);
    if (way > RING || room < 1024 || folder < 0) return 2;
    if (way == RING && io_uring_queue_init(AT_ONCE, &ring, 0) != 0) return 1;
    printf("%lu\n", walk(folder));
    return 0;
}
