/* One way to end per name, for a process and for its children: exits, signals, exec, vfork, spawn, daemon.
 * Each writes a known number of times before; see tests/libinterpose/run_lives.py for what must be in the
 * log.
 *
 * usage: ends WAY            (in an empty folder) writes to "file", then ends that way
 *        ends forked WAY     the same by a forked child, which also writes to what it inherited
 *        ends SCENE          see `scenes` below
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "writing.h"

extern char** environ;
static char self[4096];

/* Until there is a file "go", but not for ever. */
static void wait_for_go(void)
{
    for (int patience = 0; access("go", F_OK) != 0 && patience < 1500; ++patience) usleep(10000);
}

/* ---- ways ---- */

static void signal_self(int number)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    raise(number);
}

static void* write_later(void* unused)
{
    (void)unused;
    usleep(20000);
    write_file("thread", 5);
    return NULL;
}

static int way_returns(void)
{
    return 3;
}
static int way_exits(void)
{
    exit(3);
}
static int way__exits(void)
{
    _exit(3);
}
static int way__Exits(void)
{
    _Exit(3);
}
static int way_quick_exits(void)
{
    quick_exit(3);
}
static int way_exit_group(void)
{
    return (int)syscall(SYS_exit_group, 3);
}
static int way_aborts(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}
static int way_SIGTERM(void)
{
    signal_self(SIGTERM);
    return 0;
}
static int way_SIGINT(void)
{
    signal_self(SIGINT);
    return 0;
}
static int way_SIGKILL(void)
{
    signal_self(SIGKILL);
    return 0;
}
static int way_SIGSEGV(void)
{
    signal_self(SIGSEGV);
    return 0;
}
static int way_leaves_main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_later, NULL);
    pthread_exit(NULL);
}

static const struct {
    const char* name;
    int (*end)(void);
} ways[] = {{"returns", way_returns},        {"exit", way_exits},
            {"_exit", way__exits},           {"_Exit", way__Exits},
            {"quick_exit", way_quick_exits}, {"exit_group", way_exit_group},
            {"abort", way_aborts},           {"SIGTERM", way_SIGTERM},
            {"SIGINT", way_SIGINT},          {"SIGKILL", way_SIGKILL},
            {"SIGSEGV", way_SIGSEGV},        {"leaves_main", way_leaves_main}};

static int end_by(const char* way)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        if (strcmp(way, ways[i].name) == 0) return ways[i].end();
    errx(2, "no such way: %s", way);
}

static int forked(const char* way)
{
    const int fd = open_file("inherited");
    write_times(fd, 5);
    const pid_t child = fork();
    if (child == 0) {
        write_times(fd, 10);
        write_file("file", 20);
        exit(end_by(way));
    }
    waitpid(child, NULL, 0);
    write_times(fd, 3);
    return 0;
}

/* ---- scenes ---- */

/* Every exec there is, each by a child of its own. */
static int execs(void)
{
    char* const words[] = {"ends", "writes_twice", NULL};
    for (int i = 0; i < 9; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            write_file("before", 1);
            switch (i) {
                case 0:
                    execve(self, words, environ);
                    break;
                case 1:
                    execv(self, words);
                    break;
                case 2:
                    execvp(self, words);
                    break;
                case 3:
                    execvpe(self, words, environ);
                    break;
                case 4:
                    fexecve(open(self, O_RDONLY), words, environ);
                    break;
                case 5:
                    execveat(AT_FDCWD, self, words, environ, 0);
                    break;
                case 6:
                    execl(self, "ends", "writes_twice", (char*)NULL);
                    break;
                case 7:
                    execlp(self, "ends", "writes_twice", (char*)NULL);
                    break;
                case 8:
                    execle(self, "ends", "writes_twice", (char*)NULL, environ);
                    break;
            }
            _exit(1);
        }
        int status = 1;
        if (waitpid(child, &status, 0) != child || status != 0)
            errx(1, "exec number %d: status %d", i, status);
    }
    return 0;
}

static int writes_twice(void)
{
    write_file("after", 2);
    return 0;
}

/* An exec that fails leaves the process and errno as they were. */
static int exec_fails(void)
{
    write_file("file", 4);
    execl("/nonexistent", "nonexistent", (char*)NULL);
    if (errno != ENOENT) errx(1, "execl: %d", errno);
    execvp("nonexistent program", (char* const[]){"nonexistent", NULL});
    if (errno != ENOENT) errx(1, "execvp: %d", errno);
    write_file("file", 5);
    return 0;
}

/* What children of vfork do is none of their parent's ends. */
static int vforks(void)
{
    const char* const programs[] = {self, "/nonexistent"};
    write_file("parent", 2);
    for (int i = 0; i < 3; ++i) {
        const pid_t child = vfork();
        if (child == 0) {
            if (i < 2) execl(programs[i], "ends", "writes_twice", (char*)NULL);
            _exit(i);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WEXITSTATUS(status) != i) errx(1, "child %d: status %d", i, status);
    }
    write_file("parent", 3);
    raise(SIGKILL);
    return 0;
}

static int spawns(void)
{
    char* const words[] = {"ends", "writes_twice", NULL};
    pid_t child = 0;
    int status = 1;
    write_file("parent", 2);
    if (posix_spawn(&child, self, NULL, NULL, words, environ) != 0) errx(1, "posix_spawn");
    waitpid(child, &status, 0);
    if (posix_spawn(&child, "/nonexistent", NULL, NULL, words, environ) != ENOENT) errx(1, "posix_spawn");
    write_file("parent", 1);
    return status;
}

static int runs_shell(void)
{
    write_file("parent", 2);
    const int status = system("dd if=/dev/zero of=child bs=10 count=6 status=none");
    write_file("parent", 1);
    return status;
}

static pid_t child_that_dies_of(int number)
{
    const pid_t child = fork();
    if (child != 0) return child;
    write_file("child", 1);
    signal(number, SIG_DFL);
    raise(number);
    _exit(0);
}

/* Every way to wait, also without a place for the status; and waiting changes nothing for who waits. */
static int waits(void)
{
    int status = 0;
    siginfo_t about;
    pid_t child = child_that_dies_of(SIGTERM);
    if (wait(NULL) != child) err(1, "wait");
    child = child_that_dies_of(SIGINT);
    if (waitpid(child, NULL, 0) != child) err(1, "waitpid");
    child = child_that_dies_of(SIGUSR1);
    if (wait3(&status, 0, NULL) != child || status != SIGUSR1) err(1, "wait3");
    child = child_that_dies_of(SIGUSR2);
    if (wait4(child, NULL, 0, NULL) != child) err(1, "wait4");
    child = child_that_dies_of(SIGALRM);
    if (waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT) != 0 || about.si_status != SIGALRM)
        err(1, "waitid");
    if (waitid(P_PID, (id_t)child, NULL, WEXITED) != 0) err(1, "waitid");
    errno = 0;
    if (waitpid(-1, NULL, 0) != -1 || errno != ECHILD) err(1, "waitpid without children");
    return 0;
}

/* More children than their parent can tell of: those that were killed count more than those that were not. */
static int many_children(void)
{
    for (int i = 0; i < 230; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, NULL, 0);
    }
    waitpid(child_that_dies_of(SIGKILL), NULL, 0);
    return 0;
}

static void* write_after_go(void* unused)
{
    wait_for_go();
    return write_later(unused);
}

/* A process that goes on without its main thread, which then is a zombie. */
static int goes_on_without_main(void)
{
    pthread_t thread;
    write_file("file", 1);
    pthread_create(&thread, NULL, write_after_go, NULL);
    pthread_exit(NULL);
}

/* A process that outlives its parent, until there is a file "go". */
static int daemonized(void)
{
    write_file("parent", 1);
    if (fork() != 0) return 0;
    setsid();
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; ++fd) dup2(null, fd);
    write_file("daemon", 2);
    wait_for_go();
    write_file("daemon", 3);
    exit(6);
}

/* The same, but it does not keep its parent waiting. */
static int short_daemon(void)
{
    close(open_file("go"));
    return daemonized();
}

static const struct {
    const char* name;
    int (*play)(void);
} scenes[] = {{"execs", execs},
              {"writes_twice", writes_twice},
              {"exec_fails", exec_fails},
              {"vforks", vforks},
              {"spawns", spawns},
              {"runs_shell", runs_shell},
              {"waits", waits},
              {"many_children", many_children},
              {"daemonized", daemonized},
              {"goes_on_without_main", goes_on_without_main},
              {"short_daemon", short_daemon}};

int main(int count, char** arguments)
{
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) err(1, "/proc/self/exe");
    if (count == 3 && strcmp(arguments[1], "forked") == 0) return forked(arguments[2]);
    if (count != 2) errx(2, "usage: ends WAY | forked WAY | SCENE");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i)
        if (strcmp(arguments[1], scenes[i].name) == 0) return scenes[i].play();
    write_file("file", 10);
    return end_by(arguments[1]);
}
