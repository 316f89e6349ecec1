// A small program for debuggers and tracers: files by all simple means, memory, a thread.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* in_thread(void* unused)
{
    (void)unused;
    FILE* file = fopen("by-thread", "w");
    for (int line = 0; line < 1000; ++line) fprintf(file, "line %d\n", line);
    fclose(file);
    return malloc(10);
}

static void crash(void)
{
    volatile int* const nowhere = NULL;
    *nowhere = 1;
}

int main(int count, char** words)
{
    const int fd = open("by-call", O_RDWR | O_CREAT | O_TRUNC, 0644);
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    char* const buffer = malloc(1 << 16);
    memset(buffer, 'x', 1 << 16);
    for (int piece = 0; piece < 100; ++piece)
        if (write(fd, buffer, 1 << 16) != 1 << 16) return 2;
    if (pread(fd, buffer, 100, 50) != 100) return 2;
    void* from_thread = NULL;
    pthread_join(thread, &from_thread);
    close(fd);
    free(from_thread);
    free(buffer);
    printf("done, errno %d\n", (int)(close(-1) + 1));
    fflush(stdout);
    if (count > 1 && strcmp(words[1], "crash") == 0) crash();
    return 3;
}
