/* Reads a file by one call, some thousand times, so that it can be counted what the kernel is asked. Without
 * an argument: the names of the calls. usage: positions [CALL]
 */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static FILE* file;
static char text[100];
static wchar_t wide_text[100];
static char* line;
static size_t length_of_line;
static int number;

static int by_fscanf(void)
{
    return fscanf(file, "%d %99s", &number, text) == 2;
}
static int by_fwscanf(void)
{
    return fwscanf(file, L"%d %99ls", &number, wide_text) == 2;
}
static int by_getw(void)
{
    return getw(file), !feof(file);
}
static int by_fscanf_and_fread(void)
{
    return fscanf(file, "%d", &number) == 1 && fread(text, 1, 6, file) == 6;
}
static int by_fscanf_and_ungetc(void)
{
    const int letter = fscanf(file, "%d %99s", &number, text) == 2 ? fgetc(file) : EOF;
    return letter != EOF && ungetc(letter, file) != EOF;
}
static int by_fgets(void)
{
    return fgets(text, sizeof text, file) != NULL;
}
static int by_fgetws(void)
{
    return fgetws(wide_text, 100, file) != NULL;
}
static int by_fgetwc(void)
{
    return fgetwc(file) != WEOF;
}
static int by_getline(void)
{
    return getline(&line, &length_of_line, file) > 0;
}
static int by_getdelim(void)
{
    return getdelim(&line, &length_of_line, 't', file) > 0;
}
static int by_fread(void)
{
    return fread(text, 7, 1, file) == 1;
}
static int by_fgetc(void)
{
    return fgetc(file) != EOF;
}

static const struct {
    const char* name;
    int (*call)(void);
} calls[] = {
    {"fscanf", by_fscanf},
    {"fwscanf", by_fwscanf},
    {"getw", by_getw},
    {"fscanf_and_fread", by_fscanf_and_fread},
    {"fscanf_and_ungetc", by_fscanf_and_ungetc},
    {"fgets", by_fgets},
    {"fgetws", by_fgetws},
    {"fgetwc", by_fgetwc},
    {"getline", by_getline},
    {"getdelim", by_getdelim},
    {"fread", by_fread},
    {"fgetc", by_fgetc},
};

int main(int count, char** arguments)
{
    if (setlocale(LC_ALL, "C.UTF-8") == NULL) return 1;
    for (size_t at = 0; at < sizeof calls / sizeof *calls; ++at) {
        if (count < 2) {
            puts(calls[at].name);
            continue;
        }
        if (strcmp(arguments[1], calls[at].name) != 0) continue;
        file = fopen("positions.txt", "w");
        if (file == NULL) return 1;
        for (int n = 10000; n < 14000; ++n) fprintf(file, "%d text\n", n);
        if (fclose(file) != 0 || (file = fopen("positions.txt", "r")) == NULL) return 1;
        int done = 0;
        while (calls[at].call()) ++done;
        return fclose(file) == 0 && done > 1000 ? 0 : 1;
    }
    return count < 2 ? 0 : 1;
}
