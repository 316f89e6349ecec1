/* Descriptors of all kinds: what is no file and no pipe leaves no trace, also where the number was a file's
 * before. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

#include "posix.h"

/* Kinds of names. */
#define STREAM 2
#define DEVICE 3

#define PIPE "<pipe>"

static const char eight[8] = {1};

/* Writes to one, reads from the other. */
static void carry(int from, int to)
{
    char bytes[8];
    MUST(write(to, eight, sizeof eight) == 8 && read(from, bytes, sizeof bytes) == 8);
}

static void message(int from, int to)
{
    char bytes[8];
    WRITES(PIPE, 8, write(to, eight, 8));
    READS(PIPE, 8, read(from, bytes, 8));
}

/* A number that was a file's a moment ago. */
static void use_number(int number)
{
    const int fd = opened("file", O_RDWR);
    MUST(fd == number);
    WRITES("file", 8, write(fd, eight, 8));
    closed(fd, "file");
}

int main(void)
{
    int both[2];
    struct stat about;
    const int next = dup(0);
    MUST(next >= 0 && close(next) == 0);

    /* Of pipes without a name, and pairs of sockets, what is read and written. */
    use_number(next);
    MUST(pipe2(both, O_NONBLOCK) == 0);
    message(both[0], both[1]);
    char bytes[8];
    MUST(read(both[0], bytes, 8) < 0 && errno == EAGAIN);
    MUST(pread(both[0], bytes, 8, 0) < 0 && errno == ESPIPE && fstat(both[0], &about) == 0);
    const struct iovec vector = {bytes, 8};
    WRITES(PIPE, 8, writev(both[1], &vector, 1));
    READS(PIPE, 8, readv(both[0], &vector, 1));
    MUST(vmsplice(both[1], &vector, 1, 0) == 8);
    READS(PIPE, 8, read(both[0], bytes, 8));
    const int copy = dup(both[1]);
    message(both[0], copy);
    MUST(close(both[1]) == 0 && close(copy) == 0);
    READS(PIPE, 0, read(both[0], bytes, 8));
    MUST(close(both[0]) == 0);

    /* One that becomes a standard stream has its name. */
    MUST(pipe(both) == 0 && dup2(both[0], 2) == 2);
    WRITES(PIPE, 8, write(both[1], eight, 8));
    READS("<stderr>", 8, read(2, bytes, 8));
    MUST(close(both[0]) == 0 && close(both[1]) == 0);

    use_number(next);
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
    message(both[0], both[1]);
    MUST(fsync(both[0]) < 0 && errno == EINVAL);
    MUST(lseek(both[0], 0, SEEK_SET) < 0 && errno == ESPIPE);
    MUST(close(both[0]) == 0 && close(both[1]) == 0);

    use_number(next);
    const int event = eventfd(0, 0);
    MUST(event == next);
    carry(event, event);
    MUST(close(event) == 0);

    use_number(next);
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    MUST(timer == next && read(timer, bytes, 8) < 0 && errno == EAGAIN);
    MUST(close(timer) == 0);

    use_number(next);
    const int poll = epoll_create1(0);
    MUST(poll == next && fstat(poll, &about) == 0 && close(poll) == 0);

    use_number(next);
    const int memory = memfd_create("memory", 0);
    MUST(memory == next && write(memory, eight, 8) == 8 && pread(memory, bytes, 8, 0) == 8);
    MUST(ftruncate(memory, 100) == 0 && close(memory) == 0);
    did("posix", "/memfd:memory", "writes", 0);

    const int null = open("/dev/null", O_RDWR);
    MUST(null == next && write(null, eight, 8) == 8);
    MUST(dup2(null, 0) == 0 && dup3(null, 2, O_CLOEXEC) == 2 && close(null) == 0);
    did("posix", "/dev/null", "opens", 0);
    /* Copies of what is left out are left out, as standard streams too. */
    MUST(read(0, bytes, 8) == 0 && write(2, eight, 8) == 8);
    did_at_most("posix", "<stdin>", "reads", 0);
    did_at_most("posix", "<stderr>", "writes", 0);
    const int zero = open("/dev/zero", O_RDONLY);
    MUST(zero == next && dup2(zero, 0) == 0 && close(zero) == 0 && read(0, bytes, 8) == 8);

    const int numbers = open("/dev/urandom", O_RDONLY);
    DID("/dev/urandom", "opens", numbers == next);
    did("names", "/dev/urandom", "kind", DEVICE);
    READS("/dev/urandom", 8, read(numbers, bytes, 8));
    closed(numbers, "/dev/urandom");
    did("names", PIPE, "kind", STREAM);

    /* The standard streams are known by name where they are no files; run_coverage.py gives us a pipe. */
    const struct iovec line = {"\n", 1};
    MUST(fflush(stdout) == 0);
    WRITES("<stdout>", 1, write(1, "\n", 1));
    WRITES("<stdout>", 1, vmsplice(1, &line, 1, 0));
    const int out = dup(1);
    DID("<stdout>", "dups", out == next);
    WRITES("<stdout>", 1, write(out, "\n", 1));
    closed(out, "<stdout>");
    did("names", "<stdout>", "kind", STREAM);

    MUST(mkfifo("fifo", 0600) == 0);
    const int fifo = open("fifo", O_RDWR);
    DID("fifo", "opens", fifo >= 0);
    did("names", "fifo", "kind", DEVICE);
    WRITES("fifo", 8, write(fifo, eight, 8));
    READS("fifo", 8, read(fifo, bytes, 8));
    FAILED("fifo", pread(fifo, bytes, 8, 0) < 0 && errno == ESPIPE);
    closed(fifo, "fifo");
    use_number(next);
    return 0;
}
