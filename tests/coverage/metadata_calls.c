/* What is asked of files and changed about them: stat, names, sizes, mode, owner, times, extended attributes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

#include "posix.h"

/* What programs that were linked before glibc 2.33 call. */
int __xstat(int version, const char* path, struct stat* to);
int __lxstat(int version, const char* path, struct stat* to);
int __fxstat(int version, int fd, struct stat* to);
int __fxstatat(int version, int folder, const char* path, struct stat* to, int flags);
int __xstat64(int version, const char* path, struct stat64* to);
int __lxstat64(int version, const char* path, struct stat64* to);
int __fxstat64(int version, int fd, struct stat64* to);
int __fxstatat64(int version, int folder, const char* path, struct stat64* to, int flags);
#define VERSION 1 /* of struct stat */

#define STATS(path, call) DID(path, "stats", (call) == 0)
#define TRUNCATES(path, call) DID(path, "truncates", (call) == 0)
#define ATTRIBUTES(path, call) DID(path, "attributes", (call) >= 0)

static volatile size_t room = 64;

static void stats(int fd, int here)
{
    struct stat about;
    struct stat64 about64;
    struct statx more;
    STATS("file", stat("file", &about));
    STATS("file", stat64("file", &about64));
    STATS("file", lstat("file", &about));
    STATS("file", lstat64("file", &about64));
    STATS("file", fstat(fd, &about));
    STATS("file", fstat64(fd, &about64));
    STATS("file", fstatat(here, "file", &about, 0));
    STATS("file", fstatat64(AT_FDCWD, "file", &about64, 0));
    STATS("file", fstatat(fd, "", &about, AT_EMPTY_PATH));
    STATS("file", statx(here, "file", 0, STATX_SIZE, &more));
    STATS("file", statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &more));
    STATS("file", __xstat(VERSION, "file", &about));
    STATS("file", __lxstat(VERSION, "file", &about));
    STATS("file", __fxstat(VERSION, fd, &about));
    STATS("file", __fxstatat(VERSION, here, "file", &about, 0));
    STATS("file", __xstat64(VERSION, "file", &about64));
    STATS("file", __lxstat64(VERSION, "file", &about64));
    STATS("file", __fxstat64(VERSION, fd, &about64));
    STATS("file", __fxstatat64(VERSION, here, "file", &about64, 0));
    STATS("file", access("file", R_OK));
    STATS("file", faccessat(here, "file", R_OK, 0));
    STATS("file", euidaccess("file", R_OK));
    STATS("file", eaccess("file", R_OK));
    STATS(".", stat(".", &about));
    FAILED(NOT_OPENED, stat("none", &about) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, faccessat(here, "none", R_OK, 0) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, euidaccess("none", R_OK) < 0 && errno == ENOENT);
}

static void sizes(int fd)
{
    TRUNCATES("file", truncate("file", 100));
    TRUNCATES("file", truncate64("file", 200));
    TRUNCATES("file", ftruncate(fd, 100));
    TRUNCATES("file", ftruncate64(fd, 200));
    TRUNCATES("file", fallocate(fd, 0, 0, 100));
    TRUNCATES("file", fallocate64(fd, FALLOC_FL_KEEP_SIZE, 0, 300));
    TRUNCATES("file", posix_fallocate(fd, 0, 100));
    TRUNCATES("file", posix_fallocate64(fd, 0, 300));
    FAILED("file", posix_fallocate(fd, 0, -1) == EINVAL);
    FAILED("file", ftruncate(fd, -1) < 0 && errno == EINVAL);
    FAILED(NOT_OPENED, truncate("none", 0) < 0 && errno == ENOENT);
}

static void names(int here)
{
    char to[64];
    DID("file", "links", link("file", "linked") == 0);
    DID("file", "links", linkat(here, "file", here, "linked.again", 0) == 0);
    DID("symbolic", "links", symlink("file", "symbolic") == 0);
    DID("symbolic.again", "links", symlinkat("none", here, "symbolic.again") == 0);
    DID("symbolic", "links", readlink("symbolic", to, sizeof to) == 4);
    DID("symbolic", "links", readlink("symbolic", to, room) == 4);
    DID("symbolic.again", "links", readlinkat(here, "symbolic.again", to, sizeof to) == 4);
    DID("symbolic.again", "links", readlinkat(here, "symbolic.again", to, room) == 4);
    FAILED(NOT_OPENED, readlink("file", to, sizeof to) < 0 && errno == EINVAL);
    FAILED(NOT_OPENED, link("none", "linked") < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, symlink("file", "symbolic") < 0 && errno == EEXIST);
    DID("linked", "renames", rename("linked", "renamed") == 0);
    DID("renamed", "renames", renameat(here, "renamed", here, "linked") == 0);
    DID("linked", "renames", renameat2(here, "linked", here, "renamed", RENAME_NOREPLACE) == 0);
    FAILED(NOT_OPENED, renameat2(here, "file", here, "renamed", RENAME_NOREPLACE) < 0 && errno == EEXIST);
    DID("renamed", "renames", rename("renamed", "moved") == 0);
    did("posix", "renamed", "renames_elsewhere", 1); /* it was "linked" before */
    DID("moved", "unlinks", unlink("moved") == 0);
    DID("symbolic", "unlinks", unlinkat(here, "symbolic", 0) == 0);
    DID("symbolic.again", "unlinks", remove("symbolic.again") == 0);
    FAILED(NOT_OPENED, unlink("none") < 0 && errno == ENOENT);
    /* Refused for its flags, before the kernel reads the path. */
    const char* volatile const nowhere = (const char*)8;
    FAILED(NOT_OPENED, unlinkat(here, "file", 1 << 30) < 0 && errno == EINVAL);
    MUST(unlinkat(here, nowhere, 1 << 30) < 0 && errno == EINVAL);
    MUST(linkat(here, nowhere, here, nowhere, 1 << 30) < 0 && (errno == EINVAL || errno == EFAULT));
}

static void attributes(int fd, int here)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    ATTRIBUTES("file", chmod("file", 0640));
    ATTRIBUTES("file", lchmod("file", 0600));
    ATTRIBUTES("file", fchmod(fd, 0640));
    ATTRIBUTES("file", fchmodat(here, "file", 0600, 0));
    ATTRIBUTES("file", chown("file", getuid(), getgid()));
    ATTRIBUTES("file", lchown("file", getuid(), getgid()));
    ATTRIBUTES("file", fchown(fd, getuid(), getgid()));
    ATTRIBUTES("file", fchownat(here, "file", getuid(), getgid(), 0));
    ATTRIBUTES("file", utime("file", NULL));
    ATTRIBUTES("file", utimes("file", NULL));
    ATTRIBUTES("file", lutimes("file", NULL));
    ATTRIBUTES("file", futimes(fd, NULL));
    ATTRIBUTES("file", futimesat(here, "file", NULL));
    ATTRIBUTES("file", futimesat(fd, NULL, NULL));
    ATTRIBUTES("file", utimensat(here, "file", now, 0));
    ATTRIBUTES("file", futimens(fd, now));
    FAILED(NOT_OPENED, chmod("none", 0600) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, utimensat(here, "none", now, 0) < 0 && errno == ENOENT);
    FAILED("file",
           futimens(fd, (const struct timespec[2]){{.tv_nsec = -5}, {.tv_nsec = -5}}) < 0 && errno == EINVAL);
}

static void extended_attributes(int fd)
{
    char to[256];
    if (setxattr("file", "user.a", "1", 1, 0) != 0) {
        did("posix", NOT_OPENED, "failed", 1);
        WITHOUT("extended attributes");
        return;
    }
    did("posix", "file", "attributes", 1);
    ATTRIBUTES("file", lsetxattr("file", "user.b", "12", 2, 0));
    ATTRIBUTES("file", fsetxattr(fd, "user.c", "123", 3, 0));
    ATTRIBUTES("file", getxattr("file", "user.a", to, sizeof to));
    ATTRIBUTES("file", lgetxattr("file", "user.b", to, sizeof to));
    ATTRIBUTES("file", fgetxattr(fd, "user.c", to, sizeof to));
    ATTRIBUTES("file", listxattr("file", to, sizeof to));
    ATTRIBUTES("file", llistxattr("file", to, sizeof to));
    ATTRIBUTES("file", flistxattr(fd, to, sizeof to));
    ATTRIBUTES("file", removexattr("file", "user.a"));
    ATTRIBUTES("file", lremovexattr("file", "user.b"));
    ATTRIBUTES("file", fremovexattr(fd, "user.c"));
    FAILED("file", fgetxattr(fd, "user.c", to, sizeof to) < 0 && errno == ENODATA);
    FAILED(NOT_OPENED, getxattr("file", "user.a", to, sizeof to) < 0 && errno == ENODATA);
}

int main(void)
{
    const int fd = opened("file", O_RDWR), here = open(".", O_RDONLY | O_DIRECTORY);
    DID(".", "opens", here >= 0);
    stats(fd, here);
    sizes(fd);
    names(here);
    attributes(fd, here);
    extended_attributes(fd);
    closed(here, ".");
    closed(fd, "file");
    return 0;
}
