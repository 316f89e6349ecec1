/* A toy simulation that writes checkpoints: the program to try Fathom on. Ranks share a ring of numbers that
   diffuse; after each step the ring is saved in one of four ways, the I/O modes that reports tell apart:

     N-N  each rank writes a file of its own           N-1  all ranks write one file together (MPI-IO)
     N-M  some ranks collect and write a file each     1-1  one rank collects everything and writes it

   The modes differ only in who writes a rank's part, into which file and at which offset: see `place_of`. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: mpirun -np RANKS checkpoint [options]\n"
    "  --mode N-N|N-M|N-1|1-1   who writes which file (default N-N)\n"
    "  --api posix|stdio|mpiio  what they write with (default posix; N-1: mpiio, 1-1: stdio)\n"
    "  --steps N                steps, a checkpoint after each (default 3)\n"
    "  --mib-per-rank N         size of each rank's part in MiB (default 8)\n"
    "  --transfer SIZE          bytes per write or read, such as 64K or 1M (default 1M)\n"
    "  --aggregators N          ranks that write, in mode N-M (default 2)\n"
    "  --dir DIR                where the checkpoints go (default .)\n"
    "  --compute-ms N           milliseconds of computing before each checkpoint (default 20)\n"
    "  --read-back              restart from the last checkpoint at the end, and check every byte\n"
    "  --sync                   fsync each file before it is closed\n"
    "  --quiet-times            print no times, so that the output is the same in every run\n"
    "  --help                   this text\n";

enum mode { N_N, N_M, N_1, ONE_ONE, modes };
enum api { POSIX, STDIO, MPIIO, apis };
static const char* const mode_names[modes] = {"N-N", "N-M", "N-1", "1-1"};
static const char* const api_names[apis] = {"posix", "stdio", "mpiio"};
static const enum api default_api[modes] = {POSIX, POSIX, MPIIO, STDIO};

static struct {
    int mode, api;
    long steps, mib_per_rank, aggregators, compute_ms;
    size_t transfer;
    const char* dir;
    bool read_back, sync, times;
} options = {N_N, -1, 3, 8, 2, 20, 1 << 20, ".", false, false, true};

static int rank, ranks;

/* ---- errors: said once, and the job ends with status 1 ---- */

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "checkpoint: rank %d: ", rank);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void check_mpi(int code, const char* what, const char* path)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    fail("%s: cannot %s: %s", path, what, text);
}

/* ---- a file, by any of the three interfaces ---- */

struct file {
    char path[4096];
    bool writing, shared;
    int fd;
    FILE* stream;
    MPI_File mpi;
};

static void open_file(struct file* file)
{
    switch (options.api) {
        case POSIX: {
            const bool first = !file->shared || rank == 0;
            if (file->writing && file->shared && rank != 0)
                MPI_Barrier(MPI_COMM_WORLD); /* until rank 0 emptied it */
            file->fd = open(file->path,
                            !file->writing ? O_RDONLY
                            : first        ? O_WRONLY | O_CREAT | O_TRUNC
                                           : O_WRONLY,
                            0644);
            if (file->fd < 0) fail("%s: cannot open: %s", file->path, strerror(errno));
            if (file->writing && file->shared && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
            break;
        }
        case STDIO:
            file->stream = fopen(file->path, file->writing ? "wb" : "rb");
            if (file->stream == NULL) fail("%s: cannot open: %s", file->path, strerror(errno));
            break;
        case MPIIO:
            check_mpi(MPI_File_open(file->shared ? MPI_COMM_WORLD : MPI_COMM_SELF, file->path,
                                    file->writing ? MPI_MODE_WRONLY | MPI_MODE_CREATE : MPI_MODE_RDONLY,
                                    MPI_INFO_NULL, &file->mpi),
                      "open", file->path);
            break;
    }
}

static void transfer_posix(const struct file* file, char* bytes, size_t count, off_t offset)
{
    while (count > 0) {
        const ssize_t done =
            file->writing ? pwrite(file->fd, bytes, count, offset) : pread(file->fd, bytes, count, offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0)
            fail("%s: cannot %s: %s", file->path, file->writing ? "write" : "read", strerror(errno));
        if (done == 0) fail("%s: ends %zu bytes early", file->path, count);
        bytes += done;
        count -= (size_t)done;
        offset += done;
    }
}

static void transfer_stdio(const struct file* file, char* bytes, size_t count, off_t offset)
{
    if (ftello(file->stream) != offset && fseeko(file->stream, offset, SEEK_SET) != 0)
        fail("%s: cannot seek: %s", file->path, strerror(errno));
    const size_t done =
        file->writing ? fwrite(bytes, 1, count, file->stream) : fread(bytes, 1, count, file->stream);
    if (done != count)
        fail("%s: cannot %s: %s", file->path, file->writing ? "write" : "read", strerror(errno));
}

static void transfer_mpiio(const struct file* file, char* bytes, size_t count, off_t offset)
{
    MPI_Status status;
    int done = 0, code;
    if (file->shared)
        code = file->writing ? MPI_File_write_at_all(file->mpi, offset, bytes, (int)count, MPI_BYTE, &status)
                             : MPI_File_read_at_all(file->mpi, offset, bytes, (int)count, MPI_BYTE, &status);
    else
        code = file->writing ? MPI_File_write_at(file->mpi, offset, bytes, (int)count, MPI_BYTE, &status)
                             : MPI_File_read_at(file->mpi, offset, bytes, (int)count, MPI_BYTE, &status);
    check_mpi(code, file->writing ? "write" : "read", file->path);
    MPI_Get_count(&status, MPI_BYTE, &done);
    if ((size_t)done != count) fail("%s: %d bytes moved instead of %zu", file->path, done, count);
}

/* What this rank spent in calls on files, as against waiting for others and passing pieces on. */
static double io_seconds;

static void transfer(const struct file* file, char* bytes, size_t count, off_t offset)
{
    const double start = MPI_Wtime();
    static void (*const by[apis])(const struct file*, char*, size_t, off_t) = {transfer_posix, transfer_stdio,
                                                                               transfer_mpiio};
    by[options.api](file, bytes, count, offset);
    io_seconds += MPI_Wtime() - start;
}

static void close_file(struct file* file)
{
    const bool sync = options.sync && file->writing;
    int failed = 0;
    switch (options.api) {
        case POSIX:
            failed = sync && fsync(file->fd) != 0;
            failed |= close(file->fd) != 0;
            break;
        case STDIO:
            failed = sync && (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0);
            failed |= fclose(file->stream) != 0;
            break;
        case MPIIO:
            if (sync) check_mpi(MPI_File_sync(file->mpi), "flush", file->path);
            check_mpi(MPI_File_close(&file->mpi), "close", file->path);
            break;
    }
    if (failed) fail("%s: cannot close: %s", file->path, strerror(errno));
}

/* ---- the modes ---- */

/* Where the part of a rank goes: the rank that writes it, the file's number (-1: the only one) and its place
 * there. */
struct place {
    int writer, file;
    long index;
};

static struct place place_of(int of)
{
    const int groups = (int)options.aggregators;
    const int group = (int)((long)of * groups / ranks);
    const int leader = (int)(((long)group * ranks + groups - 1) / groups);
    switch (options.mode) {
        case N_N:
            return (struct place){of, of, 0};
        case N_M:
            return (struct place){leader, group, of - leader};
        case N_1:
            return (struct place){of, -1, of};
        default:
            return (struct place){0, -1, of};
    }
}

/* Moves this rank's part to or from the checkpoint of a step. A writer serves its own part, then those sent
 * to it. */
static void move_checkpoint(bool writing, long step, char* part, size_t size)
{
    const struct place mine = place_of(rank);
    char* const piece = malloc(options.transfer);
    if (piece == NULL) fail("no memory");
    struct file file = {.writing = writing, .shared = options.mode == N_1};
    if (mine.file < 0)
        snprintf(file.path, sizeof file.path, "%s/checkpoint.%ld", options.dir, step);
    else
        snprintf(file.path, sizeof file.path, "%s/checkpoint.%ld.%d", options.dir, step, mine.file);

    const double opening = MPI_Wtime();
    if (mine.writer == rank) open_file(&file);
    io_seconds += MPI_Wtime() - opening;
    for (int of = 0; of < ranks; ++of) {
        const struct place place = place_of(of);
        if (place.writer != rank && of != rank) continue; /* neither ours to write nor ours to give */
        if (place.writer == of && of != rank) continue;
        for (size_t at = 0; at < size; at += options.transfer) {
            const size_t count = size - at < options.transfer ? size - at : options.transfer;
            const off_t offset = (off_t)((size_t)place.index * size + at);
            if (of == rank && place.writer == rank) {
                transfer(&file, part + at, count, offset);
            } else if (of == rank && writing) {
                MPI_Send(part + at, (int)count, MPI_BYTE, place.writer, 0, MPI_COMM_WORLD);
            } else if (of == rank) {
                MPI_Recv(part + at, (int)count, MPI_BYTE, place.writer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (writing) {
                MPI_Recv(piece, (int)count, MPI_BYTE, of, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                transfer(&file, piece, count, offset);
            } else {
                transfer(&file, piece, count, offset);
                MPI_Send(piece, (int)count, MPI_BYTE, of, 0, MPI_COMM_WORLD);
            }
        }
    }
    const double closing = MPI_Wtime();
    if (mine.writer == rank) close_file(&file);
    io_seconds += MPI_Wtime() - closing;
    free(piece);
}

/* Seconds of a phase, opening and closing included: from barrier to barrier, and of the rank that spent most
 * in calls on files. Where pieces are passed to the rank that writes them, the two differ by the passing. */
struct phase {
    double passed, in_io;
};

static void timed_move(bool writing, long step, char* part, size_t size, struct phase* phase)
{
    MPI_Barrier(MPI_COMM_WORLD);
    io_seconds = 0;
    const double start = MPI_Wtime();
    move_checkpoint(writing, step, part, size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double mine[2] = {MPI_Wtime() - start, io_seconds};
    double slowest[2] = {0, 0};
    MPI_Allreduce(mine, slowest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    phase->passed += slowest[0];
    phase->in_io += slowest[1];
}

/* ---- the simulation ---- */

/* One step of diffusion on the ring, in whole numbers: the same result on every machine. */
static void advance(uint32_t* field, size_t count)
{
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    uint32_t before = 0, after = 0;
    MPI_Sendrecv(&field[count - 1], 1, MPI_UINT32_T, right, 1, &before, 1, MPI_UINT32_T, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&field[0], 1, MPI_UINT32_T, left, 2, &after, 1, MPI_UINT32_T, right, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (size_t at = 0; at < count; ++at) {
        const uint32_t next = at + 1 < count ? field[at + 1] : after;
        const uint32_t here = field[at];
        field[at] = before / 4 + here / 2 + next / 4;
        before = here;
    }
    const struct timespec pause = {options.compute_ms / 1000, options.compute_ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static uint64_t checksum(const uint32_t* field, size_t count)
{
    uint64_t mine = 0, all = 0;
    for (size_t at = 0; at < count; ++at) mine = mine * 31 + field[at];
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void print_phase(const char* name, uint64_t bytes, struct phase phase)
{
    const double seconds = phase.passed;
    if (rank != 0) return;
    if (!options.times)
        printf("%s bytes=%" PRIu64 " seconds=- mib-per-second=- io-seconds=-\n", name, bytes);
    else
        printf("%s bytes=%" PRIu64 " seconds=%.6f mib-per-second=%.2f io-seconds=%.6f\n", name, bytes,
               seconds, seconds > 0 ? (double)bytes / 1048576 / seconds : 0.0, phase.in_io);
}

static void simulate(void)
{
    const size_t size = (size_t)options.mib_per_rank << 20, count = size / sizeof(uint32_t);
    const uint64_t all = (uint64_t)size * (uint64_t)ranks;
    uint32_t* const field = malloc(size);
    if (field == NULL) fail("no memory for %ld MiB", options.mib_per_rank);
    for (size_t at = 0; at < count; ++at)
        field[at] = (uint32_t)(((uint64_t)rank * count + at + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    if (rank == 0)
        printf("checkpoint mode=%s api=%s ranks=%d steps=%ld mib-per-rank=%ld transfer=%zu\n",
               mode_names[options.mode], api_names[options.api], ranks, options.steps, options.mib_per_rank,
               options.transfer);
    struct phase writing = {0, 0}, reading = {0, 0};
    for (long step = 1; step <= options.steps; ++step) {
        advance(field, count);
        timed_move(true, step, (char*)field, size, &writing);
    }
    print_phase("write", all * (uint64_t)options.steps, writing);

    if (options.read_back && options.steps > 0) {
        uint32_t* const again = calloc(1, size);
        if (again == NULL) fail("no memory for %ld MiB", options.mib_per_rank);
        timed_move(false, options.steps, (char*)again, size, &reading);
        print_phase("read", all, reading);
        if (memcmp(field, again, size) != 0) fail("the last checkpoint is not what was written");
        free(again);
    }
    const uint64_t sum = checksum(field, count);
    if (rank == 0) printf("checksum %016" PRIx64 "\n", sum);
    free(field);
}

/* ---- the command line ---- */

static bool choose(const char* const* names, int count, const char* wanted, int* chosen)
{
    for (int at = 0; at < count; ++at)
        if (strcmp(names[at], wanted) == 0) {
            *chosen = at;
            return true;
        }
    return false;
}

static bool number(const char* text, long least, long most, long* value)
{
    char* end = NULL;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most;
}

static bool size_of(const char* text, size_t* value)
{
    char* end = NULL;
    errno = 0;
    const long n = strtol(text, &end, 10);
    const char* const units = "KMG";
    const char* const unit = *end == '\0' ? NULL : strchr(units, *end);
    if (end == text || errno != 0 || n <= 0 || (*end != '\0' && (unit == NULL || end[1] != '\0')))
        return false;
    const int shift = unit == NULL ? 0 : 10 * (int)(unit - units + 1);
    *value = (size_t)n << shift;
    return *value >> shift == (size_t)n && *value <= (size_t)1 << 30;
}

enum parsed { RUN, HELP, WRONG };

static enum parsed parse(int argc, char** argv)
{
    static const struct option known[] = {{"mode", required_argument, NULL, 'm'},
                                          {"api", required_argument, NULL, 'a'},
                                          {"steps", required_argument, NULL, 's'},
                                          {"mib-per-rank", required_argument, NULL, 'b'},
                                          {"transfer", required_argument, NULL, 't'},
                                          {"aggregators", required_argument, NULL, 'g'},
                                          {"dir", required_argument, NULL, 'd'},
                                          {"compute-ms", required_argument, NULL, 'c'},
                                          {"read-back", no_argument, NULL, 'r'},
                                          {"sync", no_argument, NULL, 'f'},
                                          {"quiet-times", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    opterr = rank == 0;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        bool good = true;
        switch (option) {
            case 'm':
                good = choose(mode_names, modes, optarg, &options.mode);
                break;
            case 'a':
                good = choose(api_names, apis, optarg, &options.api);
                break;
            case 's':
                good = number(optarg, 0, 1000000, &options.steps);
                break;
            case 'b':
                good = number(optarg, 1, 1 << 20, &options.mib_per_rank);
                break;
            case 't':
                good = size_of(optarg, &options.transfer);
                break;
            case 'g':
                good = number(optarg, 1, ranks, &options.aggregators);
                break;
            case 'd':
                options.dir = optarg;
                break;
            case 'c':
                good = number(optarg, 0, 3600000, &options.compute_ms);
                break;
            case 'r':
                options.read_back = true;
                break;
            case 'f':
                options.sync = true;
                break;
            case 'q':
                options.times = false;
                break;
            case 'h':
                return HELP;
            default:
                return WRONG;
        }
        if (!good) {
            if (rank == 0) fprintf(stderr, "checkpoint: '%s' does not fit this option\n", optarg);
            return WRONG;
        }
    }
    if (options.api < 0) options.api = default_api[options.mode];
    if (options.aggregators > ranks) options.aggregators = ranks;
    if (optind < argc || (options.mode == N_1 && options.api == STDIO)) {
        if (rank == 0)
            fprintf(stderr, optind < argc ? "checkpoint: options only, please\n"
                                          : "checkpoint: ranks cannot share a file through stdio\n");
        return WRONG;
    }
    return RUN;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const enum parsed parsed = parse(argc, argv);
    if (parsed == RUN)
        simulate();
    else if (rank == 0)
        fputs(usage, parsed == HELP ? stdout : stderr);
    MPI_Finalize();
    return parsed == WRONG ? 2 : 0;
}
