/* A file system of FUSE that has folders of empty files and answers each call after a while, as a server on a network does.
 *
 *     slow_tree FOLDERS FILES MICROSECONDS MOUNTPOINT -f -o max_threads=64 */
#define FUSE_USE_VERSION 312
#include <errno.h>
#include <fuse3/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static long folders, files, microseconds;

static void answer_late(void)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static void *start(struct fuse_conn_info *connection, struct fuse_config *config)
{
    (void)connection;
    config->entry_timeout = config->attr_timeout = config->negative_timeout = 0; /* nothing is cached */
    config->use_ino = 1;
    return NULL;
}

static int look(const char *path, struct stat *about, struct fuse_file_info *open)
{
    long folder = -1, file = -1;
    char rest;
    (void)open;
    answer_late();
    memset(about, 0, sizeof *about);
    const int named = sscanf(path, "/d%ld/f%ld%c", &folder, &file, &rest);
    if (strcmp(path, "/") != 0 && (named < 1 || named > 2 || folder >= folders || file >= files)) return -ENOENT;
    about->st_ino = (ino_t)(2 + (folder + 1) * (files + 1) + file);
    about->st_mode = named == 2 ? S_IFREG | 0644 : S_IFDIR | 0755;
    about->st_nlink = 1;
    return 0;
}

static int list(const char *path, void *names, fuse_fill_dir_t fill, off_t from, struct fuse_file_info *open,
                enum fuse_readdir_flags flags)
{
    char name[32];
    const int is_root = strcmp(path, "/") == 0;
    (void)open;
    (void)flags;
    answer_late();
    for (off_t at = from; at < (is_root ? folders : files); ++at) {
        struct stat about = {0};
        about.st_ino = (ino_t)(at + 2);
        about.st_mode = is_root ? S_IFDIR : S_IFREG;
        snprintf(name, sizeof name, "%c%ld", is_root ? 'd' : 'f', (long)at);
        if (fill(names, name, &about, at + 1, 0) != 0) break;
    }
    return 0;
}

int main(int count, char **words)
{
    if (count < 5) return 2;
    folders = atol(words[1]);
    files = atol(words[2]);
    microseconds = atol(words[3]);
    words[3] = words[0];
    static const struct fuse_operations operations = {.init = start, .getattr = look, .readdir = list};
    return fuse_main(count - 3, words + 3, &operations, NULL);
}
