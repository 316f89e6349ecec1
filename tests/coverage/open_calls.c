/* Every way to open a file. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "posix.h"

static volatile int for_both = O_RDWR; /* not known to the compiler: fortified programs call __open_2 */

static void by_path(void)
{
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    DID(".", "opens", here >= 0);
    int fd[10];
    int at = 0;
    fd[at++] = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    fd[at++] = open("file", for_both);
    fd[at++] = open64("file", O_CREAT | O_RDWR, 0600);
    fd[at++] = open64("file", for_both);
    fd[at++] = openat(here, "file", O_CREAT | O_RDWR, 0600);
    fd[at++] = openat(here, "file", for_both);
    fd[at++] = openat64(AT_FDCWD, "file", O_CREAT | O_RDWR, 0600);
    fd[at++] = openat64(here, "file", for_both);
    fd[at++] = creat("file", 0600);
    fd[at++] = creat64("file", 0600);
    for (int i = 0; i < at; ++i) {
        DID("file", "opens", fd[i] >= 0);
        closed(fd[i], "file");
    }
    did("posix", "file", "creates", 3); /* O_TRUNC, and creat twice */
    did("posix", ".", "creates", 0);
    closed(here, ".");
}

static void opened_with(const char* path, int flags, int made)
{
    const int fd = open(path, flags, 0600);
    DID(path, "opens", fd >= 0);
    did("posix", path, "creates", made);
    closed(fd, path);
}

/* An open made the file or emptied it: by its flags, or because the file was not there, as far as this
 * process can tell without asking. */
static void creates(void)
{
    opened_with("new", O_CREAT | O_RDWR, 1);
    opened_with("new", O_CREAT | O_RDWR, 0);
    opened_with("new", O_TRUNC | O_WRONLY, 1);
    opened_with("new", O_RDONLY, 0);
    opened_with("only_new", O_CREAT | O_EXCL | O_WRONLY, 1);
    opened_with("added_to", O_CREAT | O_APPEND | O_WRONLY, 1);
    opened_with("added_to", O_CREAT | O_APPEND | O_WRONLY, 0);
    opened_with("added_to", O_PATH | O_CREAT | O_EXCL, 0); /* O_PATH takes no note of these */
    DID("new", "unlinks", unlink("new") == 0);
    opened_with("new", O_CREAT | O_RDWR, 1); /* again */
    opened_with("new", O_CREAT | O_RDWR, 0);
    DID("new", "renames", rename("new", "renamed") == 0);
    opened_with("new", O_CREAT | O_RDWR, 1);
    opened_with("renamed", O_CREAT | O_RDWR, 1); /* empty, and never seen before: taken to be new */
    const int filled = open("full", O_CREAT | O_WRONLY | O_EXCL, 0600);
    DID("full", "opens", filled >= 0);
    did("posix", "full", "creates", 1);
    WRITES("full", 4, write(filled, "four", 4));
    closed(filled, "full");
    DID("full", "links", link("full", "link") == 0);
    opened_with("link", O_CREAT | O_RDWR, 0); /* never seen before, and not empty */
}

static void without_a_path(void)
{
    char link[64], path[4096];
    const int fd = open(".", O_TMPFILE | O_RDWR, 0600);
    if (fd < 0) {
        WITHOUT("O_TMPFILE");
        return;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    MUST(n > 0);
    path[n] = '\0';
    path[strcspn(path, " ")] = '\0'; /* "… (deleted)" */
    did("posix", path, "opens", 1);
    did("posix", path, "creates", 1);
    WRITES(path, 4, write(fd, "four", 4));
    closed(fd, path);
}

static void by_handle(void)
{
    struct {
        struct file_handle handle;
        unsigned char room[MAX_HANDLE_SZ];
    } known = {.handle = {.handle_bytes = MAX_HANDLE_SZ}};
    int mount = 0;
    MUST(name_to_handle_at(AT_FDCWD, "file", &known.handle, &mount, 0) == 0);
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    DID(".", "opens", here >= 0);
    const int fd = open_by_handle_at(here, &known.handle, O_RDWR);
    if (fd < 0 && errno == EPERM) {
        did("posix", NOT_OPENED, "failed", 1);
        WITHOUT("CAP_DAC_READ_SEARCH");
    } else {
        DID("file", "opens", fd >= 0);
        WRITES("file", 3, write(fd, "abc", 3));
        closed(fd, "file");
    }
    closed(here, ".");
}

static void temporary(void)
{
    char name[8][16] = {"a.XXXXXX",   "b.XXXXXX",   "c.XXXXXX",   "d.XXXXXX",
                        "e.XXXXXX.c", "f.XXXXXX.c", "g.XXXXXX.c", "h.XXXXXX.c"};
    const int fd[8] = {mkstemp(name[0]),
                       mkstemp64(name[1]),
                       mkostemp(name[2], O_APPEND),
                       mkostemp64(name[3], 0),
                       mkstemps(name[4], 2),
                       mkstemps64(name[5], 2),
                       mkostemps(name[6], 2, 0),
                       mkostemps64(name[7], 2, O_CLOEXEC)};
    for (int i = 0; i < 8; ++i) {
        DID(name[i], "opens", fd[i] >= 0);
        did("posix", name[i], "creates", 1);
        WRITES(name[i], 5, write(fd[i], "12345", 5));
        closed(fd[i], name[i]);
    }
    char bad[] = "no pattern";
    FAILED(NOT_OPENED, mkstemp(bad) < 0 && errno == EINVAL);
    FAILED(NOT_OPENED, mkostemps64(bad, 1, 0) < 0 && errno == EINVAL);
}

static void shared_memory(void)
{
    char name[32], path[64];
    snprintf(name, sizeof name, "/calls.%d", (int)getpid());
    snprintf(path, sizeof path, "/dev/shm%s", name);
    const int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    DID(path, "opens", fd >= 0);
    did("posix", path, "creates", 1);
    DID(path, "truncates", ftruncate(fd, 100) == 0);
    closed(fd, path);
    DID(path, "unlinks", shm_unlink(name) == 0);
    FAILED(NOT_OPENED, shm_open(name, O_RDWR, 0) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, shm_unlink(name) < 0 && errno == ENOENT);
}

static void failures(void)
{
    FAILED(NOT_OPENED, open("none", O_RDONLY) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, open("file", O_CREAT | O_EXCL | O_RDWR, 0600) < 0 && errno == EEXIST);
    FAILED(NOT_OPENED, open64("none/none", for_both) < 0 && errno == ENOENT);
    FAILED(NOT_OPENED, openat(-1, "none", O_RDONLY) < 0 && errno == EBADF);
    FAILED(NOT_OPENED, creat("none/none", 0600) < 0 && errno == ENOENT);
    /* not counted: below a folder that is left out, and from a pointer that nobody can read */
    MUST(open("/proc/none", O_RDONLY) < 0 && errno == ENOENT);
    const char* volatile const nowhere = (const char*)8;
    MUST(open(nowhere, O_RDONLY) < 0 && errno == EFAULT);
}

int main(void)
{
    by_path();
    creates();
    without_a_path();
    by_handle();
    temporary();
    shared_memory();
    failures();
    return 0;
}
