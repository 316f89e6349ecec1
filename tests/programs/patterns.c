/* Does I/O in one of eight patterns, with operations that are known exactly, so that traces of them can be
 * judged: processes (or ranks, if built with MPI) and threads share the work out as workers.
 *
 * usage: patterns PATTERN FOLDER [OPTIONS]; patterns --help tells of them
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static const char usage[] =
    "usage: patterns PATTERN FOLDER [--operations N] [--block BYTES] [--processes N]\n"
    "                [--threads N] [--wait] [--time]\n"
    "\n"
    "PATTERN, with N operations of each worker in a file of its own in FOLDER:\n"
    "  contiguous    writes blocks one after the other, then reads them\n"
    "  strided       the same with gaps of three blocks: seeks and writes, then preads\n"
    "  random        preads blocks at random multiples of their size\n"
    "  append        appends pieces of varying size, up to a block\n"
    "  many_files    opens, writes and closes one file after the other\n"
    "  mixed         reads, writes, seeks, syncs, stats, failures; two files, many sizes\n"
    "or in one file of all workers:\n"
    "  segmented     writes blocks into a segment of its own, then reads them\n"
    "  interleaved   writes every n-th block, then reads them (n workers)\n"
    "\n"
    "  --operations N   of each worker, about (default 1000)\n"
    "  --block BYTES    (default 4096)\n"
    "  --processes N    that are forked (default 1; with one, none is)\n"
    "  --threads N      of each process (default 1)\n"
    "  --wait           does not end, once it has done all this, but waits to be killed\n"
    "  --time           prints the seconds of CPU time that they took, of the slowest process\n";

static struct {
    const char* folder;
    long operations, block, processes, threads;
    bool wait, time;
} options = {".", 1000, 4096, 1, 1, false, false};

struct worker {
    int number, workers;
    uint64_t random;
    char* memory; /* a block */
};

/* Of all that is below `limit`: splitmix64, so the same in every run. */
static uint64_t random_below(struct worker* me, uint64_t limit)
{
    uint64_t z = me->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % limit;
}

/* ---- calls that must do all that they were asked for ---- */

static void open_named(int* fd, char* path, int flags, const char* name, int number)
{
    snprintf(path, 4096, "%s/%s.%d", options.folder, name, number);
    *fd = open(path, flags, 0644);
    if (*fd < 0) err(1, "%s", path);
}

static int open_file(const char* name, int number, int flags)
{
    char path[4096];
    int fd;
    open_named(&fd, path, flags, name, number);
    return fd;
}

static void all(ssize_t done, off_t wanted)
{
    if (done != wanted) err(1, "%s: %zd instead of %jd", options.folder, done, (intmax_t)wanted);
}

static void seek(int fd, off_t offset)
{
    all(lseek(fd, offset, SEEK_SET), offset);
}

/* ---- the patterns ---- */

static void contiguous(struct worker* me)
{
    const int fd = open_file("contiguous", me->number, O_RDWR | O_CREAT | O_TRUNC);
    for (long i = 0; i < options.operations / 2; ++i)
        all(write(fd, me->memory, options.block), options.block);
    seek(fd, 0);
    for (long i = 0; i < options.operations / 2; ++i) all(read(fd, me->memory, options.block), options.block);
    close(fd);
}

static void strided(struct worker* me)
{
    const int fd = open_file("strided", me->number, O_RDWR | O_CREAT | O_TRUNC);
    for (long i = 0; i < options.operations / 3; ++i) {
        seek(fd, i * 4 * options.block);
        all(write(fd, me->memory, options.block), options.block);
    }
    for (long i = 0; i < options.operations / 3; ++i)
        all(pread(fd, me->memory, options.block, i * 4 * options.block), options.block);
    close(fd);
}

static void at_random(struct worker* me)
{
    enum { blocks = 1 << 18 }; /* 1 GiB of the usual ones, and no byte of it written */
    const int fd = open_file("random", me->number, O_RDWR | O_CREAT | O_TRUNC);
    all(ftruncate(fd, blocks * options.block), 0);
    for (long i = 0; i < options.operations; ++i) {
        const off_t offset = (off_t)random_below(me, blocks) * options.block;
        all(pread(fd, me->memory, options.block, offset), options.block);
    }
    close(fd);
}

static void append(struct worker* me)
{
    const int fd = open_file("append", me->number, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    for (long i = 0; i < options.operations; ++i) {
        const uint64_t size = 1 + random_below(me, options.block);
        all(write(fd, me->memory, size), size);
    }
    close(fd);
}

static void many_files(struct worker* me)
{
    const int files = (int)(options.operations / 3);
    for (int i = 0; i < files; ++i) {
        const int fd = open_file("many", me->number * files + i, O_WRONLY | O_CREAT | O_TRUNC);
        all(write(fd, me->memory, options.block), options.block);
        close(fd);
    }
}

/* Block i of a worker begins at block first + i * step. */
static void shared(const char* name, const struct worker* me, off_t first, off_t step)
{
    const int fd = open_file(name, 0, O_RDWR | O_CREAT);
    const long blocks = options.operations / 2;
    for (long i = 0; i < blocks; ++i)
        all(pwrite(fd, me->memory, options.block, (first + i * step) * options.block), options.block);
    for (long i = 0; i < blocks; ++i)
        all(pread(fd, me->memory, options.block, (first + i * step) * options.block), options.block);
    close(fd);
}
static void segmented(struct worker* me)
{
    shared("segmented", me, me->number * (options.operations / 2), 1);
}
static void interleaved(struct worker* me)
{
    shared("interleaved", me, me->number, me->workers);
}

static void fails(ssize_t result, int why)
{
    if (result >= 0 || errno != why) err(1, "%s: a call that should fail otherwise", options.folder);
}

struct pair {
    int fd[2]; /* for reading and writing, for writing */
    char path[2][4096];
};

static void one_of_many(struct worker* me, const struct pair* files)
{
    struct stat about;
    const off_t size = 1 + (off_t)random_below(me, options.block);
    const off_t offset = (off_t)random_below(me, 64 * options.block);
    const uint64_t what = random_below(me, 32);
    const int fd = files->fd[what % 2];
    if (what < 8) return all(write(fd, me->memory, size), size);
    if (what < 14) return all(pwrite(fd, me->memory, size, offset), size);
    if (what == 14) return seek(fd, offset);
    if (what == 15) return all(fstat(fd, &about), 0);
    if (what == 16) return all(stat(files->path[1], &about), 0);
    if (what == 17) return all(fsync(fd), 0);
    if (what == 18) return fails(pwrite(fd, me->memory, size, -1), EINVAL);
    if (what == 19) return fails(read(fd, me->memory, size), EBADF);
    if (what == 20) return fails(lseek(fd, -1, SEEK_SET), EINVAL);
    if (what == 21) return fails(open(files->path[0], O_CREAT | O_EXCL, 0644), EEXIST);
    const ssize_t done = what < 27   ? read(files->fd[0], me->memory, size) /* less at the end of the file */
                         : what < 31 ? pread(files->fd[0], me->memory, size, offset)
                                     : lseek(fd, 0, SEEK_END);
    if (done < 0) err(1, "%s", files->path[0]);
}

static void mixed(struct worker* me)
{
    struct pair files;
    open_named(&files.fd[0], files.path[0], O_RDWR | O_CREAT | O_TRUNC, "mixed", 2 * me->number);
    open_named(&files.fd[1], files.path[1], O_WRONLY | O_CREAT | O_TRUNC, "mixed", 2 * me->number + 1);
    for (long i = 0; i < options.operations; ++i) one_of_many(me, &files);
    for (int i = 0; i < 2; ++i) close(files.fd[i]);
}

static const struct pattern {
    const char* name;
    void (*work)(struct worker*);
} patterns[] = {
    {"contiguous", contiguous}, {"strided", strided},     {"random", at_random},        {"append", append},
    {"many_files", many_files}, {"segmented", segmented}, {"interleaved", interleaved}, {"mixed", mixed}};

/* ---- workers ---- */

static const struct pattern* chosen;
static int all_processes = 1; /* ranks of the job, or those forked */

static void* work_alone(void* argument)
{
    const int number = *(const int*)argument;
    struct worker me = {number, all_processes * (int)options.threads, 0, calloc(1, (size_t)options.block)};
    me.random = (uint64_t)number << 32;
    if (me.memory == NULL) err(1, "no memory");
    chosen->work(&me);
    free(me.memory);
    return NULL;
}

static double work_as_process(int process)
{
    struct timespec start, end;
    pthread_t thread[64];
    int number[64];
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int i = 0; i < options.threads; ++i) number[i] = process * (int)options.threads + i;
    for (int i = 1; i < options.threads; ++i)
        if (pthread_create(&thread[i], NULL, work_alone, &number[i]) != 0) errx(1, "pthread_create");
    work_alone(&number[0]);
    for (int i = 1; i < options.threads; ++i) pthread_join(thread[i], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static void say(double seconds)
{
    if (options.time) printf("%.9f\n", seconds);
    fflush(stdout);
    if (!options.wait) return;
    puts("done");
    fflush(stdout);
    pause();
}

#ifdef WITH_MPI
static void work(int* argc, char*** argv)
{
    int rank;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_processes);
    double seconds = work_as_process(rank), slowest = 0;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) say(slowest);
    MPI_Finalize();
}
#else
static void work(int* argc, char*** argv)
{
    (void)argc, (void)argv;
    all_processes = (int)options.processes;
    if (all_processes == 1) return say(work_as_process(0));
    int pipes[2];
    double seconds, slowest = 0;
    if (pipe(pipes) != 0) err(1, "pipe");
    for (int process = 0; process < all_processes; ++process) {
        const pid_t child = fork();
        if (child < 0) err(1, "fork");
        if (child != 0) continue;
        seconds = work_as_process(process);
        all(write(pipes[1], &seconds, sizeof seconds), sizeof seconds);
        exit(0);
    }
    close(pipes[1]);
    bool failed = false;
    while (read(pipes[0], &seconds, sizeof seconds) == sizeof seconds)
        slowest = seconds > slowest ? seconds : slowest;
    for (int status; wait(&status) > 0;) failed = failed || status != 0;
    if (failed) errx(1, "a process failed");
    say(slowest);
}
#endif

static void wrong(void)
{
    fputs(usage, stderr);
    exit(2);
}

static void parse(int argc, char** argv)
{
    static const struct option known[] = {{"operations", required_argument, NULL, 'o'},
                                          {"block", required_argument, NULL, 'b'},
                                          {"processes", required_argument, NULL, 'p'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"wait", no_argument, NULL, 'w'},
                                          {"time", no_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        const long number = optarg == NULL ? 1 : atol(optarg);
        if (number < 1 || number > 1 << 30) wrong();
        switch (option) {
            case 'o':
                options.operations = number;
                break;
            case 'b':
                options.block = number;
                break;
            case 'p':
                options.processes = number;
                break;
            case 't':
                options.threads = number;
                break;
            case 'w':
                options.wait = true;
                break;
            case 's':
                options.time = true;
                break;
            case 'h':
                exit(fputs(usage, stdout) < 0);
            default:
                wrong();
        }
    }
    if (optind + 2 != argc || options.threads > 64 || options.processes > 1024) wrong();
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i)
        if (strcmp(argv[optind], patterns[i].name) == 0) chosen = &patterns[i];
    options.folder = argv[optind + 1];
    if (chosen == NULL) wrong();
}

int main(int argc, char** argv)
{
    parse(argc, argv);
    work(&argc, &argv);
    return 0;
}
