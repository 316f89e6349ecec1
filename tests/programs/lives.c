/* One way to live and end per name: threads, forks, signals, exec. Each writes a known number of times; see
 * tests/libinterpose/run_lives.py for what must be in the log.
 *
 * usage: lives NAME        (in an empty folder)
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "writing.h"

static int shared_fd;

static void* in_thread(void* number)
{
    char name[32];
    snprintf(name, sizeof name, "own.%ld", (long)number);
    write_file(name, 1000);
    write_times(shared_fd, 1000);
    return NULL;
}

static int threads(void)
{
    pthread_t thread[4];
    shared_fd = open_file("shared");
    for (long i = 0; i < 4; ++i) pthread_create(&thread[i], NULL, in_thread, (void*)i);
    for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
    return 0;
}

static void* write_once(void* unused)
{
    (void)unused;
    write_times(shared_fd, 1);
    return NULL;
}

static int short_threads(void)
{
    shared_fd = open_file("shared");
    for (int i = 0; i < 3000; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, write_once, NULL) != 0) errx(1, "pthread_create");
        pthread_join(thread, NULL);
    }
    return 0;
}

static int forked(void)
{
    const int fd = open_file("inherited");
    write_times(fd, 5);
    const pid_t child = fork();
    if (child == 0) {
        write_times(fd, 10);
        write_file("own", 20);
        _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    write_times(fd, 3);
    return WEXITSTATUS(status);
}

static int killed(void)
{
    write_file("file", 100);
    raise(SIGKILL);
    return 0;
}

static int many_files(void)
{
    for (int i = 0; i < 5000; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        write_file(name, 1);
    }
    return 0;
}

/* Three thousand files, of which one is opened after all and one is looked at again and again. */
static int many_not_opened(void)
{
    char name[32];
    struct stat about;
    if (mkdir("folder", 0700) != 0) return 1;
    for (int i = 0; i < 3000; ++i) {
        snprintf(name, sizeof name, "file.%d", i);
        if (mknod(name, S_IFREG | 0600, 0) != 0 || stat(name, &about) != 0) return 1;
    }
    for (int i = 0; i < 50; ++i)
        if (lstat("file.2998", &about) != 0) return 1;
    if (stat("folder", &about) != 0) return 1;
    write_file("file.2999", 1);
    for (int i = 0; i < 3000; ++i) {
        snprintf(name, sizeof name, "file.%d", i);
        if (unlink(name) != 0) return 1;
    }
    return 0;
}

static void write_at_exit(void)
{
    write_file("late", 4);
}

static int at_exit(void)
{
    atexit(write_at_exit);
    write_file("early", 2);
    return 0;
}

/* A call that succeeds leaves errno alone; one that fails sets what it would set without us. */
static int errno_stays(void)
{
    char text[10];
    errno = 77;
    const int fd = open_file("file");
    write_times(fd, 1);
    lseek(fd, 0, SEEK_SET);
    FILE* const stream = fopen("stream", "w");
    fwrite(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    const int sock[2] = {0, 0};
    if (pipe((int*)sock) != 0) err(1, "pipe");
    if (write(sock[1], bytes, 1) != 1) err(1, "write");
    if (errno != 77) errx(1, "a successful call changed errno to %d", errno);
    if (read(fd, text, sizeof text) != -1 || errno != EBADF) errx(1, "read: %d", errno);
    if (open("no/such/file", O_RDONLY) != -1 || errno != ENOENT) errx(1, "open: %d", errno);
    if (close(999) != -1 || errno != EBADF) errx(1, "close: %d", errno);
    if (fopen("no/such/file", "r") != NULL || errno != ENOENT) errx(1, "fopen: %d", errno);
    return 0;
}

static void* fails(void* unused)
{
    (void)unused;
    struct stat about;
    for (int i = 0; i < 50; ++i) open("missing/often", O_RDONLY);
    for (int i = 0; i < 20; ++i) stat("folder/../missing/stat", &about);
    return NULL;
}

/* Calls on paths that are not there, in two threads, and a signal that nobody survives. */
static int failed_calls(void)
{
    pthread_t thread;
    char absolute[PATH_MAX];
    write_file("file", 1);
    mkdir("folder", 0777);
    const int folder = open("folder", O_RDONLY | O_DIRECTORY);
    fails(NULL);
    pthread_create(&thread, NULL, fails, NULL);
    pthread_join(thread, NULL);
    if (realpath("folder", absolute) == NULL) err(1, "realpath");
    strcat(absolute, "/stream");
    for (int i = 0; i < 10; ++i) fopen(absolute, "r");
    for (int i = 0; i < 5; ++i) faccessat(folder, "below", R_OK, 0);
    open("file/below", O_RDONLY);
    for (int i = 0; i < 100; ++i) open("/usr/missing", O_RDONLY), open("not.told", O_RDONLY);
    kill(getpid(), SIGKILL);
    return 1;
}

static int closes_everything(void)
{
    for (int fd = 0; fd < 1024; ++fd) close(fd);
    write_file("file", 6);
    return 0;
}

static void* blocked(void* pipe_end)
{
    char byte;
    (void)!read(*(int*)pipe_end, &byte, 1);
    return NULL;
}

static int cancelled(void)
{
    int ends[2];
    void* result = NULL;
    pthread_t thread;
    if (mkfifo("fifo", 0600) != 0) err(1, "mkfifo");
    ends[0] = open("fifo", O_RDWR);
    pthread_create(&thread, NULL, blocked, ends);
    usleep(50000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    write_file("file", 8);
    return result == PTHREAD_CANCELED ? 0 : 1;
}

static int execs(void)
{
    write_file("before", 9);
    execl("/proc/self/exe", "lives", "at_exit", (char*)NULL);
    return 1;
}

/* Pointers that the kernel refuses are refused, not followed. */
static int bad_pointers(void)
{
    char* volatile bad = (char*)16; /* volatile: the compiler need not know */
    struct stat about;
    const int fd = open_file("file");
    write_times(fd, 1);
    if (open(bad, O_RDONLY) != -1 || errno != EFAULT) errx(1, "open: %d", errno);
    if (stat(bad, &about) != -1 || errno != EFAULT) errx(1, "stat: %d", errno);
    if (access(bad, R_OK) != -1 || errno != EFAULT) errx(1, "access: %d", errno);
    if (execv(bad, (char* const[]){"nothing", NULL}) != -1 || errno != EFAULT) errx(1, "execv: %d", errno);
    if (writev(fd, (struct iovec*)bad, 1) != -1 || errno != EFAULT) errx(1, "writev: %d", errno);
    return 0;
}

static void* end_at_once(void* nothing)
{
    return nothing;
}

static void write_to(const char* path, int times)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) err(1, "%s", path);
    write_times(fd, times);
    close(fd);
}

/* In a process with threads, paths in memory that may go: at its end, across pages, longer than what is
 * copied at once, filled in by the call, and gone. */
static int paths_in_mapped_memory(void)
{
    enum { page = 4096 };
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_at_once, NULL) != 0) errx(1, "pthread_create");
    pthread_join(thread, NULL);
    char* const pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + 2 * page, page, PROT_NONE) != 0) err(1, "pages");
    write_to(strcpy(pages + 2 * page - sizeof "at_end", "at_end"), 2);
    write_to(strcpy(pages + page - 3, "across"), 3);
    for (int at = 0; at < 400; at += 2) memcpy(pages + at, "./", 2);
    strcpy(pages + 400, "far");
    write_to(pages, 4);
    const int made = mkstemp(strcpy(pages, "made.XXXXXX"));
    if (made < 0) err(1, "%s", pages);
    write_times(made, 5);
    if (munmap(pages, 3 * page) != 0) err(1, "munmap");
    struct stat about;
    if (open(pages, O_RDONLY) != -1 || errno != EFAULT) errx(1, "open: %d", errno);
    if (stat(pages + page, &about) != -1 || errno != EFAULT) errx(1, "stat: %d", errno);
    if (fopen((const char* volatile)pages, "r") != NULL || errno != EFAULT) errx(1, "fopen: %d", errno);
    return 0;
}

/* Arguments that the kernel does not look at: it has given up before, or there is nothing to do. */
static int unread_arguments(void)
{
    char* volatile bad = (char*)16;
    const int fd = open_file("file");
    write_times(fd, 1);
    char* const pages = mmap(NULL, 2 * PATH_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + PATH_MAX, PATH_MAX, PROT_NONE) != 0) err(1, "pages");
    memset(pages, 'x', PATH_MAX);
    if (open(pages, O_RDONLY) != -1 || errno != ENAMETOOLONG) errx(1, "open: %d", errno);
    if (fopen(pages, "r") != NULL || errno != ENAMETOOLONG) errx(1, "fopen: %d", errno);
    if (symlink("", bad) != -1 || errno != ENOENT) errx(1, "symlink: %d", errno);
    const struct timespec as_they_are[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
    if (utimensat(AT_FDCWD, bad, as_they_are, 0) != 0) err(1, "utimensat");
    if (splice(fd, (off_t*)bad, fd, NULL, 0, 0) != 0) err(1, "splice");
    if (syscall(SYS_splice, fd, bad, fd, NULL, 0, 0) != 0) err(1, "SYS_splice");
    /* Of many control blocks, it looks at as many as there can be. */
    struct iocb write = {.aio_lio_opcode = IOCB_CMD_PWRITE, .aio_fildes = (unsigned)fd};
    struct iocb* list[] = {&write, (struct iocb*)bad};
    if (syscall(SYS_io_submit, NULL, LONG_MAX, list) != -1 || errno != EINVAL)
        errx(1, "io_submit: %d", errno);
    return 0;
}

/* What a vfork child does to its descriptors before exec is no business of its parent's. */
static int vforks(void)
{
    const int fd = open_file("parent"), other = open_file("child");
    const pid_t child = vfork();
    if (child == 0) {
        dup2(other, fd);
        close(other);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    write_times(fd, 3);
    write_times(other, 4);
    return 0;
}

static int write_in_folder(const char* path, const struct stat* about, int flag, struct FTW* walk)
{
    (void)about, (void)flag;
    if (strcmp(path + walk->base, "file") == 0) write_file("visited", 1);
    return 0;
}

static void* write_elsewhere(void* folder)
{
    if (unshare(CLONE_FS) != 0 || chdir(folder) != 0) err(1, "%s", (const char*)folder);
    write_file("of_thread", 1);
    return NULL;
}

/* The same relative names in folder after folder, also where libc moves about by itself. */
static int working_folders(void)
{
    const int top = open(".", O_RDONLY | O_DIRECTORY);
    if (top < 0 || mkdir("a", 0755) != 0 || mkdir("a/b", 0755) != 0) err(1, "a/b");
    write_file("file", 1);
    write_file("./a/../file", 1);
    if (chdir("a") != 0) err(1, "a");
    write_file("file", 2);
    if (chdir("b") != 0) err(1, "b");
    write_file("file", 1);
    write_file("../file", 1);
    if (fchdir(top) != 0) err(1, "fchdir");
    write_file("file", 1);

    if (vfork() == 0) _exit(chdir("a/b") == 0 ? 0 : 1);
    wait(NULL);
    write_file("file", 1);

    if (nftw("a", write_in_folder, 4, FTW_CHDIR) != 0) err(1, "nftw");
    write_file("file", 1);

    char* const roots[] = {"a", NULL};
    FTS* const walk = fts_open(roots, FTS_PHYSICAL, NULL);
    for (const FTSENT* entry; (entry = fts_read(walk)) != NULL;)
        if (strcmp(entry->fts_name, "file") == 0) write_file("walked", 1);
    fts_close(walk);
    write_file("file", 1);

    pthread_t thread;
    pthread_create(&thread, NULL, write_elsewhere, "a/b");
    pthread_join(thread, NULL);
    write_file("file", 1);
    return 0;
}

static void write_in_handler(int signal)
{
    (void)signal;
    write_file("handler", 2);
}

/* A crash handler has a few KiB of stack, part of which the kernel takes. */
static int small_stack(void)
{
    static char stack[8192];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = write_in_handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    return 0;
}

/* A crowd of threads that are all there at once, over and over. */
static pthread_barrier_t all_here;

static void* in_crowd(void* number)
{
    char name[32];
    snprintf(name, sizeof name, "own.%ld", (long)number);
    write_file(name, 1);
    write_times(shared_fd, 1);
    pthread_barrier_wait(&all_here);
    return NULL;
}

static int crowds(void)
{
    enum { rounds = 100, crowd = 40 };
    pthread_t thread[crowd];
    shared_fd = open_file("shared");
    pthread_barrier_init(&all_here, NULL, crowd);
    for (int round = 0; round < rounds; ++round) {
        for (long i = 0; i < crowd; ++i)
            if (pthread_create(&thread[i], NULL, in_crowd, (void*)i) != 0) errx(1, "pthread_create");
        for (int i = 0; i < crowd; ++i) pthread_join(thread[i], NULL);
    }
    return 0;
}

static volatile sig_atomic_t handled;

static void write_same_file(int signal)
{
    (void)signal;
    if (pwrite(shared_fd, bytes, sizeof bytes, 0) == sizeof bytes) ++handled;
}

/* The handler comes in at any moment, while its file is being counted for too. */
static int handlers(void)
{
    enum { while_handled = 800000, in_all = 1000000 };
    const struct sigaction action = {.sa_handler = write_same_file, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    int written = 0;
    shared_fd = open("file", O_WRONLY | O_CREAT, 0644);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (; written + handled < while_handled; ++written)
        if (pwrite(shared_fd, bytes, sizeof bytes, 0) != sizeof bytes) err(1, "pwrite");
    setitimer(ITIMER_REAL, &never, NULL);
    for (; written + handled < in_all; ++written)
        if (pwrite(shared_fd, bytes, sizeof bytes, 0) != sizeof bytes) err(1, "pwrite");
    return 0;
}

static sigjmp_buf before_jump;
static volatile sig_atomic_t may_jump;

static void jump(int signal)
{
    (void)signal;
    if (may_jump) siglongjmp(before_jump, 1);
}

/* A timeout that jumps out of whatever was going on, our work included. What was under way is lost, no more.
 */
static int jumps(void)
{
    const struct sigaction action = {.sa_handler = jump};
    const struct itimerval often = {{0, 70}, {0, 70}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    for (volatile int jumped = 0; jumped < 5000; ++jumped) {
        may_jump = 0;
        if (jumped % 100 == 0) close_range(3, ~0u, 0);
        if (sigsetjmp(before_jump, 1) != 0) continue;
        may_jump = 1;
        setitimer(ITIMER_REAL, &often, NULL);
        for (;;) close(open("./interrupted", O_WRONLY | O_CREAT, 0644));
    }
    may_jump = 0;
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < 10; ++i) write_file("./after", 2);
    return 0;
}

/* All descriptors are in use while the record of the process grows. */
static int few_descriptors(void)
{
    const struct rlimit few = {64, 64};
    int last = open_file("held");
    if (setrlimit(RLIMIT_NOFILE, &few) != 0) err(1, "setrlimit");
    for (int fd = last; fd >= 0; fd = dup(fd)) last = fd;
    for (int i = 0; i < 500; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        close(last);
        last = open_file(name);
        write_times(last, 1);
    }
    return 0;
}

enum { contested = 8 };
static struct {
    long opens, writes, closes, dups;
} made;

static void add(long* number)
{
    __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

/* Opens, writes, closes and copies descriptors whose numbers other threads use just then. */
static void* contends(void* number)
{
    unsigned seed = (unsigned)(long)number;
    char name[32];
    snprintf(name, sizeof name, "file.%ld", (long)number);
    for (int i = 0; i < 6000; ++i) {
        const int at = 200 + rand_r(&seed) % contested;
        int fd = -1;
        switch (rand_r(&seed) % 5) {
            case 0:
                if ((fd = open(name, O_WRONLY | O_CREAT, 0600)) < 0) break;
                add(&made.opens);
                if (dup2(fd, at) >= 0) add(&made.dups);
                if (close(fd) == 0) add(&made.closes);
                break;
            case 1:
                if (close(at) == 0) add(&made.closes);
                break;
            case 2:
                if ((fd = dup(at)) < 0) break;
                add(&made.dups);
                if (write(fd, "x", 1) == 1) add(&made.writes);
                if (close(fd) == 0) add(&made.closes);
                break;
            default:
                if (write(at, "x", 1) == 1) add(&made.writes);
        }
    }
    return NULL;
}

static int contested_descriptors(void)
{
    enum { n = 16 };
    pthread_t thread[n];
    for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, contends, (void*)i);
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    for (int at = 200; at < 200 + contested; ++at)
        if (close(at) == 0) add(&made.closes);
    printf("made opens %ld writes %ld closes %ld dups %ld\n", made.opens, made.writes, made.closes,
           made.dups);
    return 0;
}

static pthread_barrier_t everyone;

static void* joins_crowd(void* number)
{
    char name[32];
    snprintf(name, sizeof name, "file.%ld", (long)number % 50);
    const int fd = open(name, O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 10; ++i) write_times(fd, 1);
    close(fd);
    FILE* const stream = fopen(name, "a");
    for (int i = 0; i < 5; ++i) fputc('x', stream);
    fclose(stream);
    pthread_barrier_wait(&everyone);
    return NULL;
}

/* More threads at once than there is room for. */
static int waiting_crowd(void)
{
    enum { n = 1500 };
    pthread_t thread[n];
    fflush(stdout); /* this thread has its room */
    pthread_barrier_init(&everyone, NULL, n);
    for (long i = 0; i < n; ++i)
        if (pthread_create(&thread[i], NULL, joins_crowd, (void*)i) != 0) err(1, "pthread_create");
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    printf("made opens %d writes %d closes %d\n", 2 * n, 15 * n, 2 * n);
    return 0;
}

static const struct {
    const char* name;
    int (*live)(void);
} lives[] = {{"threads", threads},
             {"short_threads", short_threads},
             {"forked", forked},
             {"killed", killed},
             {"many_files", many_files},
             {"many_not_opened", many_not_opened},
             {"at_exit", at_exit},
             {"errno_stays", errno_stays},
             {"failed_calls", failed_calls},
             {"closes_everything", closes_everything},
             {"cancelled", cancelled},
             {"execs", execs},
             {"bad_pointers", bad_pointers},
             {"paths_in_mapped_memory", paths_in_mapped_memory},
             {"unread_arguments", unread_arguments},
             {"vforks", vforks},
             {"working_folders", working_folders},
             {"small_stack", small_stack},
             {"crowds", crowds},
             {"handlers", handlers},
             {"jumps", jumps},
             {"few_descriptors", few_descriptors},
             {"contested_descriptors", contested_descriptors},
             {"waiting_crowd", waiting_crowd}};

int main(int count, char** arguments)
{
    for (size_t i = 0; count > 1 && i < sizeof lives / sizeof *lives; ++i)
        if (strcmp(arguments[1], lives[i].name) == 0) return lives[i].live();
    errx(2, "usage: lives NAME");
}
