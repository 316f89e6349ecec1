/* Files for which there is no room, and a few of them that are used far more: one way to use them per name.
 * Prints how many calls it made on files; see tests/libinterpose/run_lives.py for what must be in the log.
 *
 * usage: further NAME        (in an empty folder)
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { piece = 64 << 10, light = 10 };

static char bytes[piece];
static atomic_long opens, writes, closes;

static int opened(const char* name, int flags)
{
    const int fd = open(name, flags, 0600);
    if (fd < 0) err(1, "%s", name);
    ++opens;
    return fd;
}

static void written(int fd, size_t size, int times)
{
    for (int i = 0; i < times; ++i) {
        if (write(fd, bytes, size) != (ssize_t)size) err(1, "write");
        ++writes;
    }
}

static void closed(int fd)
{
    if (close(fd) != 0) err(1, "close");
    ++closes;
}

static void use(const char* name, size_t size, int times)
{
    const int fd = opened(name, O_CREAT | O_WRONLY);
    written(fd, size, times);
    closed(fd);
}

/* More than fit at first. */
static void use_many(const char* kind, int files)
{
    for (int i = 0; i < files; ++i) {
        char name[64];
        snprintf(name, sizeof name, "file.%s.%d", kind, i);
        use(name, light, 1);
    }
}

static void stream(const char* name, const char* mode, int lines)
{
    FILE* const file = fopen(name, mode);
    if (file == NULL) err(1, "%s", name);
    ++opens;
    for (int i = 0; i < lines; ++i, ++writes) fprintf(file, "line %6d of a stream\n", i);
    fclose(file);
    ++closes;
}

static void heavy(void)
{
    use_many("before", 2000);
    use("file.heavy", piece, 8);
    use_many("between", 100);
    stream("file.stream", "w", 20000);
    use_many("after", 100);
    use("file.heavy", light, 5); /* known by now */
    stream("file.light_stream", "w", 3);
}

static void at_once(void)
{
    use_many("before", 2000);
    const int first = opened("file.twice", O_CREAT | O_WRONLY), second = opened("file.twice", O_WRONLY);
    written(first, piece, 4);
    const int copy = dup(first);
    closed(first);
    use_many("between", 100);
    written(second, piece, 4);
    closed(second);
    written(copy, piece, 4);
    closed(copy);
    int open_files[60];
    for (int i = 0; i < 60; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.open.%d", i);
        open_files[i] = opened(name, O_CREAT | O_WRONLY);
    }
    for (int i = 0; i < 60; ++i) written(open_files[i], light, 3);
    for (int i = 0; i < 60; ++i) closed(open_files[i]);
}

static void* in_thread(void* number)
{
    char name[32];
    for (int i = 0; i < 2000; ++i) {
        snprintf(name, sizeof name, "file.%ld.%d", (long)number, i % 50);
        use(name, light, 2);
        snprintf(name, sizeof name, "file.all.%d", i % 3);
        use(name, 1000, 1);
        if (i % 100 == 0) {
            snprintf(name, sizeof name, "file.stream.%ld", (long)number);
            stream(name, "a", 20);
        }
    }
    return NULL;
}

static void by_threads(void)
{
    enum { n = 4 };
    pthread_t thread[n];
    use_many("before", 2000);
    for (long i = 0; i < n; ++i)
        if (pthread_create(&thread[i], NULL, in_thread, (void*)i) != 0) err(1, "pthread_create");
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
}

/* What the child is given goes on to be the parent's too. Each prints what it made itself. */
static void inherited(void)
{
    use_many("before", 2000);
    const int fd = opened("file.inherited", O_CREAT | O_WRONLY);
    written(fd, light, 3);
    fflush(stdout);
    int go[2];
    if (pipe(go) != 0) err(1, "pipe");
    const pid_t child = fork();
    if (child == 0) {
        char letter;
        opens = writes = closes = 0;
        if (read(go[0], &letter, 1) != 1) err(1, "read");
        written(fd, light, 20);
        closed(fd);
        use("file.childs", light, 4);
        printf("made opens %ld writes %ld closes %ld\n", opens, writes, closes);
        fflush(stdout);
        _exit(0);
    }
    closed(fd);
    use_many("between", 20);
    if (write(go[1], "x", 1) != 1) err(1, "write");
    waitpid(child, NULL, 0);
}

static void mapped(void)
{
    use_many("before", 2000);
    const int fd = opened("file.mapped", O_CREAT | O_RDWR);
    written(fd, piece, 1);
    char* const there = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (there == MAP_FAILED) err(1, "mmap");
    closed(fd);
    use_many("between", 20);
    memset(there, 'x', piece);
    if (msync(there, piece, MS_SYNC) != 0) err(1, "msync");
    munmap(there, piece);
}

static void killed(void)
{
    use_many("before", 2000);
    const int fd = opened("file.open", O_CREAT | O_WRONLY);
    written(fd, light, 7);
    printf("made opens %ld writes %ld closes %ld\n", opens, writes, closes);
    fflush(stdout);
    raise(SIGKILL);
}

int main(int count, char** arguments)
{
    static const struct {
        const char* name;
        void (*live)(void);
    } lives[] = {{"heavy", heavy},         {"at_once", at_once}, {"by_threads", by_threads},
                 {"inherited", inherited}, {"mapped", mapped},   {"killed", killed}};
    for (size_t i = 0; count > 1 && i < sizeof lives / sizeof *lives; ++i)
        if (strcmp(arguments[1], lives[i].name) == 0) {
            puts(lives[i].name);
            fflush(stdout); /* standard output has its room */
            lives[i].live();
            printf("made opens %ld writes %ld closes %ld\n", opens, writes, closes);
            return 0;
        }
    errx(2, "usage: further NAME");
}
