/* What faults.c and mpi_faults.c have in common: the command line, the clock, I/O that does well, and what a
 * fault cost by the program's own clock. */
#pragma once

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kib = 1 << 10, mib = 1 << 20, healthy_block = 2 * mib, healthy_blocks = 2 };

/* How the seconds that a fault lost follow from those that passed in it. */
enum loss {
    NOTHING,    /* a run that does well */
    ALL,        /* none of it had to be done */
    SLOW_BYTES, /* less what the same bytes take in healthy requests, as measured in this run */
    REPEATS,    /* but for the first time that the bytes were read */
    MEASURED,   /* what was measured to be needless within it */
    SLOW_RANK,  /* by how much the slowest took longer than the others */
    IMBALANCE   /* by how much it took longer than if all had as much to do */
};

struct fault {
    const char* name;
    enum loss loss;
    void (*begin)(void); /* once, outside of the time that is measured; NULL: nothing */
    void (*once)(void);  /* a piece of it, of milliseconds at most */
    int processes;       /* to fork; 0: none */
    int steps;           /* of computing, healthy I/O and the fault; 0: ten */
    bool together;       /* ranks do as many pieces each, one waiting for the other */
    bool at_once;        /* ranks begin at the same time, each on its own */
    bool by_first;       /* rank 0 alone does the healthy I/O too */
    bool waits;          /* the strength is in what was measured, not in all that passes meanwhile */
};

/* ---- the command line ---- */

static struct {
    const struct fault* fault;
    double lost_share, seconds;
    const char* folder;
    uint64_t random;
} options;

static inline void parse(int argc, char** argv, const struct fault* faults, size_t count)
{
    if (argc != 6) {
        fprintf(stderr,
                "usage: %s FAULT LOST_SHARE SECONDS FOLDER SEED\n\n"
                "Computes (sleeps) and does I/O for SECONDS in FOLDER, of which LOST_SHARE (0 to 0.9) is\n"
                "spent in FAULT, and prints what that cost. FAULT is one of:\n",
                argv[0]);
        for (size_t i = 0; i < count; ++i) fprintf(stderr, "  %s\n", faults[i].name);
        exit(2);
    }
    for (size_t i = 0; i < count; ++i)
        if (strcmp(argv[1], faults[i].name) == 0) options.fault = &faults[i];
    if (options.fault == NULL) errx(2, "%s: there is no such fault", argv[1]);
    options.lost_share = atof(argv[2]);
    options.seconds = atof(argv[3]);
    options.folder = argv[4];
    options.random = strtoull(argv[5], NULL, 10);
    if (options.lost_share < 0 || options.lost_share > 0.9 || options.seconds <= 0)
        errx(2, "a share from 0 to 0.9, and some seconds, please");
}

/* Of all that is below `limit`: splitmix64, so the same in every run. */
static inline uint64_t random_below(uint64_t limit)
{
    uint64_t z = options.random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % limit;
}

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Computing: it must not take a core from the other ranks. */
static inline void compute(double seconds)
{
    if (seconds <= 0) return;
    const struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

/* ---- calls that must do all that they were asked for ---- */

static char* memory;        /* of any content */
static int rank, ranks = 1; /* or processes, if they were forked */

static inline const char* path_of(const char* name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", options.folder, name);
    return path;
}

static inline const char* path_of_number(const char* name, long number)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.%ld", options.folder, name, number);
    return path;
}

static inline int open_path(const char* path, int flags)
{
    const int fd = open(path, flags, 0644);
    if (fd < 0) err(1, "%s", path);
    return fd;
}

static inline void all(ssize_t done, size_t wanted)
{
    if (done != (ssize_t)wanted) err(1, "%s: %zd instead of %zu", options.folder, done, wanted);
}

/* ---- what was measured ---- */

struct account {
    double in_fault, needless, writing, reading;
    uint64_t bytes_read, bytes_written, operations;   /* of the fault */
    uint64_t healthy_written, healthy_read, distinct; /* bytes; of those that the fault read, as if once */
};

static struct account mine; /* of this process */

static inline void did_read(size_t bytes)
{
    mine.bytes_read += bytes;
    ++mine.operations;
}
static inline void did_write(size_t bytes)
{
    mine.bytes_written += bytes;
    ++mine.operations;
}

/* ---- I/O that does well: large requests, one after the other ---- */

/* What each of them took. */
struct times {
    double of[10 * healthy_blocks];
    int count;
};
static struct times well_written, well_read;

static inline int compare(const void* a, const void* b)
{
    const double one = *(const double*)a, other = *(const double*)b;
    return (one > other) - (one < other);
}

/* What they would have taken if none had been held up by the rest of the machine: each the median. */
static inline double undisturbed(struct times* times)
{
    qsort(times->of, (size_t)times->count, sizeof times->of[0], compare);
    return times->count == 0 ? 0 : times->of[times->count / 2] * times->count;
}

static inline void write_well(int step)
{
    const int fd =
        open_path(path_of_number(step < 5 ? "results.first" : "results.second", rank), O_WRONLY | O_CREAT);
    for (int i = 0; i < healthy_blocks; ++i) {
        const double start = now();
        all(pwrite(fd, memory, healthy_block, (off_t)(step % 5 * healthy_blocks + i) * healthy_block),
            healthy_block);
        well_written.of[well_written.count++] = now() - start;
    }
    close(fd);
    mine.healthy_written += (uint64_t)healthy_blocks * healthy_block;
}

/* Ranks read parts of their own of the input, and none twice. */
static inline void read_well(int step)
{
    const int fd = open_path(path_of("input"), O_RDONLY);
    const off_t part = (off_t)rank * 10 + step;
    for (int i = 0; i < healthy_blocks; ++i) {
        const double start = now();
        all(pread(fd, memory, healthy_block, (part * healthy_blocks + i) * healthy_block), healthy_block);
        well_read.of[well_read.count++] = now() - start;
    }
    close(fd);
    mine.healthy_read += (uint64_t)healthy_blocks * healthy_block;
}

/* ---- the run ---- */

/* The fault, until it took as long as it shall in a step: of the slowest, if all do as much. Who waits for
 * nobody gives up in the end. */
static inline void do_fault(double seconds, double (*longest)(double))
{
    enum { patience = 4 };
    const double needless = mine.needless;
    double took = 0, counts = 0;
    while (counts < seconds && (options.fault->together || took < patience * seconds)) {
        const double start = now();
        options.fault->once();
        took += now() - start;
        counts = options.fault->waits ? mine.needless - needless : took;
        if (options.fault->together) counts = longest(counts);
    }
    mine.in_fault += took;
}

/* A step takes as long as it shall, whatever I/O took of it. Ranks that do nothing together do it one after
 * the other, as far as there is time. `longest` gives the longest of what all ranks say, once they have said
 * it; NULL where nobody waits for others. */
static inline void run(double (*longest)(double))
{
    const int steps = options.fault->steps == 0 ? 10 : options.fault->steps;
    const double step_seconds = options.seconds / steps;
    const double faulty = options.fault->once == NULL ? 0 : step_seconds * options.lost_share;
    const bool together = options.fault->together || options.fault->at_once || longest == NULL;
    if (options.fault->begin != NULL) options.fault->begin();
    for (int step = 0; step < steps; ++step) {
        const double start = now();
        if (longest != NULL) longest(0);
        if (!together) compute((step_seconds - faulty) * rank / ranks);
        if (rank == 0 || !options.fault->by_first) {
            write_well(step);
            read_well(step);
        }
        if (together) compute(step_seconds - faulty - (now() - start));
        if (together && longest != NULL) longest(0);
        do_fault(faulty, longest);
        compute(step_seconds - (now() - start));
    }
    mine.writing = undisturbed(&well_written);
    mine.reading = undisturbed(&well_read);
}

/* What accounts of all processes amount to: seconds of the slowest, and of a mean one. */
static inline double seconds_lost(const struct account* sum, const struct account* slowest)
{
    const double in_fault = slowest->in_fault, mean = sum->in_fault / ranks;
    const double written = (double)sum->bytes_written / ranks, bytes_read = (double)sum->bytes_read / ranks;
    const double healthy = written * sum->writing / (double)sum->healthy_written +
                           bytes_read * sum->reading / (double)sum->healthy_read;
    switch (options.fault->loss) {
        case NOTHING:
            return 0;
        case ALL:
            return in_fault;
        case SLOW_BYTES:
            return in_fault > healthy ? in_fault - healthy : 0;
        case REPEATS:
            return bytes_read > 0 ? in_fault * (1 - (double)sum->distinct / (double)sum->bytes_read) : 0;
        case MEASURED:
            return slowest->needless;
        case SLOW_RANK:
            return ranks > 1 ? (in_fault - mean) * ranks / (ranks - 1) : 0;
        case IMBALANCE:
            return in_fault - mean;
    }
    return 0;
}

static inline void say(const struct account* sum, const struct account* slowest, double began)
{
    printf(
        "{\"fault\": \"%s\", \"processes\": %d, \"run\": %.6f, \"in_fault\": %.6f, \"lost\": %.6f, "
        "\"bytes_read\": %" PRIu64 ", \"bytes_written\": %" PRIu64 ", \"operations\": %" PRIu64 "}\n",
        options.fault->name, ranks, now() - began, slowest->in_fault, seconds_lost(sum, slowest),
        sum->bytes_read, sum->bytes_written, sum->operations);
}
