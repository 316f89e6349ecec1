/* Makes every POSIX call that Fathom counts once or more, in an order that is easy to check: see tests/e2e.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1 << 16];

static void must(long result, const char* what)
{
    if (result < 0) err(1, "%s", what);
}

static void transfers(void)
{
    char more[100] = "what was on the stack would depend on all that ran before";
    struct iovec vector[2] = {{bytes, 3000}, {more, sizeof more}};
    const int fd = open("transfers", O_RDWR | O_CREAT | O_TRUNC, 0644);
    must(fd, "open");
    must(write(fd, bytes, 10000), "write");
    must(pwrite(fd, bytes, 5000, 100000), "pwrite");
    must(writev(fd, vector, 2), "writev");
    must(pwritev(fd, vector, 2, 50000), "pwritev");
    must(pwritev2(fd, vector, 2, -1, 0), "pwritev2");
    must(lseek(fd, 0, SEEK_SET), "lseek");
    must(read(fd, bytes, 10000), "read");
    must(pread(fd, bytes, 5000, 100000), "pread");
    must(readv(fd, vector, 2), "readv");
    must(preadv(fd, vector, 2, 50000), "preadv");
    must(preadv2(fd, vector, 2, -1, 0), "preadv2");
    must(lseek(fd, 0, SEEK_END), "lseek");
    must(read(fd, bytes, 1), "read at the end"); /* gives 0 */
    must(ftruncate(fd, 1 << 20), "ftruncate");
    must(posix_fallocate(fd, 0, 4096) == 0 ? 0 : -1, "posix_fallocate");
    must(fdatasync(fd), "fdatasync");
    must(fsync(fd), "fsync");
    const int copy = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    must(copy, "open copy");
    must(lseek(fd, 0, SEEK_SET), "lseek");
    must(sendfile(copy, fd, NULL, 20000), "sendfile");
    must(copy_file_range(fd, NULL, copy, NULL, 30000, 0), "copy_file_range");
    must(close(copy), "close copy");
    must(close(fd), "close");
}

static void names(void)
{
    struct stat about;
    struct statx more;
    must(mkdir("folder", 0755), "mkdir");
    const int folder = open("folder", O_RDONLY | O_DIRECTORY);
    must(folder, "open folder");
    const int fd = openat(folder, "../folder//./one", O_RDWR | O_CREAT, 0644);
    must(fd, "openat");
    must(write(fd, bytes, 123), "write");
    must(fstat(fd, &about), "fstat");
    must(stat("folder/one", &about), "stat");
    must(lstat("folder/one", &about), "lstat");
    must(fstatat(folder, "one", &about, 0), "fstatat");
    must(statx(folder, "one", 0, STATX_SIZE, &more), "statx");
    must(access("folder/one", R_OK), "access");
    must(faccessat(folder, "one", R_OK, 0), "faccessat");
    must(renameat(folder, "one", folder, "two"), "renameat");
    must(write(fd, bytes, 321), "write under the old name");
    must(chdir("folder"), "chdir");
    must(rename("two", "three"), "rename");
    must(truncate("three", 10), "truncate");
    must(unlink("three"), "unlink");
    must(write(fd, bytes, 77), "write without a name");
    must(close(fd), "close");
    must(fchdir(folder), "fchdir");
    must(close(creat("four", 0644)), "creat");
    must(unlinkat(folder, "four", 0), "unlinkat");
    must(chdir(".."), "chdir");
    must(close(folder), "close folder");
    must(rmdir("folder"), "rmdir");
}

static void descriptors(void)
{
    const int fd = open("descriptors", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    must(fd, "open");
    const int again = dup(fd), high = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    must(dup2(fd, 50), "dup2");
    must(dup3(fd, 51, O_CLOEXEC), "dup3");
    const int all[] = {fd, again, high, 50, 51};
    for (int at = 0; at < 5; ++at) {
        must(write(all[at], bytes, 10), "write");
        must(close(all[at]), "close");
    }
}

static void folders(void)
{
    char to[100];
    must(mkdir("parent", 0755), "mkdir");
    must(mkdirat(AT_FDCWD, "parent/child", 0755), "mkdirat");
    DIR* const folder = opendir("parent");
    must(folder == NULL ? -1 : 0, "opendir");
    while (readdir(folder) != NULL) {
    }
    must(closedir(folder), "closedir");
    must(symlink("child", "parent/symbolic"), "symlink");
    must(readlink("parent/symbolic", to, sizeof to), "readlink");
    must(unlink("parent/symbolic"), "unlink");
    must(unlinkat(AT_FDCWD, "parent/child", AT_REMOVEDIR), "unlinkat");
    must(rmdir("parent"), "rmdir");
}

static void attributes(void)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int pipes[2];
    const int fd = open("attributes", O_RDWR | O_CREAT, 0600);
    must(fd, "open");
    must(write(fd, bytes, 1000), "write");
    must(link("attributes", "attributes.linked"), "link");
    must(chmod("attributes.linked", 0640), "chmod");
    must(fchmodat(AT_FDCWD, "attributes", 0600, AT_SYMLINK_NOFOLLOW), "fchmodat");
    must(fchmod(fd, 0640), "fchmod");
    must(fchown(fd, getuid(), getgid()), "fchown");
    must(utimensat(AT_FDCWD, "attributes", NULL, 0), "utimensat");
    must(futimens(fd, NULL), "futimens");
    must(flock(fd, LOCK_EX), "flock");
    must(fcntl(fd, F_SETLK, &whole), "fcntl");
    must(lockf(fd, F_ULOCK, 0), "lockf");
    must(posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL) == 0 ? 0 : -1, "posix_fadvise");
    must(readahead(fd, 0, 100), "readahead");
    must(pipe(pipes), "pipe");
    off_t at = 0;
    must(splice(fd, &at, pipes[1], NULL, 500, 0), "splice from a file");
    must(splice(pipes[0], NULL, fd, NULL, 500, 0), "splice to a file");
    must(close(fd), "close");
}

static void by_number(void)
{
    const struct open_how how = {.flags = O_RDWR | O_CREAT, .mode = 0600};
    const int fd = (int)syscall(SYS_openat2, AT_FDCWD, "by_number", &how, sizeof how);
    must(fd, "openat2");
    must(syscall(SYS_write, fd, bytes, 100), "write");
    must(syscall(SYS_pread64, fd, bytes, 50, 0L), "pread64");
    must(syscall(SYS_close, fd), "close");
}

static void failures(void)
{
    struct stat about;
    if (open("none", O_RDONLY) >= 0 || stat("none", &about) == 0 || unlink("none") == 0 ||
        access("none", F_OK) == 0)
        errx(1, "something exists that should not");
    const int fd = open("failures", O_RDONLY | O_CREAT, 0644);
    must(fd, "open");
    if (write(fd, bytes, 10) >= 0 || lseek(fd, -1, SEEK_SET) >= 0)
        errx(1, "something succeeded that should not");
    must(close(fd), "close");
    if (close(fd) >= 0) errx(1, "closed twice");
}

static void children(void)
{
    const int fd = open("children", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    must(fd, "open");
    for (int child = 0; child < 3; ++child) {
        const pid_t pid = fork();
        must(pid, "fork");
        if (pid == 0) {
            must(write(fd, bytes, 1000), "write in a child");
            must(close(fd), "close in a child");
            char name[20];
            snprintf(name, sizeof name, "child.%d", child);
            const int own = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
            must(own, "open in a child");
            must(write(own, bytes, 500), "write of a child");
            _exit(0); /* own is left open */
        }
        int status = 0;
        must(waitpid(pid, &status, 0), "waitpid");
        if (status != 0) errx(1, "a child failed");
    }
    must(close(fd), "close");
}

int main(void)
{
    transfers();
    names();
    descriptors();
    folders();
    attributes();
    by_number();
    failures();
    children();
    return 0;
}
