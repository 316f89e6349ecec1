/* What makes data durable. */
#define _GNU_SOURCE
#include <errno.h>

#include "posix.h"

#define SYNCS(call) DID("file", "syncs", (call) == 0)

int main(void)
{
    int pipes[2];
    const int fd = opened("file", O_RDWR);
    WRITES("file", 5, write(fd, "12345", 5));
    SYNCS(fsync(fd));
    SYNCS(fdatasync(fd));
    SYNCS(sync_file_range(fd, 0, 5, SYNC_FILE_RANGE_WRITE));
    SYNCS(syncfs(fd));
    FAILED("file", sync_file_range(fd, -1, 5, 0) < 0 && errno == EINVAL);
    MUST(pipe(pipes) == 0 && fsync(pipes[0]) < 0 && errno == EINVAL); /* no file */
    MUST(fsync(-1) < 0 && errno == EBADF);
    closed(fd, "file");
    return 0;
}
