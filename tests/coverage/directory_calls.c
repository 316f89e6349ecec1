/* Making, reading and removing folders. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "posix.h"

#define READS_ENTRY(path, condition) DID(path, "directory_reads", condition)
#define CHANGES(path, condition) DID(path, "directory_changes", condition)
#define DIRECTORY 1 /* as a kind of name */

static void reads(void)
{
    DIR* const folder = opendir("folder");
    DID("folder", "opens", folder != NULL);
    int entries = 0;
    while (readdir(folder) != NULL) ++entries;
    rewinddir(folder);
    while (readdir64(folder) != NULL) ++entries;
    MUST(entries == 6); /* ".", ".." and "inner" */
    did("posix", "folder", "directory_reads", entries + 2);
    rewinddir(folder);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct dirent entry, *next = NULL;
    struct dirent64 entry64, *next64 = NULL;
    READS_ENTRY("folder", readdir_r(folder, &entry, &next) == 0 && next != NULL);
    READS_ENTRY("folder", readdir64_r(folder, &entry64, &next64) == 0 && next64 != NULL);
#pragma GCC diagnostic pop
    DID("folder", "closes", closedir(folder) == 0);

    const int fd = open("folder", O_RDONLY | O_DIRECTORY);
    DID("folder", "opens", fd >= 0);
    char to[1024];
    READS_ENTRY("folder", getdents64(fd, to, sizeof to) > 0);
    DIR* const again = fdopendir(fd);
    MUST(again != NULL);
    DID("folder", "closes", closedir(again) == 0);

    struct dirent** names = NULL;
    struct dirent64** names64 = NULL;
    READS_ENTRY("folder", scandir("folder", &names, NULL, NULL) == 3);
    READS_ENTRY("folder", scandir64("folder", &names64, NULL, NULL) == 3);
    READS_ENTRY("folder", scandirat(AT_FDCWD, "folder", &names, NULL, alphasort) == 3);
    READS_ENTRY("folder", scandirat64(AT_FDCWD, "folder", &names64, NULL, NULL) == 3);

    FAILED(NOT_OPENED, opendir("none") == NULL && errno == ENOENT);
    FAILED(NOT_OPENED, scandir("none", &names, NULL, NULL) < 0 && errno == ENOENT);
    const int file = opened("file", O_RDONLY);
    FAILED("file", fdopendir(file) == NULL && errno == ENOTDIR);
    closed(file, "file");
    MUST(fdopendir(-1) == NULL && errno == EBADF);

    /* Left out, and so its descriptor's number is not what it was before. */
    DIR* const system = opendir("/proc");
    MUST(system != NULL && readdir(system) != NULL && closedir(system) == 0);
}

int main(void)
{
    char temporary[] = "temporary.XXXXXX";
    CHANGES("folder", mkdir("folder", 0700) == 0);
    CHANGES("folder/inner", mkdirat(AT_FDCWD, "folder/inner", 0700) == 0);
    CHANGES(temporary, mkdtemp(temporary) != NULL);
    did("names", "folder", "kind", DIRECTORY);
    FAILED(NOT_OPENED, mkdir("folder", 0700) < 0 && errno == EEXIST);
    FAILED(NOT_OPENED, rmdir("folder") < 0 && errno == ENOTEMPTY);
    reads();
    CHANGES("folder/inner", unlinkat(AT_FDCWD, "folder/inner", AT_REMOVEDIR) == 0);
    CHANGES("folder", rmdir("folder") == 0);
    CHANGES(temporary, rmdir(temporary) == 0);
    return 0;
}
