/* printf, scanf, dprintf and all their kin, on streams of bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "exact.h"

EXACT(int, fprintf, (FILE*, const char*, ...));
EXACT(int, vfprintf, (FILE*, const char*, va_list));
EXACT(int, printf, (const char*, ...));
EXACT(int, vprintf, (const char*, va_list));
EXACT(int, __fprintf_chk, (FILE*, int, const char*, ...));
EXACT(int, __vfprintf_chk, (FILE*, int, const char*, va_list));
EXACT(int, __printf_chk, (int, const char*, ...));
EXACT(int, __vprintf_chk, (int, const char*, va_list));
EXACT(int, fscanf, (FILE*, const char*, ...));
EXACT(int, vfscanf, (FILE*, const char*, va_list));
EXACT(int, scanf, (const char*, ...));
EXACT(int, vscanf, (const char*, va_list));
EXACT(int, __isoc99_fscanf, (FILE*, const char*, ...));
EXACT(int, __isoc99_vfscanf, (FILE*, const char*, va_list));
EXACT(int, __isoc99_scanf, (const char*, ...));
EXACT(int, __isoc99_vscanf, (const char*, va_list));
EXACT(int, dprintf, (int, const char*, ...));
EXACT(int, vdprintf, (int, const char*, va_list));
EXACT(int, __dprintf_chk, (int, int, const char*, ...));
EXACT(int, __vdprintf_chk, (int, int, const char*, va_list));

static int print_list(FILE* file, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact_vfprintf(file, format, arguments));
}

static int print_list_checked(FILE* file, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact___vfprintf_chk(file, 1, format, arguments));
}

static int print_list_to_output(const char* format, ...)
{
    WITH_ARGUMENTS(format, exact_vprintf(format, arguments));
}

static int print_list_to_output_checked(const char* format, ...)
{
    WITH_ARGUMENTS(format, exact___vprintf_chk(1, format, arguments));
}

static int scan_list(FILE* file, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact_vfscanf(file, format, arguments));
}

static int scan_list_c99(FILE* file, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact___isoc99_vfscanf(file, format, arguments));
}

static int scan_list_of_input(const char* format, ...)
{
    WITH_ARGUMENTS(format, exact_vscanf(format, arguments));
}

static int scan_list_of_input_c99(const char* format, ...)
{
    WITH_ARGUMENTS(format, exact___isoc99_vscanf(format, arguments));
}

static int print_list_to_descriptor(int fd, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact_vdprintf(fd, format, arguments));
}

static int print_list_to_descriptor_checked(int fd, const char* format, ...)
{
    WITH_ARGUMENTS(format, exact___vdprintf_chk(fd, 1, format, arguments));
}

static void print(void)
{
    FILE* const file = must_open("printed", "w");
    MUST(exact_fprintf(file, "%d %s\n", 123, "ab") == 7);
    MUST(exact___fprintf_chk(file, 1, "%5.2f|", 2.5) == 6);
    MUST(print_list(file, "%c%c%c", 'a', 'b', 'c') == 3);
    MUST(print_list_checked(file, "%x", 0xfffu) == 3);
    did_write("printed", 4, 19);
    MUST(exact_fprintf(file, "%s", "") == 0);
    did_write("printed", 1, 0);
    must_close("printed", file);
    did("stdio", "printed", "highest_written", 19);
    did("stdio", "printed", "consecutive_writes", 4);
    FILE* const in = must_open("printed", "r");
    MUST(exact_fprintf(in, "%d", 1) < 0 && print_list_checked(in, "%d", 1) < 0);
    did("stdio", "printed", "failed", 2);
    must_close("printed", in);
}

static void scan(void)
{
    int a = 0, b = 0;
    char word[8];
    make("scanned", "12 34\nword 56,78\n90 no\n");
    FILE* const file = must_open("scanned", "r");
    MUST(exact_fscanf(file, "%d %d", &a, &b) == 2 && a == 12 && b == 34);
    MUST(exact___isoc99_fscanf(file, "%7s", word) == 1 && strcmp(word, "word") == 0);
    MUST(scan_list(file, "%d,%d", &a, &b) == 2 && b == 78);
    MUST(scan_list_c99(file, "%d", &a) == 1 && a == 90);
    did_read("scanned", 4, 5 + 5 + 6 + 3);
    MUST(exact_fscanf(file, "%d", &a) == 0); /* takes the blank, and finds no number */
    did_read("scanned", 1, 1);
    MUST(exact_fscanf(file, "no\n") == EOF || feof(file));
    did_read("scanned", 1, 3);
    MUST(exact_fscanf(file, "%d", &a) == EOF);
    did_read("scanned", 1, 0);
    must_close("scanned", file);
    did("stdio", "scanned", "highest_read", 23);
    did("stdio", "scanned", "consecutive_reads", 6);
    FILE* const out = must_open("scanned", "a");
    MUST(exact_fscanf(out, "%d", &a) == EOF && !feof(out));
    did("stdio", "scanned", "failed", 1);
    must_close("scanned", out);
}

/* More than the buffer holds: words across its end, one after which the stream stands at the same place of a
 * buffer that is as full as before, characters that are put back, and words of a machine. */
static void scan_far(void)
{
    enum { words = 3000, long_word = 4096 };
    static char word[2 * long_word];
    FILE* const out = must_open("far", "w");
    for (int at = 0; at < words; ++at) MUST(fputs("12345 ", out) >= 0);
    for (int at = 0; at < 2 * long_word - 1; ++at) MUST(fputc('x', out) == 'x');
    MUST(fputc(' ', out) == ' ');
    for (int at = 0; at < words; ++at) MUST(fputs("1234567 ", out) >= 0);
    const long long bytes = words * 6 + 2 * long_word + words * 8;
    did_write("far", 2 * words + 2 * long_word, bytes);
    must_close("far", out);

    int a = 0;
    FILE* const in = must_open("far", "r");
    for (int at = 0; at < words; ++at) MUST(fscanf(in, "%d ", &a) == 1 && a == 12345);
    did_read("far", words, words * 6);
    MUST(fscanf(in, "%4096c", word) == 1 && word[long_word - 1] == 'x');
    MUST(fgetc(in) == 'x' && ungetc('x', in) == 'x');
    MUST(fscanf(in, "%s ", word) == 1 && strlen(word) == long_word - 1);
    did_read("far", 3, 2 * long_word);
    for (int at = 0; at < words; ++at) MUST(getw(in) != EOF && getw(in) != EOF);
    did_read("far", 2 * words, words * 8);
    must_close("far", in);
    did("stdio", "far", "highest_read", bytes);

    FILE* const last = must_open("far", "r");
    MUST(fscanf(last, "%d ", &a) == 1 && fseek(last, words * 6, SEEK_SET) == 0);
    did("stdio", "far", "seeks", 1);
    MUST(fscanf(last, "%1c", word) == 1 && fscanf(last, "%4096c", word) == 1);
    did_read("far", 3, 6 + 1 + long_word);
    must_close("far", last);
}

static void on_standard_streams(void)
{
    int a = 0;
    MUST(freopen("in", "r", stdin) != NULL && freopen("out", "w", stdout) != NULL);
    MUST(exact_scanf("%d", &a) == 1 && exact___isoc99_scanf("%d", &a) == 1);
    MUST(scan_list_of_input("%d", &a) == 1 && scan_list_of_input_c99("%d", &a) == 1 && a == 4);
    MUST(exact_printf("%d", a) == 1 && exact___printf_chk(1, "%d", 12) == 2);
    MUST(print_list_to_output("%d", 123) == 3 && print_list_to_output_checked("%d", 1234) == 4);
    MUST(fclose(stdin) == 0 && fclose(stdout) == 0);
}

static void standard_streams(void)
{
    make("in", "1 2 3 4");
    in_child(on_standard_streams);
    did("stdio", "in", "opens", 1);
    did("stdio", "out", "opens", 1);
    did_read("in", 4, 7);
    did_write("out", 4, 10);
    did("stdio", "in", "closes", 1);
    did("stdio", "out", "closes", 1);
}

/* These are writes to a descriptor. */
static void print_to_descriptor(void)
{
    const int fd = open("to-descriptor", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    MUST(fd >= 0);
    MUST(exact_dprintf(fd, "%d", 12) == 2 && exact___dprintf_chk(fd, 1, "%d", 345) == 3);
    MUST(print_list_to_descriptor(fd, "%d", 6) == 1 &&
         print_list_to_descriptor_checked(fd, "%s", "text") == 4);
    MUST(close(fd) == 0);
    did("posix", "to-descriptor", "opens", 1);
    did("posix", "to-descriptor", "writes", 4);
    did("posix", "to-descriptor", "bytes_written", 10);
    did("posix", "to-descriptor", "closes", 1);
    const int in = open("to-descriptor", O_RDONLY);
    MUST(in >= 0 && exact_dprintf(in, "%d", 12) < 0 && close(in) == 0);
    did("posix", "to-descriptor", "opens", 1);
    did("posix", "to-descriptor", "failed", 1);
    did("posix", "to-descriptor", "closes", 1);
}

/* As users write it, which the compiler may turn into fputs, fputc and fwrite. */
static void ordinarily(void)
{
    int a = 0;
    FILE* const file = must_open("ordinary", "w+");
    MUST(fprintf(file, "%s", "text\n") >= 0 && fprintf(file, "more\n") >= 0 &&
         fprintf(file, "%c", '\n') >= 0);
    MUST(fprintf(file, "%d %d\n", 12, 34) == 6);
    did_write("ordinary", 4, 17);
    rewind(file);
    MUST(fscanf(file, "text more %d", &a) == 1 && a == 12);
    did_read("ordinary", 1, 13);
    did("stdio", "ordinary", "seeks", 1);
    must_close("ordinary", file);
}

int main(void)
{
    print();
    scan();
    scan_far();
    standard_streams();
    print_to_descriptor();
    ordinarily();
    return 0;
}
