/* A test program says what it did to which file, a line for each counter that must have come of it; what it
 * does not say must not have been counted. run_coverage.py adds the lines up and compares them with the log.
 */
#ifndef DID_H
#define DID_H

#include <stdio.h>
#include <stdlib.h>

/* Path: as the program used it. The same may be said several times: the numbers add up. */
static inline void did(const char* layer, const char* path, const char* counter, long long n)
{
    printf("did %s %s %s %lld\n", layer, path, counter, n);
}

/* For what cannot be known exactly, like a time (in nanoseconds): the log must have so much or more, or less.
 */
static inline void did_at_least(const char* layer, const char* path, const char* counter, long long n)
{
    printf("did-at-least %s %s %s %lld\n", layer, path, counter, n);
}

static inline void did_at_most(const char* layer, const char* path, const char* counter, long long n)
{
    printf("did-at-most %s %s %s %lld\n", layer, path, counter, n);
}

/* A test of nothing is none: what should have worked and did not ends the program. */
#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            perror("errno");                                                        \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* What this machine does not offer (a system call, a file system): said, and left out. */
#define WITHOUT(what) printf("without %s\n", what)

#endif
