/* Wide characters: in UTF-8, in an encoding of single bytes, and, where the machine has one, in another. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "exact.h"

EXACT(wint_t, fgetwc, (FILE*));
EXACT(wint_t, fgetwc_unlocked, (FILE*));
EXACT(wint_t, getwc, (FILE*));
EXACT(wint_t, getwc_unlocked, (FILE*));
EXACT(wint_t, getwchar, (void));
EXACT(wint_t, getwchar_unlocked, (void));
EXACT(wint_t, ungetwc, (wint_t, FILE*));
EXACT(wchar_t*, fgetws, (wchar_t*, int, FILE*));
EXACT(wchar_t*, fgetws_unlocked, (wchar_t*, int, FILE*));
EXACT(wchar_t*, __fgetws_chk, (wchar_t*, size_t, int, FILE*));
EXACT(wchar_t*, __fgetws_unlocked_chk, (wchar_t*, size_t, int, FILE*));
EXACT(wint_t, fputwc, (wchar_t, FILE*));
EXACT(wint_t, fputwc_unlocked, (wchar_t, FILE*));
EXACT(wint_t, putwc, (wchar_t, FILE*));
EXACT(wint_t, putwc_unlocked, (wchar_t, FILE*));
EXACT(wint_t, putwchar, (wchar_t));
EXACT(wint_t, putwchar_unlocked, (wchar_t));
EXACT(int, fputws, (const wchar_t*, FILE*));
EXACT(int, fputws_unlocked, (const wchar_t*, FILE*));
EXACT(int, fwprintf, (FILE*, const wchar_t*, ...));
EXACT(int, vfwprintf, (FILE*, const wchar_t*, va_list));
EXACT(int, wprintf, (const wchar_t*, ...));
EXACT(int, vwprintf, (const wchar_t*, va_list));
EXACT(int, __fwprintf_chk, (FILE*, int, const wchar_t*, ...));
EXACT(int, __vfwprintf_chk, (FILE*, int, const wchar_t*, va_list));
EXACT(int, __wprintf_chk, (int, const wchar_t*, ...));
EXACT(int, __vwprintf_chk, (int, const wchar_t*, va_list));
EXACT(int, fwscanf, (FILE*, const wchar_t*, ...));
EXACT(int, vfwscanf, (FILE*, const wchar_t*, va_list));
EXACT(int, wscanf, (const wchar_t*, ...));
EXACT(int, vwscanf, (const wchar_t*, va_list));
EXACT(int, __isoc99_fwscanf, (FILE*, const wchar_t*, ...));
EXACT(int, __isoc99_vfwscanf, (FILE*, const wchar_t*, va_list));
EXACT(int, __isoc99_wscanf, (const wchar_t*, ...));
EXACT(int, __isoc99_vwscanf, (const wchar_t*, va_list));

#define SIZE(array) (sizeof(array) / sizeof(array)[0])
static int print_list(FILE* file, const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact_vfwprintf(file, format, arguments));
}

static int print_list_checked(FILE* file, const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact___vfwprintf_chk(file, 1, format, arguments));
}

static int print_list_to_output(const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact_vwprintf(format, arguments));
}

static int print_list_to_output_checked(const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact___vwprintf_chk(1, format, arguments));
}

static int scan_list(FILE* file, const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact_vfwscanf(file, format, arguments));
}

static int scan_list_c99(FILE* file, const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact___isoc99_vfwscanf(file, format, arguments));
}

static int scan_list_of_input(const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact_vwscanf(format, arguments));
}

static int scan_list_of_input_c99(const wchar_t* format, ...)
{
    WITH_ARGUMENTS(format, exact___isoc99_vwscanf(format, arguments));
}

/* Each character that is written once by each call, with its bytes in the locale's encoding. */
struct letter {
    wchar_t letter;
    int bytes;
};

static void characters(const char* path, const struct letter* letters, size_t n)
{
    static wint_t (*const put[])(wchar_t, FILE*) = {exact_fputwc, exact_fputwc_unlocked, exact_putwc,
                                                    exact_putwc_unlocked};
    static wint_t (*const get[])(FILE*) = {exact_fgetwc, exact_fgetwc_unlocked, exact_getwc,
                                           exact_getwc_unlocked};
    long long bytes = 0;
    FILE* const out = must_open(path, "w");
    for (size_t how = 0; how < SIZE(put); ++how)
        for (size_t at = 0; at < n; ++at) {
            MUST(put[how](letters[at].letter, out) == (wint_t)letters[at].letter);
            bytes += letters[at].bytes;
        }
    MUST(ftell(out) == bytes);
    did_write(path, (int)(n * SIZE(put)), bytes);
    did("stdio", path, "highest_written", bytes);
    did("stdio", path, "consecutive_writes", (int)(n * SIZE(put)) - 1);
    must_close(path, out);
    FILE* const in = must_open(path, "r");
    for (size_t how = 0; how < SIZE(get); ++how)
        for (size_t at = 0; at < n; ++at) MUST(get[how](in) == (wint_t)letters[at].letter);
    did_read(path, (int)(n * SIZE(get)), bytes);
    did("stdio", path, "highest_read", bytes);
    did("stdio", path, "consecutive_reads", (int)(n * SIZE(get)));
    MUST(get[0](in) == WEOF);
    did_read(path, 1, 0);
    must_close(path, in);
}

/* `text` is a line of four characters and its end, of so many bytes. */
static void lines(const char* path, const wchar_t* text, int bytes)
{
    static int (*const put[])(const wchar_t*, FILE*) = {exact_fputws, exact_fputws_unlocked};
    static wchar_t* (*const get[])(wchar_t*, int, FILE*) = {exact_fgetws, exact_fgetws_unlocked};
    static wchar_t* (*const checked[])(wchar_t*, size_t, int, FILE*) = {exact___fgetws_chk,
                                                                        exact___fgetws_unlocked_chk};
    wchar_t to[16];
    FILE* const out = must_open(path, "w");
    for (size_t how = 0; how < 2 * SIZE(put); ++how) MUST(put[how % SIZE(put)](text, out) >= 0);
    did_write(path, 4, 4 * bytes);
    must_close(path, out);
    FILE* const in = must_open(path, "r");
    for (size_t how = 0; how < SIZE(get); ++how)
        MUST(get[how](to, SIZE(to), in) == to && wcscmp(to, text) == 0);
    for (size_t how = 0; how < SIZE(checked); ++how)
        MUST(checked[how](to, SIZE(to), SIZE(to), in) == to && wcscmp(to, text) == 0);
    did_read(path, 4, 4 * bytes);
    MUST(get[0](to, SIZE(to), in) == NULL && feof(in));
    did_read(path, 1, 0);
    must_close(path, in);
}

/* The same line, formatted; what is read is the line without its end, which the next call takes. */
static void formatted(const char* path, const wchar_t* text, int bytes)
{
    wchar_t to[16];
    FILE* const out = must_open(path, "w");
    MUST(exact_fwprintf(out, L"%ls", text) == 5 && exact___fwprintf_chk(out, 1, L"%ls", text) == 5);
    MUST(print_list(out, L"%ls", text) == 5 && print_list_checked(out, L"%ls", text) == 5);
    did_write(path, 4, 4 * bytes);
    must_close(path, out);
    FILE* const in = must_open(path, "r");
    MUST(exact_fwscanf(in, L"%l[^\n]", to) == 1 && wcsncmp(to, text, 4) == 0);
    MUST(exact___isoc99_fwscanf(in, L"%ls", to) == 1 && scan_list(in, L"%ls", to) == 1);
    MUST(scan_list_c99(in, L"%ls\n", to) == 1 && wcsncmp(to, text, 4) == 0);
    did_read(path, 4, 4 * bytes);
    MUST(exact_fwscanf(in, L"%ls", to) == EOF);
    did_read(path, 1, 0);
    must_close(path, in);
}

static void push_back(const char* path, wchar_t letter, int bytes)
{
    FILE* const both = must_open(path, "w+");
    MUST(fputwc(letter, both) != WEOF && fputwc(L'x', both) != WEOF);
    did_write(path, 2, bytes + 1);
    rewind(both);
    did("stdio", path, "seeks", 1);
    MUST(getwc(both) == (wint_t)letter && exact_ungetwc((wint_t)letter, both) == (wint_t)letter);
    MUST(getwc(both) == (wint_t)letter && getwc(both) == L'x');
    did_read(path, 3, bytes + 1);
    did("stdio", path, "highest_read", bytes + 1);
    must_close(path, both);
}

static void fail(void)
{
    wchar_t to[4];
    make("failing", "text");
    FILE* const in = must_open("failing", "r");
    MUST(fputwc(L'x', in) == WEOF && fputws(L"x", in) < 0 && fwprintf(in, L"%d", 1) < 0);
    did("stdio", "failing", "failed", 3);
    must_close("failing", in);
    FILE* const out = must_open("failing", "w");
    MUST(getwc(out) == WEOF && fgetws(to, 4, out) == NULL && fwscanf(out, L"%3ls", to) == EOF);
    did("stdio", "failing", "failed", 3);
    must_close("failing", out);
}

static void on_standard_streams(void)
{
    int a = 0;
    MUST(freopen("in", "r", stdin) != NULL && freopen("out", "w", stdout) != NULL);
    MUST(exact_getwchar() == L'1' && exact_getwchar_unlocked() == L'2');
    MUST(exact_wscanf(L"%d", &a) == 1 && exact___isoc99_wscanf(L"%d", &a) == 1);
    MUST(scan_list_of_input(L"%d", &a) == 1 && scan_list_of_input_c99(L"%d", &a) == 1 && a == 6);
    MUST(exact_putwchar(L'x') == L'x' && exact_putwchar_unlocked(L'x') == L'x');
    MUST(exact_wprintf(L"%d", a) == 1 && exact___wprintf_chk(1, L"%d", 12) == 2);
    MUST(print_list_to_output(L"%d", 123) == 3 && print_list_to_output_checked(L"%d", 1234) == 4);
    MUST(fclose(stdin) == 0 && fclose(stdout) == 0);
}

static void standard_streams(void)
{
    make("in", "123 4 5 6");
    in_child(on_standard_streams);
    did("stdio", "in", "opens", 1);
    did("stdio", "out", "opens", 1);
    did_read("in", 6, 9);
    did_write("out", 6, 12);
    did("stdio", "in", "closes", 1);
    did("stdio", "out", "closes", 1);
}

/* More than a buffer, so that characters lie across its end. */
static void many(void)
{
    enum { n = 10000, bytes = 3 };
    FILE* const out = must_open("many", "w");
    for (int at = 0; at < n; ++at) MUST(fwprintf(out, L"%lc", (wint_t)L'€') == 1);
    did_write("many", n, (long long)n * bytes);
    MUST(setvbuf(out, NULL, _IOLBF, 0) == 0 && fwprintf(out, L"a line of %d €\n€", 8) == 15);
    did_write("many", 1, 19);
    did("stdio", "many", "highest_written", (long long)n * bytes + 19);
    must_close("many", out);
    FILE* const in = must_open("many", "r");
    wchar_t letter = 0;
    for (int at = 0; at < n; ++at) MUST(fwscanf(in, L"%lc", &letter) == 1 && letter == L'€');
    did_read("many", n, (long long)n * bytes);
    must_close("many", in);
}

int main(void)
{
    static const struct letter utf8[] = {{L'a', 1}, {L'é', 2}, {L'€', 3}, {L'😀', 4}},
                               ascii[] = {{L'a', 1}, {L'b', 1}};
    MUST(setlocale(LC_ALL, "C.UTF-8") != NULL);
    characters("characters.utf8", utf8, SIZE(utf8));
    lines("lines.utf8", L"aé€😀\n", 11);
    formatted("formatted.utf8", L"aé€😀\n", 11);
    push_back("pushed.utf8", L'€', 3);
    standard_streams();
    many();
    fail();
    MUST(setlocale(LC_ALL, "C") != NULL);
    characters("characters.c", ascii, SIZE(ascii));
    lines("lines.c", L"abcd\n", 5);
    formatted("formatted.c", L"abcd\n", 5);
    push_back("pushed.c", L'a', 1);
    if (setlocale(LC_ALL, "zh_CN.GBK") == NULL) {
        WITHOUT("a locale of two bytes a character");
        return 0;
    }
    static const struct letter both[] = {{L'a', 1}, {L'中', 2}};
    characters("characters.two", both, SIZE(both));
    lines("lines.two", L"a中中b\n", 7);
    formatted("formatted.two", L"a中中b\n", 7);
    return 0;
}
