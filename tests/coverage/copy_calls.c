/* Copies inside the kernel: a read of one file and a write of another. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "posix.h"

static char bytes[1000];

/* Both sides moved n bytes. */
#define COPIED(from, to, n, call)     \
    do {                              \
        const ssize_t moved = (call); \
        READS(from, n, moved);        \
        WRITES(to, n, moved);         \
    } while (0)

int main(void)
{
    int pipes[2], more[2];
    MUST(pipe(pipes) == 0 && pipe(more) == 0);
    const int from = opened("from", O_RDWR), to = opened("to", O_RDWR);
    WRITES("from", 1000, write(from, bytes, 1000));
    DID("from", "seeks", lseek(from, 0, SEEK_SET) == 0);

    COPIED("from", "to", 100, sendfile(to, from, NULL, 100));
    off_t at = 100;
    COPIED("from", "to", 100, sendfile(to, from, &at, 100));
    MUST(at == 200);
    off64_t in = 200, out = 200;
    COPIED("from", "to", 100, sendfile64(to, from, &in, 100));
    COPIED("from", "to", 100, copy_file_range(from, &in, to, NULL, 100, 0));
    MUST(in == 400);
    out = 400;
    COPIED("from", "to", 100, copy_file_range(from, &in, to, &out, 100, 0));
    MUST(in == 500 && out == 500);
    did("posix", "from", "consecutive_reads", 4);
    did("posix", "to", "consecutive_writes", 4);
    DID("from", "seeks", lseek(from, 0, SEEK_CUR) == 100); /* of sendfile without an offset */

    /* Of splice, one side is a pipe, which is not recorded. */
    READS("from", 50, splice(from, &in, pipes[1], NULL, 50, 0));
    READS("from", 50, splice(from, NULL, pipes[1], NULL, 50, 0)); /* at its position, 100 */
    did("posix", "from", "consecutive_reads", 1);
    WRITES("to", 60, splice(pipes[0], NULL, to, &out, 60, 0));
    MUST(out == 560);
    did("posix", "to", "consecutive_writes", 1);
    MUST(tee(pipes[0], more[1], 10, 0) == 10);
    MUST(splice(pipes[0], NULL, more[1], NULL, 20, 0) == 20);
    const struct iovec piece = {bytes, 10};
    MUST(vmsplice(more[1], &piece, 1, 0) == 10);
    WRITES("to", 40, splice(more[0], NULL, to, NULL, 1000, 0)); /* at its position, 400 */
    did("posix", "to", "highest_written", 560);
    did("posix", "from", "highest_written", 1000);
    did("posix", "from", "highest_read", 550);

    FAILED("from", sendfile(-1, from, NULL, 10) < 0 && errno == EBADF);
    FAILED("to", splice(pipes[0], &in, to, NULL, 10, 0) < 0 && errno == ESPIPE);
    const int read_only = opened("to", O_RDONLY);
    did("posix", "from", "failed", 1);
    FAILED("to", copy_file_range(from, NULL, read_only, NULL, 10, 0) < 0 && errno == EBADF);
    closed(read_only, "to");
    closed(from, "from");
    closed(to, "to");
    return 0;
}
