/* A preload library that does nothing but read the clock before and after some calls of stdio: the control of
 * overhead.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <x86intrin.h>

static volatile unsigned long took;

#define STAMPED(result, name, parameters, arguments)                            \
    result stamped_##name parameters __asm__(#name);                            \
    result stamped_##name parameters                                            \
    {                                                                           \
        static result(*next) parameters;                                        \
        if (next == NULL) next = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        const unsigned long start = __rdtsc();                                  \
        __auto_type const done = next arguments;                                     \
        took += __rdtsc() - start;                                              \
        return done;                                                            \
    }
STAMPED(int, fgetc, (FILE * stream), (stream))
STAMPED(int, getc, (FILE * stream), (stream))
STAMPED(int, fputc, (int byte, FILE* stream), (byte, stream))
STAMPED(size_t, fread, (void* to, size_t size, size_t n, FILE* stream), (to, size, n, stream))
STAMPED(size_t, fwrite, (const void* from, size_t size, size_t n, FILE* stream), (from, size, n, stream))
STAMPED(char*, fgets, (char* to, int n, FILE* stream), (to, n, stream))
STAMPED(ssize_t, getline, (char** to, size_t* n, FILE* stream), (to, n, stream))
STAMPED(int, fputs, (const char* text, FILE* stream), (text, stream))
