/* libc itself replaces the standard streams: by daemon, login_tty and forkpty. Writes to descriptor 1 go to a
 * file before that, and elsewhere after it.
 *
 * usage: replaced daemon|login_tty|forkpty */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

static void write_often(int times)
{
    for (int at = 0; at < times; ++at)
        if (write(1, "12345", 5) != 5) exit(1);
}

int main(int argc, char** argv)
{
    const int file = open("file", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (argc != 2 || file < 0 || dup2(file, 1) != 1) return 2;
    write_often(15);
    int master = -1, terminal = -1;
    if (strcmp(argv[1], "daemon") == 0) {
        if (daemon(1, 0) != 0) return 1;
        write_often(50);
        return 0;
    }
    const int forks_itself = strcmp(argv[1], "forkpty") == 0;
    if (!forks_itself && openpty(&master, &terminal, NULL, NULL, NULL) != 0) return 1;
    const pid_t child = forks_itself ? forkpty(&master, NULL, NULL, NULL) : fork();
    if (child == 0) {
        if (!forks_itself && login_tty(terminal) != 0) _exit(1);
        write_often(50);
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    write_often(2); /* this process has its file still */
    return 0;
}
