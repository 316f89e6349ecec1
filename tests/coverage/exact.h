/* Calls of exactly one symbol, whatever the compiler and the headers make of its name in this program: no
 * built-in, no inline function, no fortified or 64-bit twin. EXACT(int, fputc, (int, FILE*)) declares
 * exact_fputc. */
#ifndef EXACT_H
#define EXACT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "did.h"

#define EXACT(result, name, parameters) result exact_##name parameters __asm__(#name)

/* Runs a function in a child, for what would spoil this process's standard streams. */
static inline void in_child(void (*function)(void))
{
    int status = 1;
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        function();
        _exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && status == 0);
}

/* What was read and written, in so many calls. */
static inline void did_read(const char* path, int calls, long long bytes)
{
    did("stdio", path, "reads", calls);
    did("stdio", path, "bytes_read", bytes);
}

static inline void did_write(const char* path, int calls, long long bytes)
{
    did("stdio", path, "writes", calls);
    did("stdio", path, "bytes_written", bytes);
}

static inline FILE* must_open(const char* path, const char* mode)
{
    FILE* const file = fopen(path, mode);
    MUST(file != NULL);
    did("stdio", path, "opens", 1);
    if (mode[0] == 'w') did("stdio", path, "creates", 1);
    return file;
}

static inline void must_close(const char* path, FILE* file)
{
    MUST(fclose(file) == 0);
    did("stdio", path, "closes", 1);
}

/* A file of this text, which the test then reads. */
static inline void make(const char* path, const char* text)
{
    FILE* const file = must_open(path, "w");
    MUST(fputs(text, file) >= 0);
    did_write(path, 1, (long long)__builtin_strlen(text));
    must_close(path, file);
}

/* Runs `call`, of which the last argument is `arguments`, and returns what it does. */
#define WITH_ARGUMENTS(last, call) \
    va_list arguments;             \
    va_start(arguments, last);     \
    const int result = call;       \
    va_end(arguments);             \
    return result

#endif
