/* Streams whose buffer serves many calls: each call counts once, with its size, whatever the stream is and
 * whoever uses it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>

#include "exact.h"

EXACT(int, fgetc, (FILE*));
EXACT(int, fputc, (int, FILE*));
EXACT(int, ungetc, (int, FILE*));
EXACT(int, getchar, (void));
EXACT(int, putchar, (int));
EXACT(size_t, fread, (void*, size_t, size_t, FILE*));
EXACT(size_t, fwrite, (const void*, size_t, size_t, FILE*));
EXACT(char*, fgets, (char*, int, FILE*));
EXACT(int, fputs, (const char*, FILE*));

enum { buffer = 4096, bytes = 3 * buffer };

/* A file of these bytes, all letters, with a line end behind each `line` of them. */
static void make_bytes(const char* path, int size, int line)
{
    static char text[4 * bytes + 1];
    for (int at = 0; at < size; ++at) text[at] = (at + 1) % line == 0 ? '\n' : (char)('a' + at % 26);
    text[size] = '\0';
    make(path, text);
}

/* Calls that were timed, and those that were not. */
static void did_read_with(const char* path, int timed, int served, long long moved)
{
    did_read(path, timed + served, moved);
    did("stdio", path, "buffered_reads", served);
}

static void did_write_with(const char* path, int timed, int served, long long moved)
{
    did_write(path, timed + served, moved);
    did("stdio", path, "buffered_writes", served);
}

static void characters(void)
{
    make_bytes("characters", bytes, 100);
    FILE* const in = must_open("characters", "r");
    FILE* const out = must_open("copied", "w");
    for (int byte; (byte = exact_fgetc(in)) != EOF;) MUST(exact_fputc(byte, out) == byte);
    /* the first call, that at each further buffer, and the end of the file */
    did_read_with("characters", 1 + 2 + 1, bytes - 3, bytes);
    did_write_with("copied", 1 + 2, bytes - 3, bytes);
    must_close("characters", in);
    must_close("copied", out);
    did("stdio", "characters", "read_size_0_100", bytes + 1);
    did("stdio", "characters", "consecutive_reads", bytes);
    did("stdio", "characters", "highest_read", bytes);
    did("stdio", "copied", "write_size_0_100", bytes);
    did("stdio", "copied", "consecutive_writes", bytes - 1);
    did("stdio", "copied", "highest_written", bytes);
}

static void items(void)
{
    char to[2 * buffer];
    make_bytes("items", bytes, 100);
    FILE* const in = must_open("items", "r");
    FILE* const out = must_open("items.out", "w");
    int served = 0;
    /* 8 bytes divide the buffer: each 512th call finds it empty, or full */
    for (int at = 0; at < buffer / 8; ++at) {
        MUST(exact_fread(to, 1, 8, in) == 8 && exact_fwrite(to, 4, 2, out) == 2);
        served += at > 0;
    }
    MUST(exact_fread(to, 200, 5, in) == 5 && exact_fwrite(to, 200, 5, out) == 5); /* at its end */
    MUST(exact_fread(to, 1, 300, in) == 300 && exact_fwrite(to, 1, 300, out) == 300);
    MUST(exact_fread(to, 1, 1024, in) == 1024 && exact_fwrite(to, 1, 1024, out) == 1024);
    served += 2;
    MUST(exact_fread(to, 1, 1025, in) == 1025 && exact_fwrite(to, 1, 1025, out) == 1025); /* is timed */
    MUST(exact_fread(to, 1, 0, in) == 0 && exact_fwrite(to, 0, 1, out) == 0);             /* so is this */
    MUST(exact_fread(to, 1, buffer, in) == buffer && exact_fwrite(to, 1, buffer, out) == buffer);
    const int moved = buffer + 1000 + 300 + 1024 + 1025 + buffer;
    did_read_with("items", 1 + 1 + 1 + 1 + 1, served, moved);
    did_write_with("items.out", 1 + 1 + 1 + 1 + 1, served, moved);
    did("stdio", "items", "read_size_0_100", buffer / 8 + 1);
    did("stdio", "items", "read_size_100_1K", 3);
    did("stdio", "items", "read_size_1K_10K", 2);
    did("stdio", "items.out", "highest_written", moved);
    must_close("items", in);
    must_close("items.out", out);
}

static void lines(void)
{
    char to[2 * buffer], *line = NULL;
    size_t room = 0;
    make_bytes("lines", bytes, 64);
    FILE* const in = must_open("lines", "r");
    FILE* const out = must_open("lines.out", "w");
    int read = 0;
    while (exact_fgets(to, sizeof to, in) != NULL && getline(&line, &room, in) == 64) {
        MUST(strlen(to) == 64 && strlen(line) == 64);
        MUST(exact_fputs(to, out) >= 0 && fprintf(out, "%s", line) == 64);
        read += 2;
    }
    MUST(read == bytes / 64);
    did_read("lines", read + 1, bytes);
    did_write("lines.out", read, bytes);
    did("stdio", "lines", "consecutive_reads", read);
    did("stdio", "lines", "highest_read", bytes);
    did("stdio", "lines.out", "consecutive_writes", read - 1);
    did("stdio", "lines.out", "formatted", read / 2);
    /* the lines near the buffer's end are timed: that any reaches the file is not known before */
    did_at_least("stdio", "lines", "buffered_reads", read * 9 / 10);
    did_at_least("stdio", "lines.out", "buffered_writes", read * 9 / 10);
    must_close("lines", in);
    must_close("lines.out", out);
    free(line);
}

/* Lines that are much longer than those before, and longer than the buffer. */
static void lines_of_all_lengths(void)
{
    static char text[5 * buffer], to[5 * buffer];
    const int lengths[] = {10,     10, 10, 3 * buffer, 10,   10, 10,         2 * buffer, 20,
                           buffer, 5,  5,  1000,       1100, 5,  4 * buffer, 1};
    FILE* out = must_open("lengths", "w");
    long long moved = 0;
    for (size_t at = 0; at < sizeof lengths / sizeof *lengths; ++at) {
        memset(text, 'x', (size_t)lengths[at]);
        text[lengths[at] - 1] = '\n';
        text[lengths[at]] = '\0';
        MUST(at % 2 == 0 ? exact_fputs(text, out) >= 0 : fprintf(out, "%s", text) == lengths[at]);
        moved += lengths[at];
    }
    did_write("lengths", sizeof lengths / sizeof *lengths, moved);
    did("stdio", "lengths", "highest_written", moved);
    did("stdio", "lengths", "consecutive_writes", sizeof lengths / sizeof *lengths - 1);
    must_close("lengths", out);
    FILE* const in = must_open("lengths", "r");
    for (size_t at = 0; at < sizeof lengths / sizeof *lengths; ++at)
        MUST(exact_fgets(to, sizeof to, in) == to && strlen(to) == (size_t)lengths[at]);
    did_read("lengths", sizeof lengths / sizeof *lengths, moved);
    did("stdio", "lengths", "highest_read", moved);
    did("stdio", "lengths", "consecutive_reads", sizeof lengths / sizeof *lengths - 1);
    must_close("lengths", in);
}

/* Several streams in turns, two of them on one file. */
static void in_turns(void)
{
    make_bytes("turns", buffer, 100);
    FILE* const one = must_open("turns", "r");
    FILE* const other = must_open("turns", "r");
    FILE* const out = must_open("turns.out", "w");
    FILE* const more = must_open("turns.more", "w");
    for (int at = 0; at < buffer; ++at) {
        const int byte = exact_fgetc(one);
        MUST(exact_fgetc(other) == byte && exact_fputc(byte, out) == byte && exact_fputc(byte, more) == byte);
    }
    MUST(exact_fgetc(one) == EOF && exact_fgetc(other) == EOF);
    did_read("turns", 2 * buffer + 2, 2 * buffer);
    did("stdio", "turns", "highest_read", buffer);
    did_write_with("turns.out", 1, buffer - 1, buffer);
    did_write_with("turns.more", 1, buffer - 1, buffer);
    must_close("turns", one);
    must_close("turns", other);
    must_close("turns.out", out);
    must_close("turns.more", more);
}

/* What is pushed back is read again and counts once, also where it is another letter and waits in a place of its own. */
static void pushed_back(void)
{
    make_bytes("pushed", 100, 1000);
    FILE* const in = must_open("pushed", "r");
    for (int at = 0; at < 50; ++at) {
        const int byte = exact_fgetc(in);
        MUST(exact_ungetc(at % 2 == 0 ? byte : 'X', in) != EOF);
        MUST(exact_fgetc(in) == (at % 2 == 0 ? byte : 'X') && exact_fgetc(in) == 'a' + (2 * at + 1) % 26);
    }
    MUST(ftell(in) == 100 && exact_fgetc(in) == EOF);
    did_read("pushed", 50 * 3 + 1, 100);
    did("stdio", "pushed", "highest_read", 100);
    did("stdio", "pushed", "consecutive_reads", 50 * 2);
    must_close("pushed", in);
}

static void moved_about(void)
{
    make_bytes("about", bytes, 1000);
    FILE* const both = must_open("about", "r+");
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(both) == 'a' + at);
    MUST(fseek(both, 5, SEEK_SET) == 0);
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(both) == 'a' + 5 + at);
    MUST(fseek(both, 100, SEEK_SET) == 0);
    for (int at = 0; at < 10; ++at) MUST(exact_fputc('x', both) == 'x');
    MUST(fseek(both, 0, SEEK_CUR) == 0);
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(both) == 'a' + (110 + at) % 26);
    MUST(fflush(both) == 0 && ftell(both) == 120);
    did_read("about", 30, 30);
    did_write("about", 10, 10);
    did("stdio", "about", "seeks", 3);
    did("stdio", "about", "syncs", 1);
    did("stdio", "about", "highest_read", 120);
    did("stdio", "about", "highest_written", bytes); /* that of make() */
    did("stdio", "about", "consecutive_reads", 9 + 9 + 9);
    did("stdio", "about", "sequential_reads", 1);
    did("stdio", "about", "switches", 3); /* from make()'s write too */
    must_close("about", both);
}

static void appended(void)
{
    make("appended", "0123456789");
    FILE* const end = must_open("appended", "a");
    for (int at = 0; at < 100; ++at) MUST(exact_fputc('x', end) == 'x');
    did_write_with("appended", 1, 99, 100);
    did("stdio", "appended", "highest_written", 110);
    did("stdio", "appended", "consecutive_writes", 100);
    must_close("appended", end);
}

/* Each call reaches the file, or each line. */
static void other_buffers(void)
{
    char own[16];
    FILE* const none = must_open("unbuffered", "w");
    FILE* const by_line = must_open("by_line", "w");
    FILE* const small = must_open("small", "w");
    MUST(setvbuf(none, NULL, _IONBF, 0) == 0 && setvbuf(by_line, NULL, _IOLBF, 0) == 0);
    MUST(setvbuf(small, own, _IOFBF, sizeof own) == 0);
    for (int at = 0; at < 1000; ++at)
        MUST(exact_fputc('x', none) == 'x' && exact_fwrite("line\n", 1, 5, by_line) == 5 &&
             exact_fputc('\n', by_line) == '\n' && exact_fwrite("12345", 1, 5, small) == 5);
    did_write_with("unbuffered", 1000, 0, 1000);
    did_write_with("by_line", 2000, 0, 6000);
    did_write("small", 1000, 5000);
    did("stdio", "small", "highest_written", 5010);
    MUST(setvbuf(small, NULL, _IONBF, 0) == 0); /* late: the C library allows it */
    for (int at = 0; at < 10; ++at) MUST(exact_fputc('x', small) == 'x');
    did_write("small", 10, 10);
    must_close("unbuffered", none);
    must_close("by_line", by_line);
    must_close("small", small);
}

static ssize_t read_from_nowhere(void* cookie, char* to, size_t n)
{
    (void)cookie;
    memset(to, 'x', n);
    return (ssize_t)n;
}

static ssize_t write_to_nowhere(void* cookie, const char* from, size_t n)
{
    (void)cookie;
    (void)from;
    return (ssize_t)n;
}

/* No file is behind these: nothing is counted. */
static void in_memory(void)
{
    char* made = NULL;
    size_t size = 0;
    char text[] = "0123456789";
    FILE* const streams[] = {
        fmemopen(text, sizeof text, "r+"), open_memstream(&made, &size),
        fopencookie(NULL, "r+", (cookie_io_functions_t){read_from_nowhere, write_to_nowhere, NULL, NULL})};
    MUST(exact_fgetc(streams[0]) == '0' && exact_fgetc(streams[0]) == '1');
    for (int at = 0; at < 1000; ++at)
        MUST(exact_fputc('x', streams[1]) == 'x' && exact_fgetc(streams[2]) == 'x' &&
             fprintf(streams[1], "%d", 7) == 1);
    for (int at = 0; at < 3; ++at) MUST(fclose(streams[at]) == 0);
    MUST(size == 2000);
    free(made);
}

static void wide(void)
{
    make_bytes("wide", 1000, 2000);
    FILE* const in = must_open("wide", "r");
    FILE* const out = must_open("wide.out", "w");
    MUST(fwide(in, 1) > 0 && fwide(out, 1) > 0);
    for (wint_t letter; (letter = fgetwc(in)) != WEOF;) MUST(fputwc((wchar_t)letter, out) == letter);
    did_read_with("wide", 1001, 0, 1000);
    did_write_with("wide.out", 1000, 0, 1000);
    must_close("wide", in);
    must_close("wide.out", out);
}

/* A stream where another one has been, as malloc likes to place them. */
static void in_the_same_place(void)
{
    for (int at = 0; at < 6; ++at) {
        char name[32];
        snprintf(name, sizeof name, "place.%d", at);
        FILE* const out = must_open(name, "w");
        for (int byte = 0; byte <= at; ++byte) MUST(exact_fputc('x', out) == 'x');
        did_write_with(name, 1, at, at + 1);
        must_close(name, out);
    }
    make_bytes("place.again", 10, 100);
    FILE* in = must_open("place.0", "r");
    MUST(exact_fgetc(in) == 'x');
    did_read("place.0", 1, 1);
    MUST((in = freopen("place.again", "r", in)) != NULL);
    did("stdio", "place.again", "opens", 1);
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(in) == 'a' + at);
    did_read_with("place.again", 1, 9, 10);
    must_close("place.again", in);
}

/* Another file takes the place of the one below a stream. */
static void replaced_below(void)
{
    make_bytes("below", buffer, 100);
    FILE* const in = must_open("below", "r");
    FILE* const other = must_open("below.other", "w+");
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(in) != EOF);
    MUST(dup2(fileno(other), fileno(in)) == fileno(in));
    did("posix", "below.other", "dups", 1);
    did_read_with("below", 1, 9, 10);
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(in) != EOF);
    did_read_with("below.other", 1, 9, 10); /* what its descriptor is now */
    did("stdio", "below.other", "closes", 2);
    MUST(fclose(in) == 0 && fclose(other) == 0);
}

/* Threads. */
enum { readers = 4 };
static FILE* shared;
static pthread_barrier_t meet;

static void* read_all(void* count)
{
    pthread_barrier_wait(&meet);
    while (exact_fgetc(shared) != EOF) ++*(long*)count;
    return NULL;
}

static void read_at_once(void)
{
    pthread_t threads[readers];
    long found[readers] = {0}, sum = 0;
    make_bytes("shared", 4 * bytes, 100);
    shared = must_open("shared", "r");
    pthread_barrier_init(&meet, NULL, readers);
    for (int at = 0; at < readers; ++at) MUST(pthread_create(&threads[at], NULL, read_all, &found[at]) == 0);
    for (int at = 0; at < readers; ++at) MUST(pthread_join(threads[at], NULL) == 0);
    for (int at = 0; at < readers; ++at) sum += found[at];
    MUST(sum == 4 * bytes);
    did("stdio", "shared", "bytes_read", 4 * bytes);
    did("stdio", "shared", "reads", 4 * bytes + readers); /* each at the end too */
    must_close("shared", shared);
}

static void* read_ten(void* unused)
{
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(shared) != EOF);
    return unused;
}

/* One after the other, with the position of each where that before it ended. */
static void handed_over(void)
{
    make_bytes("handed", 1000, 100);
    shared = must_open("handed", "r");
    for (int at = 0; at < 50; ++at) {
        pthread_t thread;
        read_ten(NULL);
        MUST(pthread_create(&thread, NULL, read_ten, NULL) == 0 && pthread_join(thread, NULL) == 0);
    }
    did_read("handed", 1000, 1000);
    did("stdio", "handed", "highest_read", 1000);
    must_close("handed", shared);
}

static void* write_locked(void* unused)
{
    pthread_barrier_wait(&meet);
    for (int at = 0; at < 1000; ++at) {
        flockfile(shared);
        MUST(putc_unlocked('a', shared) == 'a' && exact_fputc('b', shared) == 'b');
        funlockfile(shared);
    }
    return unused;
}

static void locked(void)
{
    pthread_t threads[readers];
    char to[3] = "";
    shared = must_open("locked", "w+");
    pthread_barrier_init(&meet, NULL, readers);
    for (int at = 0; at < readers; ++at) MUST(pthread_create(&threads[at], NULL, write_locked, NULL) == 0);
    for (int at = 0; at < readers; ++at) MUST(pthread_join(threads[at], NULL) == 0);
    rewind(shared);
    MUST(exact_fread(to, 1, 2, shared) == 2 && strcmp(to, "ab") == 0);
    did("stdio", "locked", "bytes_written", 2000 * readers);
    did_at_least("stdio", "locked", "writes", 1);
    did_read("locked", 1, 2);
    did("stdio", "locked", "seeks", 1);
    must_close("locked", shared);
}

static void* close_it(void* stream)
{
    MUST(fclose(stream) == 0);
    return NULL;
}

/* Another thread closes the stream, and the next one is likely to lie where it was. */
static void closed_elsewhere(void)
{
    for (int at = 0; at < 20; ++at) {
        char name[32];
        pthread_t thread;
        snprintf(name, sizeof name, "elsewhere.%d", at);
        FILE* const out = must_open(name, "w");
        for (int byte = 0; byte < 10 + at; ++byte) MUST(exact_fputc('x', out) == 'x');
        did_write(name, 10 + at, 10 + at);
        MUST(pthread_create(&thread, NULL, close_it, out) == 0 && pthread_join(thread, NULL) == 0);
        did("stdio", name, "closes", 1);
    }
}

/* Times: of a stream whose buffer takes long to fill, or to empty, they are those of the calls that do so. */
enum { refills = 50 };

static const struct timespec a_while = {0, 2000000};

static void feed(void)
{
    char data[buffer] = "";
    const int fd = open("slow.in", O_WRONLY);
    MUST(fd >= 0);
    for (int at = 0; at < refills; ++at)
        MUST(nanosleep(&a_while, NULL) == 0 && write(fd, data, buffer) == buffer);
    MUST(close(fd) == 0);
}

static void drain(void)
{
    char data[buffer];
    const int fd = open("slow.out", O_RDONLY);
    MUST(fd >= 0 && fcntl(fd, F_SETPIPE_SZ, buffer) == buffer);
    while (nanosleep(&a_while, NULL) == 0 && read(fd, data, buffer) > 0) {
    }
    MUST(close(fd) == 0);
}

static long long now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

/* Most of a loop's time is in its calls: on a busy machine the loop itself waits for a core too. */
static void did_take(const char* path, const char* counter, long long took)
{
    did_at_least("stdio", path, counter, took * 75 / 100);
    did_at_most("stdio", path, counter, took * 105 / 100);
}

static void take_long(void)
{
    long long before, read = 0;
    int status = 0;
    MUST(mkfifo("slow.in", 0600) == 0 && mkfifo("slow.out", 0600) == 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        feed();
        drain();
        _exit(0);
    }
    FILE* const in = must_open("slow.in", "r");
    before = now();
    while (exact_fgetc(in) != EOF) ++read;
    const long long in_reads = now() - before;
    /* a FIFO may give less than the buffer holds: how often it is filled is not known */
    did("stdio", "slow.in", "bytes_read", refills * buffer);
    did_at_least("stdio", "slow.in", "reads", read + 1);
    did_at_least("stdio", "slow.in", "buffered_reads", read - 4 * refills);
    did_take("slow.in", "read_time", in_reads);
    must_close("slow.in", in);
    FILE* const out = fopen("slow.out", "w");
    MUST(out != NULL);
    did("stdio", "slow.out", "opens", 1);
    nanosleep(&(struct timespec){0, 5 * 1000000}, NULL); /* until the FIFO has the size of the buffer */
    before = now();
    for (long long at = 0; at < read; ++at) MUST(exact_fputc('x', out) == 'x');
    did_take("slow.out", "write_time", now() - before);
    did_write_with("slow.out", refills, refills * (buffer - 1), read);
    must_close("slow.out", out);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    did("posix", "slow.in", "opens", 1);
    did("posix", "slow.in", "closes", 1);
    did("posix", "slow.in", "writes", refills);
    did("posix", "slow.in", "bytes_written", refills * buffer);
    did("posix", "slow.out", "opens", 1);
    did("posix", "slow.out", "closes", 1);
    did("posix", "slow.out", "bytes_read", refills * buffer);
    did_at_least("posix", "slow.out", "reads", refills);
}

/* Processes. */
static void in_the_child(void)
{
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(shared) == 'a' + (10 + at) % 26);
}

static void forked(void)
{
    make_bytes("forked", 1000, 2000);
    shared = must_open("forked", "r");
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(shared) == 'a' + at);
    in_child(in_the_child);
    for (int at = 0; at < 10; ++at) MUST(exact_fgetc(shared) == 'a' + (10 + at) % 26);
    did_read("forked", 30, 30);
    did("stdio", "forked", "highest_read", 20 + 20); /* in both processes */
    did("stdio", "forked", "consecutive_reads", 19 + 9);
    must_close("forked", shared);
}

static void ends_within(void)
{
    FILE* const out = fopen("within", "w");
    MUST(out != NULL);
    for (int at = 0; at < 100; ++at) MUST(exact_fputc('x', out) == 'x');
}

static void is_killed_within(void)
{
    FILE* const out = fopen("killed", "w");
    MUST(out != NULL);
    for (int at = 0; at < 100; ++at) MUST(exact_fputc('x', out) == 'x');
    for (int at = 0; at < 50; ++at) MUST(exact_fwrite("12345", 1, 5, out) == 5);
    kill(getpid(), SIGKILL);
}

static void ended(void)
{
    int status = 0;
    in_child(ends_within);
    did("stdio", "within", "opens", 1);
    did("stdio", "within", "creates", 1);
    did_write_with("within", 1, 99, 100);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) is_killed_within();
    MUST(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    did("stdio", "killed", "opens", 1);
    did("stdio", "killed", "creates", 1);
    did_write_with("killed", 1, 149, 350);
    did("stdio", "killed", "write_size_0_100", 150);
}

static void on_standard_streams(void)
{
    MUST(freopen("in", "r", stdin) != NULL && freopen("out", "w", stdout) != NULL);
    for (int at = 0; at < 100; ++at) MUST(exact_putchar(exact_getchar()) != EOF);
    for (int at = 0; at < 100; ++at) MUST(puts("line") >= 0);
    MUST(fclose(stdin) == 0 && fclose(stdout) == 0);
}

static void standard_streams(void)
{
    make_bytes("in", 100, 1000);
    in_child(on_standard_streams);
    did("stdio", "in", "opens", 1);
    did("stdio", "out", "opens", 1);
    did_read_with("in", 1, 99, 100);
    did_write_with("out", 1, 199, 600);
    did("stdio", "in", "closes", 1);
    did("stdio", "out", "closes", 1);
}

int main(void)
{
    characters();
    items();
    lines();
    lines_of_all_lengths();
    in_turns();
    pushed_back();
    moved_about();
    appended();
    other_buffers();
    in_memory();
    wide();
    in_the_same_place();
    replaced_below();
    standard_streams();
    forked();
    ended();
    read_at_once();
    handed_over();
    locked();
    closed_elsewhere();
    take_long();
    return 0;
}
