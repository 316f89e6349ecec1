/* A program whose malloc is its own: under a lock of its own it also reads and writes files, as allocators do
 * that look at /proc or leave profiles. Writes "malloc.log" once for each call of malloc or calloc.
 *
 * usage: own_malloc works     allocates a lot, in threads and children too
 *        own_malloc fails     after its start, malloc gives nothing any more
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "writing.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { heap_bytes = 64 << 20 };
#ifdef ON_MMAP /* which is called under the lock, before main() */
static char* heap;
#else
static char heap[heap_bytes];
#endif
static size_t used;
static int fails, log_fd = -1;
static long calls;

static void* take(size_t n)
{
    pthread_mutex_lock(&lock);
#ifdef ON_MMAP
    if (heap == NULL) heap = mmap(NULL, heap_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
    char text[16];
    const int statm = open("/proc/self/statm", O_RDONLY);
    if (statm < 0 || read(statm, text, sizeof text) <= 0 || close(statm) != 0) abort();
    if (log_fd < 0) log_fd = open("malloc.log", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (write(log_fd, "m", 1) != 1) abort();
    ++calls;
    void* result = NULL;
    n = (n + 31) & ~(size_t)15;
    if (!fails && used + n <= heap_bytes) {
        memcpy(heap + used, &n, sizeof n);
        result = heap + used + 16;
        used += n;
    } else {
        errno = ENOMEM;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void* malloc(size_t n)
{
    return take(n);
}
void free(void* at)
{
    (void)at;
}
void* calloc(size_t items, size_t size)
{
    return take(items * size); /* never used before, so zero */
}
void* realloc(void* at, size_t n)
{
    void* const result = take(n);
    if (result != NULL && at != NULL) {
        size_t before;
        memcpy(&before, (char*)at - 16, sizeof before);
        memcpy(result, at, before - 16 < n ? before - 16 : n);
    }
    return result;
}

static void* allocate(void* unused)
{
    for (int i = 0; i < 500; ++i)
        if (malloc(100) == NULL) abort();
    return unused;
}

static int works(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
    FILE* const stream = fopen("stream", "w"); /* allocates its buffer at the first write */
    if (stream == NULL || fprintf(stream, "text") != 4 || fclose(stream) != 0) err(1, "stream");
    if (dlsym(RTLD_DEFAULT, "no such symbol") != NULL || dlerror() == NULL) errx(1, "dlsym");
    const pid_t child = fork();
    if (child == 0) {
        const long before = calls;
        if (malloc(10) == NULL || calls != before + 1) _exit(1);
        _exit(0);
    }
    int status = 1;
    if (waitpid(child, &status, 0) != child || status != 0) errx(1, "the child: status %d", status);
    return 0;
}

static int stops(void)
{
    fails = 1;
    for (int i = 0; i < 200; ++i) {
        char name[32];
        snprintf(name, sizeof name, "file.%d", i);
        write_file(name, 1);
    }
    return 0;
}

int main(int count, char** arguments)
{
    const int status = count > 1 && strcmp(arguments[1], "fails") == 0 ? stops() : works();
    char line[64];
    const int n =
        snprintf(line, sizeof line, "wrote malloc.log %ld\n", calls + (fails ? 0 : 1)); /* the child's */
    return write(1, line, (size_t)n) == n ? status : 1;
}
