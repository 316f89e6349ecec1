/* One thing a name that preload libraries trip over: forks among threads, limits, libraries that come
 * and go. Prints "wrote NAME N" for what only it can know; see tests/libinterpose/run_lives.py for what
 * must be in the log.
 *
 * usage: hazards NAME        (in an empty folder); exit status 77: this system does not allow it
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "well.h"
#include "writing.h"

/* ---- forks among threads ---- */

static volatile sig_atomic_t forks_are_done;

static void* write_read_and_stat(void* number)
{
    char name[32], text[10];
    struct stat about;
    long written = 0;
    snprintf(name, sizeof name, "thread.%ld", (long)number);
    while (!forks_are_done) {
        const int fd = open(name, O_RDWR | O_CREAT, 0644);
        write_times(fd, 5);
        written += 5;
        if (pread(fd, text, sizeof text, 0) != sizeof text || stat(name, &about) != 0 || close(fd) != 0)
            err(1, "%s", name);
    }
    return (void*)written;
}

/* Each child is born while other threads are somewhere inside their calls. */
static int forks_among_threads(void)
{
    enum { threads = 2, forks = 3000 };
    pthread_t thread[threads];
    const int inherited = open_file("inherited");
    for (long i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, write_read_and_stat, (void*)i);
    for (int i = 0; i < forks; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            write_times(inherited, 1);
            write_file("child", 2);
            _exit(0);
        }
        must_end_well(child);
        write_times(inherited, 1);
    }
    forks_are_done = 1;
    for (int i = 0; i < threads; ++i) {
        void* written;
        pthread_join(thread[i], &written);
        printf("wrote thread.%d %ld\n", i, (long)written);
    }
    return 0;
}

static void before_fork(void)
{
    write_file("before fork", 1);
}
static void in_parent(void)
{
    write_file("in parent", 1);
}
static void in_child(void)
{
    write_file("in child", 1);
}

/* What is registered to be done around fork does I/O, also where the child has just begun to be one. */
static int fork_handlers(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        must_end_well(child);
    }
    return 0;
}

/* ---- threads that end early ---- */

static void* open_write_close_for_ever(void* unused)
{
    for (;;) write_file("unfinished", 1);
    return unused;
}

/* They are cancelled wherever they are: in open, write or close, each a point of cancellation. What is open
 * then stays open. */
static int cancelled_often(void)
{
    for (int i = 0; i < 300; ++i) {
        pthread_t thread;
        void* result = NULL;
        if (pthread_create(&thread, NULL, open_write_close_for_ever, NULL) != 0) errx(1, "pthread_create");
        usleep((useconds_t)(i % 37) * 20);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED) errx(1, "a thread ended otherwise");
        write_file("file", 2);
    }
    return 0;
}

static void* exit_from_here(void* unused)
{
    (void)unused;
    exit(0);
}

/* The process ends in a thread whose stack is the smallest there is. */
static int exit_on_small_stack(void)
{
    pthread_t thread;
    pthread_attr_t small;
    write_file("file", 3);
    pthread_attr_init(&small);
    if (pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN)) != 0)
        errx(1, "no such stack");
    pthread_create(&thread, &small, exit_from_here, NULL);
    for (;;) pause();
}

/* ---- signals ---- */

static volatile sig_atomic_t handled;

static void open_write_close(int signal)
{
    (void)signal;
    const int error = errno;
    write_file("handler", 1);
    ++handled;
    errno = error;
}

/* The handler opens, writes and closes while the program is inside the same calls. */
static int handlers_that_open(void)
{
    const struct sigaction action = {.sa_handler = open_write_close, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 60}, {0, 60}}, never = {{0, 0}, {0, 0}};
    long written = 1;
    write_file("main", 1);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (; handled < 10000; ++written) write_file("main", 1);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("wrote main %ld\nwrote handler %ld\n", written, (long)handled);
    return 0;
}

/* ---- libraries that come and go ---- */

static char beside[4096]; /* where this program lies, with a slash */

static void* open_library(const char* name, int how)
{
    char path[4200];
    snprintf(path, sizeof path, "%s%s", beside, name);
    void* const library = dlopen(path, how);
    if (library == NULL) errx(1, "%s", dlerror());
    return library;
}

static void call_in(void* library, const char* name)
{
    void (*function)(void);
    *(void**)&function = dlsym(library, name);
    if (function == NULL) errx(1, "%s", dlerror());
    function();
}

static int libraries_come_and_go(void)
{
    enum { times = 2000 };
    for (int i = 0; i < times; ++i) {
        void* const library = open_library("libplugin.so", i % 2 == 0 ? RTLD_NOW : RTLD_LAZY | RTLD_GLOBAL);
        call_in(library, "write_in_plugin");
        if (dlclose(library) != 0) errx(1, "%s", dlerror());
    }
    return 0;
}

/* ---- libraries that are in one process twice ---- */

static int answer_of(void* library, const char* name)
{
    int (*function)(void);
    *(void**)&function = dlsym(library, name);
    if (function == NULL) errx(1, "%s", dlerror());
    return function();
}

/* What nobody has loaded yet: a program may only ask whether it is there. */
__attribute__((weak)) extern int H5Dwrite(long, long, long, long, long, const void*);

static int two_hdf5s(void)
{
    write_file("file", 1);
    if (H5Dwrite != NULL && H5Dwrite(1, 0, 0, 0, 0, NULL) != -1) errx(1, "a call of nothing");
    void* users[2];
    for (int i = 0; i < 2; ++i) {
        users[i] =
            open_library(i == 0 ? "libuser_of_hdf5_1.so" : "libuser_of_hdf5_2.so", RTLD_NOW | RTLD_LOCAL);
        if (i == 0 && answer_of(users[0], "jumps_into") != 1) errx(1, "the only one");
        dlerror();
    }
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 2; ++i) {
            if (answer_of(users[i], "writes_in") != i + 1) errx(1, "a call of %d went to another one", i + 1);
            /* Who jumps is not known; it is taken for the one that was called last. */
            if (answer_of(users[i], "jumps_into") != i + 1)
                errx(1, "a jump of %d went to another one", i + 1);
        }
    if (dlerror() != NULL) errx(1, "an error that is none of ours");
    /* They go, and come again where the other one was. */
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 2; ++i)
            if (dlclose(users[i]) != 0) errx(1, "%s", dlerror());
        for (int i = 0; i < 2; ++i) {
            const int which = (i + round) % 2;
            users[which] = open_library(which == 0 ? "libuser_of_hdf5_1.so" : "libuser_of_hdf5_2.so",
                                        RTLD_NOW | RTLD_LOCAL);
        }
        for (int i = 0; i < 2; ++i)
            if (answer_of(users[i], "writes_in") != i + 1) errx(1, "round %d: a call of %d", round, i + 1);
    }
    return 0;
}

static void* come_and_go_for_ever(void* unused)
{
    (void)unused;
    for (;;)
        if (dlclose(open_library("libplugin.so", RTLD_NOW)) != 0) errx(1, "%s", dlerror());
    return NULL;
}

static int libraries_are_unloaded_at_the_end(void)
{
    enum { times = 200 };
    for (int i = 0; i < times; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, come_and_go_for_ever, NULL) != 0) errx(1, "pthread_create");
            write_file("child", 1);
            usleep((useconds_t)i * 10);
            exit(0);
        }
        must_end_well(child);
    }
    return 0;
}

static int library_that_waits(void)
{
    return dlclose(open_library("libthreaded.so", RTLD_NOW));
}

/* ---- a ring of io_uring that is unmapped while a thread waits for it ---- */

static void nothing(int signal)
{
    (void)signal;
}

static void* wait_for_ring(void* ring)
{
    const int fd = *(const int*)ring;
    if (syscall(SYS_io_uring_enter, fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 8) != -1 || errno != EINTR)
        err(1, "io_uring_enter");
    return NULL;
}

struct ring {
    int fd;
    size_t both, entries;
    void *rings, *submissions;
};

static struct ring make_ring(void)
{
    struct io_uring_params about = {0};
    struct ring ring = {.fd = (int)syscall(SYS_io_uring_setup, 8, &about)};
    if (ring.fd < 0) exit(not_here);
    const size_t of_submissions = about.sq_off.array + about.sq_entries * sizeof(unsigned);
    const size_t of_completions = about.cq_off.cqes + about.cq_entries * sizeof(struct io_uring_cqe);
    ring.both = of_submissions > of_completions ? of_submissions : of_completions;
    ring.entries = about.sq_entries * sizeof(struct io_uring_sqe);
    ring.rings = mmap(NULL, ring.both, PROT_READ, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
    ring.submissions = mmap(NULL, ring.entries, PROT_READ, MAP_SHARED, ring.fd, IORING_OFF_SQES);
    if (ring.rings == MAP_FAILED || ring.submissions == MAP_FAILED) err(1, "mmap");
    return ring;
}

static int ring_that_goes(void)
{
    struct ring ring = make_ring();
    const struct sigaction wake = {.sa_handler = nothing};
    sigaction(SIGUSR1, &wake, NULL);
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_ring, &ring.fd);
    usleep(200000);
    if (munmap(ring.submissions, ring.entries) != 0 || munmap(ring.rings, ring.both) != 0) err(1, "munmap");
    pthread_kill(waiter, SIGUSR1);
    pthread_join(waiter, NULL);
    write_file("after", 2);
    return close(ring.fd);
}

/* Its descriptor is closed while it is still mapped; what has the number next is mapped too, and is empty. */
static int ring_of_the_same_number(void)
{
    const struct ring ring = make_ring();
    if (close(ring.fd) != 0 || memfd_create("empty", 0) != ring.fd) err(1, "memfd_create");
    if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, ring.fd, 0) == MAP_FAILED) err(1, "mmap");
    write_file("after", 2);
    return 0;
}

/* With RTLD_DEEPBIND a library looks for its symbols in its own dependencies first: what it does is not seen.
 */
static int deep_binding(void)
{
    void* const library = open_library("libplugin.so", RTLD_NOW | RTLD_DEEPBIND);
    call_in(library, "write_in_plugin");
    write_file("main", 3);
    if (dlclose(library) != 0) errx(1, "%s", dlerror());
    return access("plugin", F_OK);
}

/* A library with a libc of its own. */
static int another_namespace(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%slibplugin.so", beside);
    for (int i = 0; i < 5; ++i) {
        void* const library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
        if (library == NULL) errx(1, "%s", dlerror());
        call_in(library, "write_in_plugin");
        write_file("main", 1);
        if (dlclose(library) != 0) errx(1, "%s", dlerror());
    }
    return access("plugin", F_OK);
}

/* The library itself, opened and closed by hand; it stays where it is. */
static int opens_the_recorder(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("LD_PRELOAD"));
    *strchrnul(path, ':') = '\0';
    for (int i = 0; i < 3; ++i) {
        void* const library = dlopen(path, RTLD_NOW | (i == 2 ? RTLD_GLOBAL : 0));
        if (library == NULL) errx(1, "%s", dlerror());
        dlclose(library);
        dlclose(library); /* once too often */
    }
    write_file("file", 4);
    return 0;
}

/* The same in a process that was started without it. */
static int opens_the_recorder_late(void)
{
    const char* const path = getenv("FATHOM_LIBRARY_BY_HAND");
    void* const library = dlopen(path, RTLD_NOW);
    if (library == NULL) errx(1, "%s", dlerror());
    write_file("file", 4);
    dlclose(library);
    write_file("file", 4);
    return 0;
}

/* ---- places without the usual folders ---- */

static int in_a_chroot(void)
{
    write_file("before", 2);
    if (mkdir("empty", 0755) != 0) err(1, "empty");
    if (chroot("empty") != 0) return not_here;
    if (chdir("/") != 0) err(1, "/");
    write_file("/absolute", 3);
    write_file("relative", 4);
    const pid_t child = fork();
    if (child == 0) {
        write_file("of_child", 5);
        exit(0);
    }
    must_end_well(child);
    const int folder = open("/", O_RDONLY | O_DIRECTORY);
    const int fd = openat(folder, "in_folder", O_WRONLY | O_CREAT, 0644);
    write_times(fd, 6);
    close(fd);
    return 0;
}

/* ---- limits ---- */

static void set_limit(int which, rlim_t most)
{
    const struct rlimit limit = {most, most};
    if (setrlimit(which, &limit) != 0) err(1, "setrlimit");
}

/* No descriptor can be had any more, by the program or a child of it. */
static int no_descriptors(void)
{
    const int fd = open_file("file");
    write_times(fd, 1);
    set_limit(RLIMIT_NOFILE, 0);
    if (open("other", O_WRONLY | O_CREAT, 0644) != -1 || errno != EMFILE) errx(1, "open: %d", errno);
    if (dup(fd) != -1 || errno != EMFILE) errx(1, "dup: %d", errno);
    const pid_t child = fork();
    if (child == 0) {
        write_times(fd, 1);
        exit(0);
    }
    must_end_well(child);
    write_times(fd, 2);
    return 0;
}

/* No address space is left, for a child's part least of all. */
static int no_address_space(void)
{
    const int fd = open_file("file");
    write_times(fd, 1);
    set_limit(RLIMIT_AS, 4096);
    const pid_t child = fork();
    if (child == 0) {
        write_times(fd, 1);
        _exit(0);
    }
    if (child > 0) must_end_well(child); /* the kernel may refuse the fork as well */
    for (int i = 0; i < 100; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        write_file(name, 1);
    }
    return 0;
}

/* A process locks all memory, as much as systems let users lock: what there is, and what is new. */
static int locked_memory(void)
{
    struct __user_cap_header_struct mine = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct may[2];
    if (syscall(SYS_capget, &mine, may) != 0) return not_here;
    may[0].effective &= ~(1u << CAP_IPC_LOCK);
    if (syscall(SYS_capset, &mine, may) != 0) return not_here;
    set_limit(RLIMIT_MEMLOCK, 8 << 20);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) err(1, "mlockall");
    for (int i = 0; i < 500; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        write_file(name, 1);
    }
    return 0;
}

/* Stacks grow down into memory that nobody has mapped; what a child maps first is not to lie there. */
static int growing_stack(void)
{
    enum { hole = 4 << 20, begin = 64 << 10 };
    char* const all = mmap(NULL, hole + begin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return not_here;
    char* const stack = mmap(all + hole, begin, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_GROWSDOWN, -1, 0);
    if (stack == MAP_FAILED || munmap(all, hole) != 0) return not_here;
    const pid_t child = fork();
    if (child == 0) {
        write_file("file", 1);
        for (char* at = stack + begin - 1; at > all + (2 << 20); at -= 4096) *at = 1;
        _exit(0);
    }
    must_end_well(child);
    return 0;
}

/* No process can be made, by an ordinary user. */
static int no_processes(void)
{
    write_file("file", 1);
    set_limit(RLIMIT_NPROC, 0);
    if (geteuid() == 0 && setuid(65534) != 0) return not_here;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) errx(1, "a child in spite of the limit");
    return 0;
}

/* Another user, who may not write where records lie: what this process has goes on, a child of it has none.
 */
static int another_user(void)
{
    const int fd = open_file("file");
    write_times(fd, 1);
    if (setgid(65534) != 0 || setuid(65534) != 0) return not_here;
    write_times(fd, 2);
    const pid_t child = fork();
    if (child == 0) {
        write_times(fd, 1);
        exit(0);
    }
    must_end_well(child);
    return 0;
}

static const struct {
    const char* name;
    int (*play)(void);
} scenes[] = {{"forks_among_threads", forks_among_threads},
              {"fork_handlers", fork_handlers},
              {"cancelled_often", cancelled_often},
              {"exit_on_small_stack", exit_on_small_stack},
              {"handlers_that_open", handlers_that_open},
              {"libraries_come_and_go", libraries_come_and_go},
              {"two_hdf5s", two_hdf5s},
              {"libraries_are_unloaded_at_the_end", libraries_are_unloaded_at_the_end},
              {"library_that_waits", library_that_waits},
              {"ring_that_goes", ring_that_goes},
              {"ring_of_the_same_number", ring_of_the_same_number},
              {"deep_binding", deep_binding},
              {"another_namespace", another_namespace},
              {"opens_the_recorder", opens_the_recorder},
              {"opens_the_recorder_late", opens_the_recorder_late},
              {"in_a_chroot", in_a_chroot},
              {"no_descriptors", no_descriptors},
              {"no_address_space", no_address_space},
              {"locked_memory", locked_memory},
              {"growing_stack", growing_stack},
              {"no_processes", no_processes},
              {"another_user", another_user}};

int main(int count, char** arguments)
{
    if (readlink("/proc/self/exe", beside, sizeof beside - 1) > 0) *(strrchr(beside, '/') + 1) = '\0';
    for (size_t i = 0; count == 2 && i < sizeof scenes / sizeof *scenes; ++i)
        if (strcmp(arguments[1], scenes[i].name) == 0) return scenes[i].play();
    errx(2, "usage: hazards NAME");
}
