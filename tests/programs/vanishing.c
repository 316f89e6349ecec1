/* A thread gives the memory of a call's argument back as soon as it sees what the call did: `open` of a FIFO,
 * of which the other end opens then; `fputs`, `fputws` and `writev` to it, of which all bytes have arrived.
 * The call itself may not have returned yet.
 *
 * usage: vanishing open|fputs|fputws|writev */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

enum { rounds = 3000, page = 4096, text_size = 64 };

static char* memory; /* a page of its own, gone after each round */
static const char* call;
static FILE* stream;
static pthread_barrier_t begins, ends;

static void* make_calls(void* unused)
{
    for (int at = 0; at < rounds; ++at) {
        pthread_barrier_wait(&begins);
        if (strcmp(call, "open") == 0)
            close(open(memory, O_RDONLY));
        else if (strcmp(call, "fputs") == 0)
            fputs(memory, stream);
        else if (strcmp(call, "fputws") == 0)
            fputws((const wchar_t*)memory, stream);
        else if (writev(fileno(stream), (const struct iovec*)memory, 1) != text_size)
            abort();
        pthread_barrier_wait(&ends);
    }
    return unused;
}

static void fill(void)
{
    static char text[text_size];
    memset(text, 'x', sizeof text);
    if (strcmp(call, "open") == 0) {
        strcpy(memory, "fifo");
    } else if (strcmp(call, "fputs") == 0) {
        memcpy(memory, text, sizeof text);
    } else if (strcmp(call, "fputws") == 0) {
        for (int at = 0; at < text_size; ++at) ((wchar_t*)memory)[at] = L'x';
    } else {
        const struct iovec piece = {text, sizeof text};
        memcpy(memory, &piece, sizeof piece);
    }
}

int main(int argc, char** argv)
{
    if (argc != 2 || mkfifo("fifo", 0600) != 0) return 2;
    call = argv[1];
    pthread_barrier_init(&begins, NULL, 2);
    pthread_barrier_init(&ends, NULL, 2);
    const int in = open("fifo", O_RDWR); /* holds it open: nobody waits */
    if (strcmp(call, "open") == 0)
        close(in);
    else if ((stream = fopen("fifo", "w")) == NULL || setvbuf(stream, NULL, _IONBF, 0) != 0)
        return 2;
    pthread_t thread;
    if (pthread_create(&thread, NULL, make_calls, NULL) != 0) return 2;
    for (int at = 0; at < rounds; ++at) {
        memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        fill();
        pthread_barrier_wait(&begins);
        if (strcmp(call, "open") == 0) {
            close(open("fifo", O_WRONLY));
        } else {
            char bytes[text_size];
            for (size_t got = 0; got < sizeof bytes;) got += (size_t)read(in, bytes, sizeof bytes - got);
        }
        munmap(memory, page);
        pthread_barrier_wait(&ends);
    }
    pthread_join(thread, NULL);
    puts("all went");
    return 0;
}
