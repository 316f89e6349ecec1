/* Reads and writes through stdio in every common way: see tests/e2e. */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_all(const char* path)
{
    FILE* const file = fopen(path, "w");
    if (file == NULL) err(1, "%s", path);
    char block[5000];
    memset(block, 'b', sizeof block);
    fwrite(block, 1, sizeof block, file);
    fwrite(block, 50, 3, file);
    fprintf(file, "%d %s\n", 12345, "formatted");
    fputs("a line\n", file);
    fputc('c', file);
    putc('\n', file);
    fflush(file);
    if (fsync(fileno(file)) != 0) err(1, "fsync");
    fseek(file, 10, SEEK_SET);
    fwrite("ten", 1, 3, file);
    fclose(file);
}

/* Reads to the end, so that what the program got is all that was read ahead. */
static void read_all(const char* path)
{
    FILE* const file = fopen(path, "r");
    if (file == NULL) err(1, "%s", path);
    char block[1000];
    size_t sum = fread(block, 1, sizeof block, file);
    sum += fread(block, 10, 20, file) * 10;
    if (fgets(block, sizeof block, file) != NULL) sum += strlen(block);
    char* line = NULL;
    size_t room = 0;
    const ssize_t length = getline(&line, &room, file);
    if (length > 0) sum += (size_t)length;
    for (int letter; (letter = getc(file)) != EOF;) ++sum;
    free(line);
    printf("%zu bytes\n", sum);
    fclose(file);
}

int main(void)
{
    write_all("stdio.txt");
    read_all("stdio.txt");
    FILE* const again = freopen("second.txt", "w", fopen("first.txt", "w"));
    if (again == NULL) err(1, "freopen");
    fputs("second\n", again);
    fclose(again);
    FILE* const append = fopen("second.txt", "a+");
    if (append == NULL) err(1, "second.txt");
    fputs("third\n", append);
    fclose(append);
    return 0;
}
