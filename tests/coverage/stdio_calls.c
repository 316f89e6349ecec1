/* stdio, but for the formatted and the wide calls: reads, writes, positions, and all ways to open and close.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/syscall.h>

#include "exact.h"

EXACT(int, fputc, (int, FILE*));
EXACT(int, fputc_unlocked, (int, FILE*));
EXACT(int, putc, (int, FILE*));
EXACT(int, putc_unlocked, (int, FILE*));
EXACT(int, _IO_putc, (int, FILE*));
EXACT(int, putchar, (int));
EXACT(int, putchar_unlocked, (int));
EXACT(int, putw, (int, FILE*));
EXACT(int, fputs, (const char*, FILE*));
EXACT(int, fputs_unlocked, (const char*, FILE*));
EXACT(int, puts, (const char*));
EXACT(size_t, fwrite, (const void*, size_t, size_t, FILE*));
EXACT(size_t, fwrite_unlocked, (const void*, size_t, size_t, FILE*));
EXACT(int, fgetc, (FILE*));
EXACT(int, fgetc_unlocked, (FILE*));
EXACT(int, getc, (FILE*));
EXACT(int, getc_unlocked, (FILE*));
EXACT(int, _IO_getc, (FILE*));
EXACT(int, getchar, (void));
EXACT(int, getchar_unlocked, (void));
EXACT(int, getw, (FILE*));
EXACT(int, ungetc, (int, FILE*));
EXACT(char*, fgets, (char*, int, FILE*));
EXACT(char*, fgets_unlocked, (char*, int, FILE*));
EXACT(char*, __fgets_chk, (char*, size_t, int, FILE*));
EXACT(char*, __fgets_unlocked_chk, (char*, size_t, int, FILE*));
EXACT(char*, gets, (char*));
EXACT(char*, __gets_chk, (char*, size_t));
EXACT(size_t, fread, (void*, size_t, size_t, FILE*));
EXACT(size_t, fread_unlocked, (void*, size_t, size_t, FILE*));
EXACT(size_t, __fread_chk, (void*, size_t, size_t, size_t, FILE*));
EXACT(size_t, __fread_unlocked_chk, (void*, size_t, size_t, size_t, FILE*));
EXACT(ssize_t, getline, (char**, size_t*, FILE*));
EXACT(ssize_t, getdelim, (char**, size_t*, int, FILE*));
EXACT(ssize_t, __getdelim, (char**, size_t*, int, FILE*));
EXACT(int, fflush_unlocked, (FILE*));
EXACT(FILE*, freopen64, (const char*, const char*, FILE*));
EXACT(FILE*, tmpfile64, (void));

#define SIZE(array) (sizeof(array) / sizeof(array)[0])

static void write_everyhow(void)
{
    static int (*const bytes[])(int, FILE*) = {exact_fputc, exact_fputc_unlocked, exact_putc,
                                               exact_putc_unlocked, exact__IO_putc};
    static int (*const texts[])(const char*, FILE*) = {exact_fputs, exact_fputs_unlocked};
    static size_t (*const items[])(const void*, size_t, size_t, FILE*) = {exact_fwrite,
                                                                          exact_fwrite_unlocked};
    FILE* const file = must_open("written", "w");
    for (size_t at = 0; at < SIZE(bytes); ++at) MUST(bytes[at]('x', file) == 'x');
    did_write("written", 5, 5);
    for (size_t at = 0; at < SIZE(texts); ++at) MUST(texts[at]("text\n", file) >= 0);
    did_write("written", 2, 10);
    for (size_t at = 0; at < SIZE(items); ++at) MUST(items[at]("3 by 7 are 21 bytes...", 7, 3, file) == 3);
    did_write("written", 2, 42);
    MUST(exact_putw(12345, file) == 0);
    did_write("written", 1, 4);
    MUST(exact_fwrite("", 0, 5, file) == 0 && exact_fwrite("", 5, 0, file) == 0);
    did_write("written", 2, 0);
    must_close("written", file);
    did("stdio", "written", "highest_written", 61);
    did("stdio", "written", "consecutive_writes", 11);
}

static void read_everyhow(void)
{
    static int (*const bytes[])(FILE*) = {exact_fgetc, exact_fgetc_unlocked, exact_getc, exact_getc_unlocked,
                                          exact__IO_getc};
    static char* (*const lines[])(char*, int, FILE*) = {exact_fgets, exact_fgets_unlocked};
    static char* (*const checked_lines[])(char*, size_t, int, FILE*) = {exact___fgets_chk,
                                                                        exact___fgets_unlocked_chk};
    static size_t (*const items[])(void*, size_t, size_t, FILE*) = {exact_fread, exact_fread_unlocked};
    static size_t (*const checked[])(void*, size_t, size_t, size_t, FILE*) = {exact___fread_chk,
                                                                              exact___fread_unlocked_chk};
    static ssize_t (*const delimited[])(char**, size_t*, int, FILE*) = {exact_getdelim, exact___getdelim};
    const char text[] =
        "12345line\nline\nline\nline\n"
        "ab-ab-line\n"
        "123456123456123456123456"
        "word"
        "tail";
    char to[64], *line = NULL;
    size_t room = 0;
    make("read", text);
    FILE* const file = must_open("read", "r");
    for (size_t at = 0; at < SIZE(bytes); ++at) MUST(bytes[at](file) == '1' + (int)at);
    did_read("read", 5, 5);
    for (size_t at = 0; at < SIZE(lines); ++at) MUST(lines[at](to, sizeof to, file) == to);
    for (size_t at = 0; at < SIZE(lines); ++at) MUST(checked_lines[at](to, sizeof to, sizeof to, file) == to);
    did_read("read", 4, 20);
    for (size_t at = 0; at < SIZE(delimited); ++at) MUST(delimited[at](&line, &room, '-', file) == 3);
    MUST(exact_getline(&line, &room, file) == 5);
    did_read("read", 3, 11);
    for (size_t at = 0; at < SIZE(items); ++at) MUST(items[at](to, 2, 3, file) == 3);
    for (size_t at = 0; at < SIZE(items); ++at) MUST(checked[at](to, sizeof to, 2, 3, file) == 3);
    did_read("read", 4, 24);
    MUST(exact_getw(file) != EOF);
    did_read("read", 1, 4);

    /* the end: an item of which only a part is there, and then nothing */
    MUST(exact_fread(to, 3, 5, file) == 1);
    did_read("read", 1, 4);
    did("stdio", "read", "highest_read", (long long)sizeof text - 1);
    MUST(bytes[0](file) == EOF && lines[0](to, sizeof to, file) == NULL &&
         exact_getline(&line, &room, file) == -1);
    MUST(exact_fread(to, 1, 5, file) == 0 && exact_getw(file) == EOF);
    did_read("read", 5, 0);
    did("stdio", "read", "consecutive_reads", 5 + 4 + 3 + 4 + 1 + 1 + 5 - 1);
    free(line);
    must_close("read", file);
}

/* As users write it: the compiler makes what it likes of this. */
static void ordinarily(void)
{
    char to[100];
    volatile size_t n = sizeof to;
    FILE* const out = must_open("ordinary", "w");
    fputs("a line\n", out);
    fputc('x', out);
    putc('\n', out);
    fwrite("0123456789", 2, 5, out);
    did_write("ordinary", 4, 7 + 1 + 1 + 10);
    must_close("ordinary", out);
    FILE* const in = must_open("ordinary", "r");
    MUST(fgets(to, (int)n, in) != NULL && fgets_unlocked(to, (int)n, in) != NULL);
    MUST(fread(to, 1, n / 20, in) == 5 && fread_unlocked(to, n / 50, 2, in) == 2 && getc(in) == '9' &&
         fgetc(in) == EOF);
    did_read("ordinary", 6, 19);
    must_close("ordinary", in);
}

static void on_standard_streams(void)
{
    char to[64];
    MUST(freopen("in", "r", stdin) != NULL && freopen("out", "w", stdout) != NULL);
    MUST(exact_getchar() == '1' && exact_getchar_unlocked() == '2');
    MUST(exact_gets(to) == to && strcmp(to, "line") == 0);
    MUST(exact___gets_chk(to, sizeof to) == to && strcmp(to, "last") == 0 &&
         exact___gets_chk(to, sizeof to) == NULL);
    MUST(exact_putchar('x') == 'x' && exact_putchar_unlocked('x') == 'x' && exact_puts("line") >= 0);
    MUST(fclose(stdin) == 0 && fclose(stdout) == 0);
}

static void standard_streams(void)
{
    make("in", "12line\nlast");
    in_child(on_standard_streams);
    did("stdio", "in", "opens", 1);
    did("stdio", "out", "opens", 1);
    did_read("in", 5, 11);
    did_write("out", 3, 7);
    did("stdio", "in", "closes", 1);
    did("stdio", "out", "closes", 1);
}

static void move_about(void)
{
    char to[8];
    fpos_t place;
    fpos64_t place64;
    make("moved", "0123456789");
    FILE* const file = must_open("moved", "r+");
    MUST(fseek(file, 4, SEEK_SET) == 0 && fseeko(file, 1, SEEK_CUR) == 0 && fgetpos(file, &place) == 0);
    MUST(ftell(file) == 5 && ftello(file) == 5 && fgetpos64(file, &place64) == 0); /* that only ask */
    MUST(fread(to, 1, 2, file) == 2 && to[0] == '5');
    MUST(fsetpos(file, &place) == 0 && getc(file) == '5' && fsetpos64(file, &place64) == 0 &&
         getc(file) == '5');
    MUST(fseeko64(file, -1, SEEK_END) == 0 && getc(file) == '9');
    rewind(file);
    MUST(getc(file) == '0' && fseek(file, 20, SEEK_SET) == 0);
    MUST(fwrite("end", 1, 3, file) == 3);
    did("stdio", "moved", "seeks", 7);
    did_read("moved", 5, 6);
    did_write("moved", 1, 3);
    MUST(fseek(file, -1, SEEK_SET) == -1 && fseek(file, 0, 77) == -1);
    did("stdio", "moved", "failed", 2);
    MUST(fflush(file) == 0 && exact_fflush_unlocked(file) == 0);
    did("stdio", "moved", "syncs", 2);
    MUST(fflush(NULL) == 0); /* all streams: counted for none */
    did("stdio", "moved", "highest_read", 10);
    did("stdio", "moved", "highest_written", 23);
    did("stdio", "moved", "sequential_reads", 1); /* to the last byte; the others went back */
    must_close("moved", file);
}

/* What is pushed back is read again, from where it was. */
static void push_back(void)
{
    make("pushed", "0123456789");
    FILE* const file = must_open("pushed", "r");
    MUST(getc(file) == '0' && exact_ungetc('0', file) == '0' && getc(file) == '0' && getc(file) == '1');
    MUST(exact_ungetc(EOF, file) == EOF && getc(file) == '2');
    did_read("pushed", 4, 3);
    did("stdio", "pushed", "highest_read", 3);
    did("stdio", "pushed", "consecutive_reads", 2);
    must_close("pushed", file);
}

/* Streams that append write at the end, wherever they read. */
static void append(void)
{
    char to[8];
    make("appended", "0123456789");
    FILE* both = must_open("appended", "a+");
    MUST(fread(to, 1, 4, both) == 4 && memcmp(to, "0123", 4) == 0);
    MUST(fseek(both, 0, SEEK_CUR) == 0 && fwrite("ab", 1, 2, both) == 2 && fputs("cd", both) >= 0);
    MUST(fseek(both, 2, SEEK_SET) == 0 && getc(both) == '2');
    MUST(fseek(both, 0, SEEK_CUR) == 0 && fputc('e', both) == 'e');
    must_close("appended", both);
    did_read("appended", 2, 5);
    did_write("appended", 3, 5);
    did("stdio", "appended", "seeks", 3);
    did("stdio", "appended", "highest_read", 4);
    /* with make()'s write: "ab" begins where it ended, "cd" there, and "e" there */
    did("stdio", "appended", "consecutive_writes", 3);
    FILE* const end = must_open("appended", "a");
    MUST(fputs("fg", end) >= 0);
    did_write("appended", 1, 2);
    did("stdio", "appended", "consecutive_writes", 1);
    did("stdio", "appended", "highest_written", 17);
    must_close("appended", end);
}

static void fail(void)
{
    char to[8], *line = NULL;
    size_t room = 0;
    MUST(fopen("none", "r") == NULL && errno == ENOENT);
    did_at_least("posix", "<not opened>", "failed",
                 1); /* the shells of popen() look for things in vain too */
    make("failing", "text");
    FILE* const in = must_open("failing", "r");
    MUST(fputc('x', in) == EOF && fwrite("ab", 1, 2, in) == 0 && fputs("x", in) == EOF && putw(1, in) == EOF);
    did("stdio", "failing", "failed", 4);
    clearerr(in);
    MUST(getc(in) == 't');
    did_read("failing", 1, 1);
    must_close("failing", in);
    FILE* const out = must_open("failing", "w");
    MUST(getc(out) == EOF && fgets(to, sizeof to, out) == NULL && fread(to, 1, 2, out) == 0);
    MUST(getline(&line, &room, out) == -1 && getw(out) == EOF);
    did("stdio", "failing", "failed", 5);
    MUST(close(fileno(out)) == 0);
    did("posix", "failing", "closes", 1);
    MUST(fclose(out) == EOF && errno == EBADF); /* of a descriptor that is gone */
    free(line);
}

/* Reopened streams have another file in place of theirs, without a close; the same one again without a path.
 */
static void reopen(void)
{
    FILE* file = must_open("first", "w");
    MUST(fputc('1', file) == '1');
    did_write("first", 1, 1);
    file = freopen("second", "w", file);
    MUST(file != NULL);
    did("stdio", "second", "opens", 1);
    MUST(fputs("22", file) >= 0);
    did_write("second", 1, 2);
    file = exact_freopen64(NULL, "r", file);
    MUST(file != NULL && getc(file) == '2');
    did_read("second", 1, 1);
    did("stdio", "second", "highest_read", 1);
    MUST(freopen("none/none", "r", file) == NULL);
    did_at_least("posix", "<not opened>", "failed", 1);
}

/* A descriptor that was known before it was a stream's, and is after. */
static void adopt_descriptor(void)
{
    const int fd = open("descriptor", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0 && write(fd, "12345678", 8) == 8 && lseek(fd, 2, SEEK_SET) == 2);
    did("posix", "descriptor", "opens", 1);
    did("posix", "descriptor", "writes", 1);
    did("posix", "descriptor", "bytes_written", 8);
    did("posix", "descriptor", "seeks", 1);
    FILE* const file = fdopen(fd, "r+");
    MUST(file != NULL && getc(file) == '3');
    did_at_least("stdio", "descriptor", "metadata_time", 1);
    did_read("descriptor", 1, 1);
    did("stdio", "descriptor", "highest_read", 3);
    MUST(fdopen(fd, "nonsense") == NULL && errno == EINVAL);
    did("stdio", "descriptor", "failed", 1);
    must_close("descriptor", file);
    MUST(read(fd, (char[1]){0}, 1) == -1 && errno == EBADF);
}

/* The file has no name; what the kernel calls it is found by its descriptor. */
static void temporary(FILE* (*make_it)(void))
{
    char link[64], name[512], to[4];
    FILE* const file = make_it();
    MUST(file != NULL);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    const ssize_t size = readlink(link, name, sizeof name - 1);
    MUST(size > 0);
    name[size] = '\0';
    *strchrnul(name, ' ') = '\0'; /* "/tmp/#123 (deleted)" */
    MUST(fputs("text", file) >= 0 && fseek(file, 0, SEEK_SET) == 0 && fread(to, 1, 4, file) == 4);
    did("stdio", name, "opens", 1);
    did("stdio", name, "creates", 1);
    did_write(name, 1, 4);
    did_read(name, 1, 4);
    did("stdio", name, "seeks", 1);
    must_close(name, file);
}

static ssize_t take_all(void* cookie, const char* from, size_t n)
{
    (void)from;
    *(size_t*)cookie += n;
    return (ssize_t)n;
}

/* Where a stream in memory would keep its descriptor there is a 0: here, the number of a file. */
static void beside_descriptor_0(void)
{
    char memory[16], *text = NULL;
    size_t size = 0, taken = 0;
    MUST(close(0) == 0);
    FILE* const file = fopen("beside", "r");
    FILE* const made = open_memstream(&text, &size);
    FILE* const fixed = fmemopen(memory, sizeof memory, "w+");
    FILE* const own = fopencookie(&taken, "w", (cookie_io_functions_t){.write = take_all});
    MUST(file != NULL && fileno(file) == 0 && made != NULL && fixed != NULL && own != NULL);
    MUST(fputs("text", made) >= 0 && fputs("text", fixed) >= 0 && fputs("text", own) >= 0);
    MUST(fseek(fixed, 0, SEEK_SET) == 0 && getc(fixed) == 't' && fflush(made) == 0);
    MUST(fclose(made) == 0 && fclose(fixed) == 0 && fclose(own) == 0 && size == 4 && taken == 4);
    free(text);
    MUST(getc(file) == '0' && fclose(file) == 0); /* and is still known for what it is */
}

static void in_memory(void)
{
    make("beside", "0123");
    in_child(beside_descriptor_0);
    did("stdio", "beside", "opens", 1);
    did_read("beside", 1, 1);
    did("stdio", "beside", "closes", 1);
}

/* As libc closes descriptors inside itself. */
static long close_unseen(int fd)
{
    long result = SYS_close;
    __asm__ volatile("syscall" : "+a"(result) : "D"((long)fd) : "rcx", "r11", "memory");
    return result;
}

/* A pipe takes the number of a file that was closed unseen, and gives it back to another. */
static void pipes(void)
{
    char to[8];
    make("before", "0123");
    const int fd = open("before", O_RDONLY);
    MUST(fd >= 0);
    did("posix", "before", "opens", 1);
    MUST(read(fd, to, 1) == 1);
    did("posix", "before", "reads", 1);
    did("posix", "before", "bytes_read", 1);
    MUST(close_unseen(fd) == 0);
    FILE* const pipe = popen("echo text", "r");
    MUST(pipe != NULL && fileno(pipe) == fd && fgets(to, sizeof to, pipe) != NULL && pclose(pipe) == 0);
    FILE* const next = must_open("after", "w");
    MUST(fileno(next) == fd && fputc('x', next) == 'x');
    did_write("after", 1, 1);
    must_close("after", next);
    FILE* const writer = popen("cat > /dev/null", "w");
    MUST(writer != NULL && fputs("text", writer) >= 0 && pclose(writer) == 0);
}

/* fcloseall flushes and closes nothing: what is written then still counts. */
static void write_after_closing_all(void)
{
    FILE* const file = fopen("closed-all", "w");
    MUST(file != NULL && fputc('x', file) == 'x' && fcloseall() == 0);
    MUST(fputc('y', file) == 'y' && write(fileno(file), "z", 1) == 1);
}

static void close_all(void)
{
    in_child(write_after_closing_all);
    did("stdio", "closed-all", "opens", 1);
    did_write("closed-all", 2, 2);
    did("posix", "closed-all", "writes", 1);
    did("posix", "closed-all", "bytes_written", 1);
}

/* What compilers make of getc_unlocked and putc_unlocked: the buffer's bytes, and a call where it is empty or
 * full. */
static void in_place(void)
{
    enum { buffer = 4096, all = 10000 };
    static char writes_in[buffer], reads_in[buffer], rest[all];
    FILE* file = must_open("in-place", "w");
    MUST(setvbuf(file, writes_in, _IOFBF, buffer) == 0);
    for (int at = 0; at < all; ++at) MUST(__putc_unlocked_body('x', file) == 'x');
    did_write("in-place", 2, 2 * buffer);
    MUST(fputs("between", file) >= 0); /* what still waits is counted first */
    did_write("in-place", 2, all - 2 * buffer + 7);
    for (int at = 0; at < 500; ++at) { /* by turns, where the stream's pointers say what was used between */
        MUST(__putc_unlocked_body('z', file) == 'z');
        MUST(fputs("abc", file) >= 0);
    }
    did_write("in-place", 1000, 2000);
    MUST(__putc_unlocked_body('y', file) == 'y');
    must_close("in-place", file);
    did_write("in-place", 1, 1);

    file = must_open("in-place", "r");
    MUST(setvbuf(file, reads_in, _IOFBF, buffer) == 0);
    for (int at = 0; at < 5000; ++at) MUST(__getc_unlocked_body(file) == 'x');
    did_read("in-place", 2, buffer + 1);
    MUST(fseek(file, 9999, SEEK_SET) == 0);
    did("stdio", "in-place", "seeks", 1);
    did_read("in-place", 1, 5000 - buffer - 1);
    MUST(fread(rest, 1, 4, file) == 4 && __getc_unlocked_body(file) == 'w');
    did_read("in-place", 1, 4);
    MUST(ungetc('w', file) == 'w' && __getc_unlocked_body(file) == 'w');
    did_read("in-place", 1, 0);
    while (__getc_unlocked_body(file) != EOF) {
    }
    did_read("in-place", 1, 2005);
    must_close("in-place", file);
}

int main(void)
{
    in_place();
    write_everyhow();
    read_everyhow();
    ordinarily();
    standard_streams();
    move_about();
    push_back();
    append();
    fail();
    reopen();
    adopt_descriptor();
    temporary(tmpfile);
    temporary(exact_tmpfile64);
    in_memory();
    pipes();
    close_all();
    return 0;
}
