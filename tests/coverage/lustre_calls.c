/* Files on a file system that says that it is Lustre. There is none here: a thread of this program answers
 * the two system calls that tell, in the kernel's place (seccomp_unotify(2)). The library must not learn of
 * that filter, or it would make no system calls at all: it is set without libc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "posix.h"

enum { lustre = 0x0BD00BD0, not_here = 77 };

static long bare_syscall(long number, long a, long b, long c)
{
    long result = number;
    register long fourth __asm__("r10") = 0;
    register long fifth __asm__("r8") = 0;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
}

struct object {
    uint64_t id[2];
    uint32_t generation, server;
};
/* lov_user_md_v3, as the kernel gives it. */
static struct {
    uint32_t magic, pattern;
    uint64_t id[2];
    uint32_t stripe_size;
    uint16_t stripe_count, generation;
    char pool[16];
    struct object object[3000];
} layout = {.magic = 0x0BD30BD0, .pattern = 1, .stripe_size = 1 << 20, .pool = "flash"};

static volatile int listener = -1;
static volatile int asked_type, asked_layout;

static long answer(const struct seccomp_data* call)
{
    if (call->nr == SYS_fstatfs) {
        ++asked_type;
        struct statfs* const about = (struct statfs*)call->args[1];
        memset(about, 0, sizeof *about);
        about->f_type = lustre;
        return 0;
    }
    ++asked_layout;
    const size_t bytes = offsetof(__typeof__(layout), object) + layout.stripe_count * sizeof(struct object);
    if (strcmp((const char*)call->args[1], "lustre.lov") != 0) return -ENODATA;
    if (call->args[3] < bytes) return -ERANGE;
    memcpy((void*)call->args[2], &layout, bytes);
    return (long)bytes;
}

static void* answer_all(void* ready)
{
    (void)ready;
    while (listener < 0) usleep(1000);
    for (;;) {
        struct seccomp_notif asked;
        memset(&asked, 0, sizeof asked);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
        const long result = answer(&asked.data);
        struct seccomp_notif_resp told = {.id = asked.id};
        if (result < 0)
            told.error = (int)result;
        else
            told.val = result;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
    }
    return NULL;
}

static void pretend(void)
{
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fstatfs, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fgetxattr, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, answer_all, NULL) == 0);
    MUST(bare_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) == 0);
    const long fd =
        bare_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, (long)&program);
    if (fd < 0) {
        WITHOUT("seccomp's notifications");
        exit(not_here);
    }
    listener = (int)fd;
}

static void did_layout(const char* path, int stripes, int first)
{
    did("layouts", path, "rows", 1);
    did("layouts", path, "stripe_size", 1 << 20);
    did("layouts", path, "stripe_count", stripes);
    did("layouts", path, "first_server", first);
}

static void set_layout(int stripes, int first)
{
    layout.stripe_count = (uint16_t)stripes;
    for (int at = 0; at < stripes; ++at) layout.object[at].server = (uint32_t)(first + at);
}

int main(void)
{
    pretend();
    set_layout(4, 17);
    closed(opened("file", O_RDWR), "file");
    MUST(asked_type == 1 && asked_layout == 1);
    closed(opened("file", O_RDWR), "file"); /* known by now */
    did_layout("file", 4, 17);

    set_layout(2500, 1); /* more than fits where there is room for most */
    errno = 0;
    closed(opened("wide", O_RDWR), "wide");
    MUST(errno == 0);
    did_layout("wide", 2500, 1);

    set_layout(1, 3);
    DID("looked-at", "links", symlink("file", "looked-at") == 0);
    closed(opened("looked-at", O_RDWR), "looked-at"); /* known by its name already */
    did_layout("looked-at", 1, 3);

    layout.magic = 0;
    closed(opened("odd", O_RDWR), "odd");
    did("layouts", "odd", "rows", 0);
    MUST(asked_type == 1 && asked_layout == 5); /* the second file was asked for twice */
    return 0;
}
