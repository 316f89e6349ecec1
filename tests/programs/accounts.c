/* Threads that open, write, read, seek and close many files, as descriptors and as streams, without end, and
 * keep an account of it. To be killed.
 *
 * usage: accounts DESCRIPTOR SEED     (a descriptor of the memory for the account; in an empty folder)
 */
#include "accounts.h"

#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile struct account* account;
static unsigned seed;
static const char bytes[written_at_once];

/* Makes a call on a file with the account kept. The counts are the thread's own; a kill takes nothing back.
 */
#define KEEP(thread, file, what, call)                                           \
    do {                                                                         \
        volatile struct tally* const kept = &account->tally[thread][file][what]; \
        kept->begun = kept->begun + 1;                                           \
        call;                                                                    \
        kept->returned = kept->returned + 1;                                     \
    } while (0)

static void use_descriptor(long thread, unsigned file, const char* name, unsigned times)
{
    char text[read_at_once];
    int fd = -1;
    KEEP(thread, file, call_open, fd = open(name, O_RDWR | O_CREAT, 0644));
    if (fd < 0) err(1, "%s", name);
    for (unsigned i = 0; i < times; ++i) {
        ssize_t done = 0;
        KEEP(thread, file, call_write, done = write(fd, bytes, sizeof bytes));
        if (done != sizeof bytes) err(1, "write");
        if (i % 3 != 0) continue;
        KEEP(thread, file, call_seek, done = lseek(fd, 0, SEEK_SET));
        KEEP(thread, file, call_read, done = read(fd, text, sizeof text));
        if (done != sizeof text) err(1, "read");
    }
    KEEP(thread, file, call_close, close(fd));
}

static void use_stream(long thread, unsigned file, const char* name, unsigned times)
{
    FILE* stream = NULL;
    KEEP(thread, file, call_fopen, stream = fopen(name, "r+"));
    if (stream == NULL) err(1, "%s", name);
    for (unsigned i = 0; i < times; ++i) {
        size_t done = 0;
        KEEP(thread, file, call_fwrite, done = fwrite(bytes, 1, printed_at_once, stream));
        if (done != printed_at_once) err(1, "fwrite");
    }
    KEEP(thread, file, call_fclose, fclose(stream));
}

/* The threads go through the files in orders of their own, so that they meet now and then. */
static void* go_on(void* number)
{
    const long thread = (long)number;
    unsigned state = seed * account_threads + (unsigned)thread;
    __atomic_fetch_add(&account->started, 1, __ATOMIC_RELEASE);
    for (;;) {
        char name[32];
        state = state * 1664525u + 1013904223u;
        const unsigned file = (state >> 16) % account_files, times = 1 + (state >> 24) % 5;
        snprintf(name, sizeof name, "file.%u", file);
        use_descriptor(thread, file, name, times);
        if (times % 2 == 0) use_stream(thread, file, name, times);
    }
    return NULL;
}

int main(int count, char** arguments)
{
    if (count != 3) errx(2, "usage: accounts DESCRIPTOR SEED");
    void* const memory =
        mmap(NULL, sizeof *account, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(arguments[1]), 0);
    if (memory == MAP_FAILED) err(1, "mmap");
    account = memory;
    seed = (unsigned)strtoul(arguments[2], NULL, 10);
    for (long i = 1; i < account_threads; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, go_on, (void*)i) != 0) errx(1, "pthread_create");
    }
    go_on(NULL);
    return 0;
}
