/* A process forbids itself system calls, or the time-stamp counter. What it did before, and does inside, must
 * be in the log as far as it can be known; see tests/libinterpose/run_lives.py.
 *
 * usage: sandboxes NAME      (in an empty folder); exit status 77: this system does not allow it
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "well.h"
#include "writing.h"

static const int common[] = {SYS_read, SYS_write, SYS_exit_group, SYS_rt_sigreturn};
static const int for_files[] = {SYS_openat, SYS_close, SYS_dup};
static const int for_threads[] = {SYS_clone,           SYS_clone3,  SYS_mmap,           SYS_mprotect,
                                  SYS_munmap,          SYS_madvise, SYS_futex,          SYS_exit,
                                  SYS_set_robust_list, SYS_rseq,    SYS_rt_sigprocmask, SYS_rt_sigaction,
                                  SYS_getrandom,       SYS_brk,     SYS_wait4};

static size_t allow(struct sock_filter* to, const int* calls, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        *to++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
        *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    return 2 * count;
}

static int by_number; /* whether the sandbox is made with syscall() */

/* From here on the process does nothing but what is on the list, or `otherwise` happens to it. */
static int confine(unsigned otherwise, int with_files, int with_threads)
{
    struct sock_filter filter[128] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    size_t n = 1;
    n += allow(filter + n, common, sizeof common / sizeof *common);
    if (with_files) n += allow(filter + n, for_files, sizeof for_files / sizeof *for_files);
    if (with_threads) n += allow(filter + n, for_threads, sizeof for_threads / sizeof *for_threads);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, otherwise);
    const struct sock_fprog program = {(unsigned short)n, filter};
    if (by_number)
        return syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0
                   ? -1
                   : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0L, &program);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Files that were open before, one of them never used, and a pipe that nobody has seen yet. */
static int opened[3], pipe_ends[2];

static void open_before(void)
{
    for (int i = 0; i < 3; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        opened[i] = open_file(name);
    }
    write_times(opened[0], 1);
    if (pipe(pipe_ends) != 0) err(1, "pipe");
}

static void use_what_is_open(void)
{
    char text[sizeof bytes];
    write_times(opened[0], 2);
    write_times(opened[1], 4);
    write_times(pipe_ends[1], 1);
    if (read(pipe_ends[0], text, sizeof text) != sizeof text) _exit(1);
}

static int strict_sandbox(void)
{
    open_before();
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) return not_here;
    use_what_is_open();
    syscall(SYS_exit, 0);
    return 1;
}

static int in_sandbox(unsigned otherwise)
{
    open_before();
    fflush(stdout);
    if (confine(otherwise, 0, 0) != 0) return not_here;
    use_what_is_open();
    _exit(0);
}

static int sandbox_that_kills(void)
{
    return in_sandbox(SECCOMP_RET_KILL_PROCESS);
}
/* As libseccomp does it. */
static int sandbox_by_number(void)
{
    by_number = 1;
    return in_sandbox(SECCOMP_RET_KILL_PROCESS);
}
static int sandbox_that_refuses(void)
{
    return in_sandbox(SECCOMP_RET_ERRNO | EPERM);
}

/* Returns from main, with all that happens then. */
static int sandbox_until_exit(void)
{
    open_before();
    if (confine(SECCOMP_RET_KILL_PROCESS, 1, 0) != 0) return not_here;
    use_what_is_open();
    const int known = open("file.2", O_WRONLY);
    write_times(known, 3);
    close(known);
    close(open_file("new file")); /* missed, as the kernel cannot be asked what it is */
    return 0;
}

static void* write_to_third(void* unused)
{
    (void)unused;
    write_times(opened[2], 3);
    return NULL;
}

/* Threads and children that begin inside; nothing of a child's can be recorded. */
static int sandbox_with_threads(void)
{
    open_before();
    if (confine(SECCOMP_RET_KILL_PROCESS, 1, 1) != 0) return not_here;
    use_what_is_open();
    for (int i = 0; i < 10; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, write_to_third, NULL) != 0) _exit(1);
        pthread_join(thread, NULL);
    }
    const pid_t child = fork();
    if (child == 0) {
        write_times(opened[2], 1);
        _exit(0);
    }
    must_end_well(child);
    return 0;
}

/* A filter that the kernel refuses changes nothing: new files are recorded as ever. */
static int sandbox_that_fails(void)
{
    const struct sock_fprog nonsense = {0, NULL};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &nonsense, 0, 0) != -1 || errno != EINVAL)
        errx(1, "prctl: %d", errno);
    if (prctl(PR_SET_SECCOMP, 99, NULL, 0, 0) != -1 || errno != EINVAL) errx(1, "prctl: %d", errno);
    if (prctl(PR_SET_NAME, "another name", 0, 0, 0) != 0) err(1, "prctl");
    char name[16];
    if (prctl(PR_GET_NAME, name, 0, 0, 0) != 0 || strcmp(name, "another name") != 0)
        errx(1, "the name is %s", name);
    write_file("new file", 3);
    return 0;
}

/* Whoever reads the time-stamp counter dies of it; libc's clocks do. */
static int without_a_clock(void)
{
    write_file("file", 1);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) return not_here;
    write_file("file", 2);
    write_file("new file", 3);
    const pid_t child = fork();
    if (child == 0) {
        write_file("file", 1);
        exit(0);
    }
    must_end_well(child);
    return 0;
}

static const struct {
    const char* name;
    int (*play)(void);
} scenes[] = {{"strict_sandbox", strict_sandbox},         {"sandbox_that_kills", sandbox_that_kills},
              {"sandbox_by_number", sandbox_by_number},   {"sandbox_that_refuses", sandbox_that_refuses},
              {"sandbox_until_exit", sandbox_until_exit}, {"sandbox_with_threads", sandbox_with_threads},
              {"sandbox_that_fails", sandbox_that_fails}, {"without_a_clock", without_a_clock}};

int main(int count, char** arguments)
{
    for (size_t i = 0; count == 2 && i < sizeof scenes / sizeof *scenes; ++i)
        if (strcmp(arguments[1], scenes[i].name) == 0) return scenes[i].play();
    errx(2, "usage: sandboxes NAME");
}
