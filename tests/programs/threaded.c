/* A library whose constructor starts a thread and waits for it: the thread's calls, the first of their kind
 * in the process, are made while the dynamic linker's lock is held. */
#include <pthread.h>
#include <stdio.h>

#include "writing.h"

static void* first_calls(void* unused)
{
    char text[10];
    write_file("of thread", 1);
    const int fd = open("of thread", O_RDWR);
    if (pwrite(fd, bytes, sizeof bytes, 0) != sizeof bytes || pread(fd, text, sizeof text, 0) != sizeof text)
        err(1, "of thread");
    lseek(fd, 0, SEEK_END);
    close(fd);
    FILE* const stream = fopen("of thread", "r");
    if (stream == NULL || fgets(text, sizeof text, stream) == NULL || fclose(stream) != 0)
        err(1, "of thread");
    return unused;
}

__attribute__((constructor)) static void loaded(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, first_calls, NULL) != 0) errx(1, "pthread_create");
    pthread_join(thread, NULL);
}
