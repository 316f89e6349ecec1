/* Calls that move about: what a relative path means before, in and after them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "posix.h"

pid_t __vfork(void);

static void makes(const char* name, const char* where)
{
    const int fd = open(name, O_RDWR | O_CREAT, 0600);
    DID(where, "opens", fd >= 0);
    closed(fd, where);
}

/* Of nftw, with FTW_CHDIR; in "tree" and in "tree/inner". */
static int visit(const char* path, const struct stat* about, int kind, struct FTW* where)
{
    (void)about;
    if (kind == FTW_D) makes("visited", where->level == 0 ? "visited" : "tree/visited");
    (void)path;
    return 0;
}
static int visit64(const char* path, const struct stat64* about, int kind, struct FTW* where)
{
    (void)about;
    return visit(path, NULL, kind, where);
}

static void walk(void)
{
    char* const paths[] = {"tree", NULL};
    FTS* const files = fts_open(paths, FTS_PHYSICAL, NULL);
    MUST(files != NULL);
    for (FTSENT* entry; (entry = fts_read(files)) != NULL;)
        if (entry->fts_info == FTS_D && entry->fts_level == 1)
            makes("walked", "tree/walked"); /* the folder that the entry lies in */
    MUST(fts_close(files) == 0);
    FTS* const others = fts_open(paths, FTS_PHYSICAL, NULL);
    MUST(others != NULL && fts_children(others, 0) != NULL && fts_close(others) == 0);
    makes("afterwards", "afterwards");
}

int main(void)
{
    int status = 1;
    DID("tree", "directory_changes", mkdir("tree", 0700) == 0);
    DID("tree/inner", "directory_changes", mkdir("tree/inner", 0700) == 0);
    MUST(nftw("tree", visit, 10, FTW_CHDIR) == 0);
    MUST(nftw64("tree", visit64, 10, FTW_CHDIR) == 0);
    walk();

    const pid_t child = __vfork();
    if (child == 0) {
        const int moved = chdir("tree"); /* the child's own folder; its parent stays */
        _exit(moved == 0 ? 0 : 1);
    }
    MUST(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    makes("parent", "parent");

    const int here = open(".", O_RDONLY | O_DIRECTORY);
    DID(".", "opens", here >= 0);
    MUST(chdir("tree") == 0);
    makes("in_tree", "tree/in_tree");
    MUST(fchdir(here) == 0);
    makes("back", "back");
    MUST(unshare(CLONE_FS) == 0);
    makes("unshared", "unshared");
    closed(here, ".");
    MUST(chroot("none") < 0 && (errno == ENOENT || errno == EPERM));
    makes("no_other_root", "no_other_root");
    return 0;
}
