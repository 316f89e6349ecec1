/* Two ranks or more, of which rank 1 lets a filter take some system calls from it that it does not make:
 * those by which memory for records is had. */
#include <err.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define FORBID(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static int confine(void)
{
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   FORBID(SYS_ftruncate),
                                   FORBID(SYS_fallocate),
                                   FORBID(SYS_getcwd),
                                   FORBID(SYS_stat),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0;
}

int main(int count, char** arguments)
{
    int rank = 0;
    char name[32];
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "file.%d", rank);
    FILE* const stream = fopen(name, "w");
    if (stream == NULL || fputs("before", stream) < 0) err(1, "%s", name);
    const int status = rank == 1 && confine() ? 77 : 0;
    if (fputs("after", stream) < 0 || fclose(stream) != 0) err(1, "%s", name);
    MPI_Finalize();
    return status;
}
