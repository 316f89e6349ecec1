/* System calls by number: those that are files' count as the functions of their names do, all others pass
 * through. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "posix.h"

#define STATS(path, call) DID(path, "stats", (call) == 0)
#define LINKS(path, call) DID(path, "links", (call) >= 0)
#define RENAMES(path, call) DID(path, "renames", (call) == 0)
#define ATTRIBUTES(path, call) DID(path, "attributes", (call) >= 0)
#define CHANGES(path, call) DID(path, "directory_changes", (call) == 0)

static char bytes[200];
static const struct iovec pieces[2] = {{bytes, 30}, {bytes + 30, 20}};

/* As long, since that is what syscall() takes. */
static long open_how(int folder, const char* path, unsigned long long flags, unsigned long long resolve)
{
    const struct open_how how = {
        .flags = flags, .mode = (flags & O_CREAT) != 0 ? 0600 : 0, .resolve = resolve};
    return syscall(SYS_openat2, folder, path, &how, sizeof how);
}

static void opens(long here)
{
    long fd[7];
    fd[0] = syscall(SYS_open, "file", O_RDWR | O_CREAT, 0600);
    fd[1] = syscall(SYS_openat, here, "file", O_RDWR | O_CREAT, 0600);
    fd[2] = syscall(SYS_creat, "file", 0600);
    DID("file", "dups", (fd[3] = syscall(SYS_dup, fd[0])) >= 0);
    DID("file", "dups", (fd[4] = syscall(SYS_dup2, fd[0], 200)) == 200);
    DID("file", "dups", (fd[5] = syscall(SYS_dup3, fd[0], 201, O_CLOEXEC)) == 201);
    DID("file", "dups", (fd[6] = syscall(SYS_fcntl, fd[0], F_DUPFD, 210)) == 210);
    did("posix", "file", "opens", 3);
    did("posix", "file", "creates", 2); /* it was new, and creat */
    for (int i = 0; i < 7; ++i) {
        MUST(fd[i] >= 0);
        WRITES("file", 5, syscall(SYS_write, fd[i], bytes, 5));
        DID("file", "closes", syscall(SYS_close, fd[i]) == 0);
    }
    FAILED(NOT_OPENED, syscall(SYS_open, "none", O_RDWR) == -1 && errno == ENOENT);
    MUST(syscall(SYS_close, fd[0]) == -1 && errno == EBADF);

    fd[0] = open_how(AT_FDCWD, "how", O_RDWR | O_CREAT | O_APPEND, 0);
    if (fd[0] < 0 && errno == ENOSYS) {
        WITHOUT("openat2");
        return;
    }
    fd[1] = open_how((int)here, "/how", O_RDWR, RESOLVE_IN_ROOT);
    fd[2] = open_how((int)here, "./how", O_RDWR, RESOLVE_BENEATH);
    did("posix", "how", "opens", 3);
    did("posix", "how", "creates", 1);
    for (int i = 0; i < 3; ++i) {
        MUST(fd[i] >= 0);
        WRITES("how", 5, write((int)fd[i], bytes, 5));
        closed((int)fd[i], "how");
    }
    FAILED(NOT_OPENED, open_how((int)here, "/how", O_RDWR, RESOLVE_BENEATH) == -1 && errno == EXDEV);
    MUST(syscall(SYS_openat2, here, "how", (void*)0, sizeof(struct open_how)) == -1 && errno == EFAULT);

    /* The number is given again. */
    fd[0] = syscall(SYS_openat, here, "range", O_RDWR | O_CREAT, 0600);
    DID("range", "opens", fd[0] >= 0);
    MUST(syscall(SYS_close_range, fd[0], fd[0], 0) == 0);
    MUST(opened("given_again", O_RDWR) == fd[0]);
    WRITES("given_again", 5, syscall(SYS_write, fd[0], bytes, 5));
    closed((int)fd[0], "given_again");
}

static void by_handle(long here)
{
    struct {
        struct file_handle handle;
        unsigned char room[MAX_HANDLE_SZ];
    } known = {.handle = {.handle_bytes = MAX_HANDLE_SZ}};
    int mount = 0;
    MUST(name_to_handle_at(AT_FDCWD, "file", &known.handle, &mount, 0) == 0);
    const long fd = syscall(SYS_open_by_handle_at, here, &known.handle, O_RDWR);
    if (fd < 0) {
        did("posix", NOT_OPENED, "failed", 1);
        WITHOUT("CAP_DAC_READ_SEARCH");
        return;
    }
    did("posix", "file", "opens", 1);
    closed((int)fd, "file");
}

static void data(long fd, long copy)
{
    int pipes[2];
    off_t at = 0;
    MUST(pipe(pipes) == 0);
    WRITES("data", 10, syscall(SYS_write, fd, bytes, 10));
    WRITES("data", 50, syscall(SYS_writev, fd, pieces, 2));
    WRITES("data", 10, syscall(SYS_pwrite64, fd, bytes, 10, 60L));
    WRITES("data", 50, syscall(SYS_pwritev, fd, pieces, 2, 70L, 0L));
    WRITES("data", 50, syscall(SYS_pwritev2, fd, pieces, 2, 120L, 0L, 0L));
    did("posix", "data", "consecutive_writes", 4);
    did("posix", "data", "highest_written", 170);
    DID("data", "seeks", syscall(SYS_lseek, fd, 0L, SEEK_SET) == 0);
    READS("data", 10, syscall(SYS_read, fd, bytes, 10));
    READS("data", 50, syscall(SYS_readv, fd, pieces, 2));
    READS("data", 10, syscall(SYS_pread64, fd, bytes, 10, 60L));
    READS("data", 50, syscall(SYS_preadv, fd, pieces, 2, 70L, 0L));
    READS("data", 50,
          syscall(SYS_preadv2, fd, pieces, 2, 120L, 0L, 0L)); /* its sixth argument is on the stack */
    did("posix", "data", "consecutive_reads", 4);
    did("posix", "data", "highest_read", 170);
    READS("data", 40, syscall(SYS_sendfile, copy, fd, &at, 40));
    WRITES("copy", 40, at);
    READS("data", 40, syscall(SYS_copy_file_range, fd, &at, copy, (void*)0, 40, 0L));
    WRITES("copy", 40, at - 40);
    READS("data", 40, syscall(SYS_splice, fd, &at, pipes[1], (void*)0, 40, 0L));
    MUST(at == 120);
    did("posix", "data", "consecutive_reads", 2);
    WRITES("copy", 40, syscall(SYS_splice, pipes[0], (void*)0, copy, (void*)0, 40, 0L));
    did("posix", "copy", "consecutive_writes", 2);
    did("posix", "copy", "highest_written", 120);
    MUST(syscall(SYS_vmsplice, pipes[1], pieces, 2, 0) == 50);
    int more[2];
    MUST(pipe(more) == 0 && syscall(SYS_tee, pipes[0], more[1], 50, 0) == 50);
    FAILED("data", syscall(SYS_pread64, fd, bytes, 10, -1L) == -1 && errno == EINVAL);
    WRITES("<pipe>", 10, syscall(SYS_write, pipes[1], bytes, 10));
}

static void metadata(long fd, long here)
{
    char about[512], to[100];
    STATS("data", syscall(SYS_stat, "data", about));
    STATS("data", syscall(SYS_lstat, "data", about));
    STATS("data", syscall(SYS_fstat, fd, about));
    STATS("data", syscall(SYS_newfstatat, here, "data", about, 0));
    STATS("data", syscall(SYS_statx, here, "data", 0, STATX_SIZE, about));
    STATS("data", syscall(SYS_access, "data", R_OK));
    STATS("data", syscall(SYS_faccessat, here, "data", R_OK));
    if (syscall(SYS_faccessat2, here, "data", R_OK, 0) == 0)
        did("posix", "data", "stats", 1);
    else
        MUST(errno == ENOSYS);
    DID("data", "truncates", syscall(SYS_truncate, "data", 1000L) == 0);
    DID("data", "truncates", syscall(SYS_ftruncate, fd, 2000L) == 0);
    DID("data", "truncates", syscall(SYS_fallocate, fd, 0, 0L, 3000L) == 0);
    LINKS("data", syscall(SYS_link, "data", "one"));
    LINKS("data", syscall(SYS_linkat, here, "data", here, "two", 0));
    LINKS("symbolic", syscall(SYS_symlink, "data", "symbolic"));
    LINKS("symbolic.again", syscall(SYS_symlinkat, "data", here, "symbolic.again"));
    LINKS("symbolic", syscall(SYS_readlink, "symbolic", to, sizeof to));
    LINKS("symbolic.again", syscall(SYS_readlinkat, here, "symbolic.again", to, sizeof to));
    RENAMES("one", syscall(SYS_rename, "one", "three"));
    RENAMES("three", syscall(SYS_renameat, here, "three", here, "four"));
    RENAMES("four", syscall(SYS_renameat2, here, "four", here, "five", 0));
    DID("five", "unlinks", syscall(SYS_unlink, "five") == 0);
    DID("two", "unlinks", syscall(SYS_unlinkat, here, "two", 0) == 0);
    ATTRIBUTES("data", syscall(SYS_chmod, "data", 0600));
    ATTRIBUTES("data", syscall(SYS_fchmod, fd, 0600));
    ATTRIBUTES("data", syscall(SYS_fchmodat, here, "data", 0600));
    ATTRIBUTES("data", syscall(SYS_chown, "data", getuid(), getgid()));
    ATTRIBUTES("data", syscall(SYS_lchown, "data", getuid(), getgid()));
    ATTRIBUTES("data", syscall(SYS_fchown, fd, getuid(), getgid()));
    ATTRIBUTES("data", syscall(SYS_fchownat, here, "data", getuid(), getgid(), 0));
    ATTRIBUTES("data", syscall(SYS_utime, "data", (void*)0));
    ATTRIBUTES("data", syscall(SYS_utimes, "data", (void*)0));
    ATTRIBUTES("data", syscall(SYS_futimesat, here, "data", (void*)0));
    ATTRIBUTES("data", syscall(SYS_utimensat, here, "data", (void*)0, 0));
    ATTRIBUTES("data", syscall(SYS_utimensat, fd, (void*)0, (void*)0, 0)); /* the descriptor itself */
    DID("data", "locks", syscall(SYS_flock, fd, LOCK_EX) == 0);
    DID("data", "advices", syscall(SYS_fadvise64, fd, 0L, 0L, POSIX_FADV_RANDOM) == 0);
    did("posix", "data", "random_advices", 1);
    DID("data", "advices", syscall(SYS_readahead, fd, 0L, 100L) == 0);
    DID("data", "syncs", syscall(SYS_fsync, fd) == 0);
    DID("data", "syncs", syscall(SYS_fdatasync, fd) == 0);
    DID("data", "syncs", syscall(SYS_sync_file_range, fd, 0L, 10L, 0) == 0);
    DID("data", "syncs", syscall(SYS_syncfs, fd) == 0);
}

static void extended_attributes(long fd)
{
    char to[100];
    if (syscall(SYS_setxattr, "data", "user.a", "1", 1, 0) != 0) {
        did("posix", NOT_OPENED, "failed", 1);
        WITHOUT("extended attributes");
        return;
    }
    did("posix", "data", "attributes", 1);
    ATTRIBUTES("data", syscall(SYS_lsetxattr, "data", "user.b", "12", 2, 0));
    ATTRIBUTES("data", syscall(SYS_fsetxattr, fd, "user.c", "123", 3, 0));
    ATTRIBUTES("data", syscall(SYS_getxattr, "data", "user.a", to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_lgetxattr, "data", "user.b", to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_fgetxattr, fd, "user.c", to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_listxattr, "data", to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_llistxattr, "data", to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_flistxattr, fd, to, sizeof to));
    ATTRIBUTES("data", syscall(SYS_removexattr, "data", "user.a"));
    ATTRIBUTES("data", syscall(SYS_lremovexattr, "data", "user.b"));
    ATTRIBUTES("data", syscall(SYS_fremovexattr, fd, "user.c"));
}

static void directories(long here)
{
    char to[1024];
    CHANGES("folder", syscall(SYS_mkdir, "folder", 0700));
    CHANGES("folder/inner", syscall(SYS_mkdirat, here, "folder/inner", 0700));
    CHANGES("folder/inner", syscall(SYS_unlinkat, here, "folder/inner", AT_REMOVEDIR));
    const long fd = syscall(SYS_openat, here, "folder", O_RDONLY | O_DIRECTORY);
    DID("folder", "opens", fd >= 0);
    DID("folder", "directory_reads", syscall(SYS_getdents64, fd, to, sizeof to) > 0);
    DID("folder", "directory_reads", syscall(SYS_getdents, fd, to, sizeof to) == 0);
    /* Relative paths are those of the folder that it moved to. */
    MUST(syscall(SYS_chdir, "folder") == 0);
    const int in_it = open("in_it", O_RDWR | O_CREAT, 0600);
    DID("folder/in_it", "opens", in_it >= 0);
    closed(in_it, "folder/in_it");
    DID("folder/in_it", "unlinks", syscall(SYS_unlink, "in_it") == 0);
    MUST(syscall(SYS_fchdir, here) == 0);
    closed(opened("back", O_RDWR), "back");
    CHANGES("folder", syscall(SYS_rmdir, "folder"));
    if (syscall(SYS_chroot, ".") == 0)
        MUST(syscall(SYS_chdir, ".") == 0); /* names stay: nothing is opened after it */
    DID("folder", "closes", syscall(SYS_close, fd) == 0);
}

static int word = 0;

static void* wakes(void* unused)
{
    (void)unused;
    usleep(1000);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, 1 /* FUTEX_WAKE */, 1, (void*)0, (void*)0, 0L);
    return NULL;
}

/* Not in the table: six arguments, results and errno pass through. */
static void others(void)
{
    MUST(syscall(SYS_getpid) == getpid());
    char* const page = (char*)syscall(SYS_mmap, (void*)0, 4096L, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1L, 0L);
    MUST(page != MAP_FAILED);
    page[4095] = 1;
    MUST(syscall(SYS_munmap, page, 4096L) == 0);
    MUST(syscall(SYS_mmap, (void*)0, 4096L, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1L, 1L) == -1 &&
         errno == EINVAL);
    MUST(syscall(-1L) == -1 && errno == ENOSYS);
    MUST(syscall(511L) == -1 && errno == ENOSYS);
    MUST(syscall(512L) == -1 && errno == ENOSYS);
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, wakes, NULL) == 0);
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
        syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, (void*)0, (void*)0, 0L);
    MUST(pthread_join(thread, NULL) == 0);
    MUST(syscall(SYS_unshare, 0L) == 0);
}

int main(void)
{
    const long here = syscall(SYS_open, ".", O_RDONLY | O_DIRECTORY);
    DID(".", "opens", here >= 0);
    opens(here);
    by_handle(here);
    const long fd = opened("data", O_RDWR), copy = opened("copy", O_RDWR);
    data(fd, copy);
    metadata(fd, here);
    extended_attributes(fd);
    others();
    directories(here);
    closed((int)fd, "data");
    closed((int)copy, "copy");
    DID(".", "closes", syscall(SYS_close, here) == 0);
    return 0;
}
