/* Calls in loops, timed: what one call costs with and without a preload library. Run by overhead.py.
 *
 * usage: overhead FOLDER [--calls N] [--threads N] [--only CASE] [--cpu] [--nothing]
 *
 * FOLDER is where the files go. Prints "CASE THREADS NANOSECONDS" per case: per call, the mean of the
 * threads.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { file_bytes = 4 << 20 };

/* What a loop works on: a file of its thread's own, or the one that all share. */
struct place {
    char path[4096];
    int fd;
    FILE *stream, *lines;
};

static volatile unsigned long sink;
static clockid_t timed_by =
    CLOCK_MONOTONIC; /* or the thread's CPU time, which no other program takes part in */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(timed_by, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char byte[1], word[8];

/* The loops. Errors end the program: a loop of failing calls would measure something else. */
#define LOOP(name, call, wanted)                   \
    static void name(struct place* at, long calls) \
    {                                              \
        for (long i = 0; i < calls; ++i)           \
            if ((call) != (wanted)) err(1, #name); \
        (void)at;                                  \
    }
LOOP(loop_pwrite, pwrite(at->fd, byte, 1, i % file_bytes), 1)
LOOP(loop_pread, pread(at->fd, byte, 1, i % file_bytes), 1)
LOOP(loop_write, write(at->fd, byte, 1), 1)
LOOP(loop_read, read(at->fd, byte, 1), 1)
LOOP(loop_lseek, lseek(at->fd, i % file_bytes, SEEK_SET), i % file_bytes)
LOOP(loop_fwrite, fwrite(byte, 1, 1, at->stream), 1)
LOOP(loop_fread, fread(byte, 1, 1, at->stream), 1)
LOOP(loop_fputc, fputc('x', at->stream), 'x')
LOOP(loop_fgetc, fgetc(at->stream) != EOF, 1)
LOOP(loop_getc, getc(at->stream) != EOF, 1)
LOOP(loop_fread_8, fread(word, 1, sizeof word, at->stream), sizeof word)
LOOP(loop_fwrite_8, fwrite(word, 1, sizeof word, at->stream), sizeof word)
LOOP(loop_fprintf, fprintf(at->stream, "%d letters to a line\n", 21), 21)

static const char line[] = "a line of text that has forty letters..\n";

static void loop_fputs(struct place* at, long calls)
{
    for (long i = 0; i < calls; ++i)
        if (fputs(line, at->stream) < 0) err(1, "fputs");
}

/* From the start again where the lines end. */
static void loop_fgets(struct place* at, long calls)
{
    char to[256];
    for (long i = 0; i < calls; ++i)
        while (fgets(to, sizeof to, at->lines) == NULL) rewind(at->lines);
}

static void loop_getline(struct place* at, long calls)
{
    static __thread char* to;
    static __thread size_t room;
    for (long i = 0; i < calls; ++i)
        while (getline(&to, &room, at->lines) < 0) rewind(at->lines);
}

/* A word a call, of a stream that was just opened: where such a stream is, the C library itself does not
 * know. */
static void loop_fscanf(struct place* at, long calls)
{
    char name[sizeof at->path + 8], word[sizeof line];
    snprintf(name, sizeof name, "%s.lines", at->path);
    FILE* in = fopen(name, "r");
    for (long i = 0; in != NULL && i < calls; ++i)
        while (in != NULL && fscanf(in, "%40s", word) != 1) in = freopen(name, "r", in);
    if (in == NULL) err(1, "%s", name);
    fclose(in);
}

static void loop_stat(struct place* at, long calls)
{
    struct stat about;
    for (long i = 0; i < calls; ++i)
        if (stat(at->path, &about) != 0) err(1, "stat");
}

static void loop_fstat(struct place* at, long calls)
{
    struct stat about;
    for (long i = 0; i < calls; ++i)
        if (fstat(at->fd, &about) != 0) err(1, "fstat");
}

static void loop_open_close(struct place* at, long calls)
{
    for (long i = 0; i < calls; ++i) {
        const int fd = open(at->path, O_RDWR);
        if (fd < 0 || close(fd) != 0) err(1, "open and close");
    }
}

/* The same by a relative path: the folder is the working folder. */
static void loop_open_close_relative(struct place* at, long calls)
{
    const char* const name = strrchr(at->path, '/') + 1;
    for (long i = 0; i < calls; ++i) {
        const int fd = open(name, O_RDWR);
        if (fd < 0 || close(fd) != 0) err(1, "open and close");
    }
}

/* Each time a file that the process has not seen before; they stay, so that only the first process makes
 * them. */
static void loop_open_close_new(struct place* at, long calls)
{
    static _Thread_local long number;
    char name[sizeof at->path + 32];
    for (long i = 0; i < calls; ++i) {
        snprintf(name, sizeof name, "%s.new.%ld", at->path, number++);
        const int fd = open(name, O_RDWR | O_CREAT, 0600);
        if (fd < 0 || close(fd) != 0) err(1, "open and close");
    }
}

/* Numbers that nobody can foretell, the same in each run. */
static unsigned any(unsigned below)
{
    static _Thread_local unsigned long state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* What traces take most for: pieces of other sizes at the end of a file … */
static void loop_append(struct place* at, long calls)
{
    static char piece[512];
    char name[sizeof at->path + 8];
    snprintf(name, sizeof name, "%s.end", at->path);
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    for (long i = 0; i < calls; ++i)
        if (write(fd, piece, 1 + any(sizeof piece)) < 1) err(1, "%s", name);
    close(fd);
}

/* … and any call, anywhere, of any size. */
static void loop_mixed(struct place* at, long calls)
{
    static char piece[4096];
    struct stat about;
    for (long i = 0; i < calls; ++i) {
        const size_t size = 1 + any(sizeof piece);
        const off_t place = any(file_bytes - sizeof piece);
        long done = 0;
        switch (any(4)) {
            case 0:
                done = pread(at->fd, piece, size, place);
                break;
            case 1:
                done = pwrite(at->fd, piece, size, place);
                break;
            case 2:
                done = lseek(at->fd, place, SEEK_SET);
                break;
            default:
                done = fstat(at->fd, &about);
        }
        if (done < 0) err(1, "mixed");
    }
}

/* The floors: what the cheapest recorder would pay for its two time stamps. */
static void loop_time_stamps(struct place* at, long calls)
{
    (void)at;
    for (long i = 0; i < calls; ++i) {
        const unsigned long start = __rdtsc();
        __asm__ volatile("" ::: "memory");
        sink += __rdtsc() - start;
    }
}

static void loop_clock_gettime(struct place* at, long calls)
{
    struct timespec start, end;
    (void)at;
    for (long i = 0; i < calls; ++i) {
        clock_gettime(CLOCK_MONOTONIC, &start);
        clock_gettime(CLOCK_MONOTONIC, &end);
        sink += (unsigned long)end.tv_nsec;
    }
}

/* A message through a pipe and out of it again. */
static void loop_pipe(struct place* at, long calls)
{
    static __thread int ends[2] = {-1, -1};
    char message[64] = {0};
    (void)at;
    if (ends[0] < 0 && pipe(ends) != 0) err(1, "pipe");
    for (long i = 0; i < calls; ++i)
        if (write(ends[1], message, sizeof message) != sizeof message ||
            read(ends[0], message, sizeof message) != sizeof message)
            err(1, "pipe");
}

enum where { own_file, shared_file, null_device };

static const struct one_case {
    const char* name;
    void (*loop)(struct place*, long);
    enum where where;
    int share; /* of the calls: slow ones are made less often */
} cases[] = {
    {"rdtsc", loop_time_stamps, own_file, 1},
    {"clock_gettime", loop_clock_gettime, own_file, 1},
    {"pwrite", loop_pwrite, own_file, 1},
    {"pread", loop_pread, own_file, 1},
    {"write", loop_write, own_file, 1},
    {"read", loop_read, own_file, 1},
    {"fwrite", loop_fwrite, own_file, 1},
    {"fread", loop_fread, own_file, 1},
    {"fputc", loop_fputc, own_file, 1},
    {"fgetc", loop_fgetc, own_file, 1},
    {"getc", loop_getc, own_file, 1},
    {"fread-8", loop_fread_8, own_file, 1},
    {"fwrite-8", loop_fwrite_8, own_file, 1},
    {"fgets", loop_fgets, own_file, 1},
    {"getline", loop_getline, own_file, 1},
    {"fputs", loop_fputs, own_file, 1},
    {"fprintf", loop_fprintf, own_file, 1},
    {"fscanf", loop_fscanf, own_file, 1},
    {"stat", loop_stat, own_file, 2},
    {"fstat", loop_fstat, own_file, 1},
    {"lseek", loop_lseek, own_file, 1},
    {"open+close", loop_open_close, own_file, 4},
    {"open+close-relative", loop_open_close_relative, own_file, 4},
    {"open+close-new", loop_open_close_new, own_file, 25},
    {"append", loop_append, own_file, 1},
    {"mixed", loop_mixed, own_file, 1},
    {"untracked-write", loop_write, null_device, 1},
    {"pipe", loop_pipe, own_file, 2},
    {"shared-pwrite", loop_pwrite, shared_file, 1},
    {"shared-pread", loop_pread, shared_file, 1},
    {"shared-write", loop_write, shared_file, 1},
};

static struct place shared;

struct work {
    const struct one_case* what;
    pthread_barrier_t* start;
    struct place place;
    long calls;
    double seconds;
};

static void open_place(struct place* at)
{
    at->fd = open(at->path, O_RDWR | O_CREAT, 0600);
    if (at->fd < 0 || ftruncate(at->fd, file_bytes) != 0) err(1, "%s", at->path);
    at->stream = fopen(at->path, "r+");
    if (at->stream == NULL) err(1, "%s", at->path);
    char name[sizeof at->path + 8];
    snprintf(name, sizeof name, "%s.lines", at->path);
    at->lines = fopen(name, "w+");
    if (at->lines == NULL) err(1, "%s", name);
    for (int i = 0; i < file_bytes / 64; ++i)
        if (fputs(line, at->lines) < 0) err(1, "%s", name);
    rewind(at->lines);
}

static void* run(void* argument)
{
    struct work* const work = argument;
    struct place null = {.path = "/dev/null", .fd = -1};
    struct place* at = &work->place;
    if (work->what->where == shared_file) at = &shared;
    if (work->what->where == null_device) {
        at = &null;
        null.fd = open(null.path, O_RDWR);
    }
    const long warm_up = work->calls / 20 + 1;
    if (work->what->loop == loop_read || work->what->loop == loop_write) lseek(at->fd, 0, SEEK_SET);
    if (at->stream != NULL) rewind(at->stream);
    work->what->loop(at, warm_up);
    if (work->what->loop == loop_read || work->what->loop == loop_write) lseek(at->fd, 0, SEEK_SET);
    pthread_barrier_wait(work->start);
    const double start = seconds();
    work->what->loop(at, work->calls);
    work->seconds = seconds() - start;
    if (null.fd >= 0) close(null.fd);
    return NULL;
}

static void measure(const char* folder, const struct one_case* what, int threads, long calls)
{
    struct work work[64];
    pthread_t thread[64];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; ++i) {
        work[i] = (struct work){.what = what, .start = &start, .calls = calls / what->share};
        /* A file for each case: calls of the size that is the commonest in a file cost less than others. */
        snprintf(work[i].place.path, sizeof work[i].place.path, "%s/%s.%d", folder, what->name, i);
        open_place(&work[i].place);
    }
    double total = 0;
    for (int i = 1; i < threads; ++i) pthread_create(&thread[i], NULL, run, &work[i]);
    run(&work[0]);
    for (int i = 0; i < threads; ++i) {
        if (i > 0) pthread_join(thread[i], NULL);
        fclose(work[i].place.stream);
        fclose(work[i].place.lines);
        close(work[i].place.fd);
        total += work[i].seconds;
    }
    pthread_barrier_destroy(&start);
    printf("%s %d %.3f\n", what->name, threads, 1e9 * total / threads / (double)(calls / what->share));
}

int main(int argc, char** argv)
{
    long calls = 100000;
    int threads = 1;
    const char* only = NULL;
    if (argc < 2)
        errx(2, "usage: overhead FOLDER [--calls N] [--threads N] [--only CASE] [--cpu] [--nothing]");
    for (int i = 2; i < argc; ++i) {
        if (strcmp(argv[i], "--nothing") == 0) return 0;
        if (strcmp(argv[i], "--cpu") == 0) {
            timed_by = CLOCK_THREAD_CPUTIME_ID;
            continue;
        }
        if (i + 1 == argc) errx(2, "%s: a value is missing", argv[i]);
        if (strcmp(argv[i], "--calls") == 0)
            calls = atol(argv[++i]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[++i]);
        else if (strcmp(argv[i], "--only") == 0)
            only = argv[++i];
        else
            errx(2, "%s: not an option", argv[i]);
    }
    if (threads < 1 || threads > 64 || calls < 100) errx(2, "1 to 64 threads, at least 100 calls");
    if (chdir(argv[1]) != 0) err(1, "%s", argv[1]);
    snprintf(shared.path, sizeof shared.path, "%s/shared", argv[1]);
    open_place(&shared);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (only == NULL || strcmp(only, cases[i].name) == 0) measure(argv[1], &cases[i], threads, calls);
    return 0;
}
