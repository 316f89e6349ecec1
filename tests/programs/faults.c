/* Runs of one program (or of processes that it forks) that do some I/O badly for a known part of their time,
 * and the same run doing well: labelled workloads for the findings of the report. A row of `faults` is one.
 */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { files_to_look_at = 200, scattered_file = 512 * mib };

static int file = -1;
static off_t at;
static FILE* stream;

/* ---- many small requests of a large file ---- */

static void begin_writing(void)
{
    file = open_path(path_of("records"), O_RDWR | O_CREAT | O_TRUNC);
}

static void small_write(void)
{
    const size_t size = 64 + random_below(1024);
    all(write(file, memory, size), size);
    did_write(size);
}

static void begin_reading(void)
{
    file = open_path(path_of("large"), O_RDONLY);
}

static void small_read(void)
{
    const size_t size = 64 + random_below(1024);
    all(read(file, memory, size), size);
    did_read(size);
}

/* Of a file that is not in memory. */
static void begin_scattered(void)
{
    file = open_path(path_of("scattered"), O_RDONLY);
}

static void random_read(void)
{
    const size_t size = (1 + random_below(4)) * 4 * kib;
    const off_t offset = (off_t)random_below((scattered_file - 16 * kib) / (4 * kib)) * 4 * kib;
    all(pread(file, memory, size, offset), size);
    did_read(size);
}

/* The same few MiB once more, in large requests. */
static void begin_again(void)
{
    file = open_path(path_of("constants"), O_RDONLY);
}

static void read_again(void)
{
    const ssize_t size = pread(file, memory, mib, at);
    if (size < 0) err(1, "constants");
    at = size < mib ? 0 : at + size;
    did_read((size_t)size);
    if (mine.distinct < (uint64_t)at) mine.distinct = (uint64_t)at;
}

/* ---- files as such ---- */

static void stat_one(void)
{
    struct stat about;
    if (stat(path_of_number("case", (long)random_below(files_to_look_at)), &about) != 0) err(1, "stat");
    ++mine.operations;
}

/* A lock file, a name that moves, a mode that changes: no byte is read or written. */
static void storm(void)
{
    const char* const marker = path_of("marker");
    const long number = (long)random_below(files_to_look_at);
    close(open_path(marker, O_WRONLY | O_CREAT | O_EXCL));
    if (rename(path_of_number("case", number), path_of("moving")) != 0) err(1, "rename");
    if (rename(path_of("moving"), path_of_number("case", number)) != 0) err(1, "rename");
    if (access(path_of_number("case", number), R_OK) != 0) err(1, "access");
    if (chmod(path_of_number("case", number), 0600) != 0) err(1, "chmod");
    if (unlink(path_of("marker")) != 0) err(1, "unlink");
    mine.operations += 7;
}

static void small_file(void)
{
    static long number;
    const size_t size = kib + random_below(7 * kib);
    const int fd = open_path(path_of_number("piece", number++), O_WRONLY | O_CREAT | O_EXCL);
    all(write(fd, memory, size), size);
    close(fd);
    did_write(size);
}

static void append_and_close(void)
{
    const size_t size = 200 + random_below(400);
    const double start = now();
    const int fd = open_path(path_of("journal"), O_WRONLY | O_CREAT | O_APPEND);
    const double is_open = now();
    all(write(fd, memory, size), size);
    const double written = now();
    close(fd);
    mine.needless += now() - written + is_open - start;
    did_write(size);
}

/* ---- stdio ---- */

static void begin_stream(void)
{
    stream = fopen(path_of("text"), "w");
    if (stream == NULL) err(1, "text");
}

static void begin_unbuffered(void)
{
    begin_stream();
    setvbuf(stream, NULL, _IONBF, 0);
}

static void begin_stream_of_large(void)
{
    stream = fopen(path_of("large"), "r");
    if (stream == NULL) err(1, "large");
}

static void put_characters(void)
{
    for (int i = 0; i < 4 * kib; ++i)
        if (fputc('a' + i % 26, stream) == EOF) err(1, "fputc");
    mine.bytes_written += 4 * kib, mine.operations += 4 * kib;
}

static void get_characters(void)
{
    for (int i = 0; i < 4 * kib; ++i)
        if (fgetc(stream) == EOF) errx(1, "fgetc");
    mine.bytes_read += 4 * kib, mine.operations += 4 * kib;
}

static void put_numbers(void)
{
    for (int i = 0; i < 100; ++i)
        if (fwrite(memory, sizeof(double), 1, stream) != 1) err(1, "fwrite");
    mine.bytes_written += 100 * sizeof(double), mine.operations += 100;
}

static void put_unbuffered(void)
{
    const size_t size = 64 + random_below(200);
    if (fwrite(memory, 1, size, stream) != size) err(1, "fwrite");
    did_write(size);
}

/* ---- on stable storage, in pieces ---- */

static void write_and_sync(void)
{
    small_write();
    if (fsync(file) != 0) err(1, "fsync");
}

static void write_and_sync_data(void)
{
    all(write(file, memory, 64 * kib), 64 * kib);
    if (fdatasync(file) != 0) err(1, "fdatasync");
    did_write(64 * kib);
}

/* ---- locks ---- */

static void begin_shared(void)
{
    file = open_path(path_of("table"), O_RDWR | O_CREAT);
}

/* What is done while one holds it, and after that. */
static void hold(double asked)
{
    mine.needless += now() - asked;
    all(pwrite(file, memory, 64 * kib, (off_t)rank * mib), 64 * kib);
    did_write(64 * kib);
    compute(0.001);
}

static void wait_for_flock(void)
{
    const double start = now();
    if (flock(file, LOCK_EX) != 0) err(1, "flock");
    hold(start);
    if (flock(file, LOCK_UN) != 0) err(1, "flock");
    compute(0.0002);
}

static void wait_for_record(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 4096};
    const double start = now();
    while (fcntl(file, F_SETLKW, &lock) != 0)
        if (errno != EINTR) err(1, "fcntl");
    hold(start);
    lock.l_type = F_UNLCK;
    if (fcntl(file, F_SETLK, &lock) != 0) err(1, "fcntl");
    compute(0.0002);
}

/* ---- the same place, read and written ---- */

static void begin_updates(void)
{
    file = open_path(path_of("large"), O_RDWR);
}

static void update_block(void)
{
    const size_t size = 256 * kib;
    if (lseek(file, at, SEEK_SET) != at) err(1, "lseek");
    const double start = now();
    all(read(file, memory, size), size);
    mine.needless += now() - start;
    memory[at / kib % 256] ^= 1;
    if (lseek(file, at, SEEK_SET) != at) err(1, "lseek");
    all(write(file, memory, size), size);
    did_read(size);
    did_write(size);
    at += (off_t)size;
}

/* ---- doing well in other ways ---- */

static void begin_buffered(void)
{
    static char buffer[4 * mib]; /* for NULL glibc ignores the size */
    begin_stream();
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
}

static void put_well(void)
{
    if (fwrite(memory, mib, 1, stream) != 1) err(1, "fwrite");
    did_write(mib);
}

/* A log of the run, a line a step or so. */
static void put_line(void)
{
    fprintf(stream, "step %d of the run, all is well\n", (int)mine.operations);
    ++mine.operations;
    compute(0.01);
}

static void read_on(void)
{
    const ssize_t size = read(file, memory, mib);
    if (size < 0) err(1, "large");
    did_read((size_t)size);
}

static const struct fault faults[] = {
    {"small_writes", SLOW_BYTES, begin_writing, .once = small_write},
    {"small_reads", SLOW_BYTES, begin_reading, .once = small_read},
    {"random_reads", SLOW_BYTES, begin_scattered, .once = random_read},
    {"read_again", REPEATS, begin_again, .once = read_again},
    {"stats", ALL, NULL, .once = stat_one},
    {"name_storm", ALL, NULL, .once = storm},
    {"many_files", SLOW_BYTES, NULL, .once = small_file},
    {"appends", MEASURED, NULL, .once = append_and_close},
    {"characters_put", SLOW_BYTES, begin_stream, .once = put_characters},
    {"characters_got", SLOW_BYTES, begin_stream_of_large, .once = get_characters},
    {"numbers_put", SLOW_BYTES, begin_stream, .once = put_numbers},
    {"unbuffered_puts", SLOW_BYTES, begin_unbuffered, .once = put_unbuffered},
    {"syncs", SLOW_BYTES, begin_writing, .once = write_and_sync},
    {"data_syncs", SLOW_BYTES, begin_writing, .once = write_and_sync_data},
    {"flock_waits", MEASURED, begin_shared, .once = wait_for_flock, .processes = 4, .waits = true},
    {"record_lock_waits", MEASURED, begin_shared, .once = wait_for_record, .processes = 4, .waits = true},
    {"updates", MEASURED, begin_updates, .once = update_block},
    {"posix_well", NOTHING, NULL, .once = NULL},
    {"stdio_well", NOTHING, begin_buffered, .once = put_well},
    {"log_lines", NOTHING, begin_stream, .once = put_line},
    {"reads_well", NOTHING, begin_reading, .once = read_on},
    {"processes_well", NOTHING, NULL, .once = NULL, .processes = 4},
};

/* ---- the processes ---- */

static void work(struct account* account)
{
    run(NULL);
    if (stream != NULL && fclose(stream) != 0) err(1, "fclose");
    *account = mine;
}

static void larger(double* most, double value)
{
    if (value > *most) *most = value;
}

int main(int argc, char** argv)
{
    const double began = now();
    parse(argc, argv, faults, sizeof faults / sizeof *faults);
    if (options.fault->processes != 0) ranks = options.fault->processes;
    memory = malloc(healthy_block);
    if (memory == NULL) err(1, "memory");
    memset(memory, 'x', healthy_block);
    struct account* const accounts = mmap(NULL, (size_t)ranks * sizeof *accounts, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (accounts == MAP_FAILED) err(1, "mmap");
    if (ranks == 1) work(&accounts[0]);
    for (int process = 0; ranks > 1 && process < ranks; ++process) {
        const pid_t child = fork();
        if (child < 0) err(1, "fork");
        if (child != 0) continue;
        rank = process;
        options.random += (uint64_t)process << 32;
        work(&accounts[process]);
        exit(0);
    }
    for (int status; wait(&status) > 0;)
        if (status != 0) errx(1, "a process failed");

    struct account sum = accounts[0], slowest = accounts[0];
    for (int process = 1; process < ranks; ++process) {
        const struct account* const one = &accounts[process];
        larger(&slowest.in_fault, one->in_fault);
        larger(&slowest.needless, one->needless);
        sum.in_fault += one->in_fault, sum.writing += one->writing, sum.reading += one->reading;
        sum.bytes_read += one->bytes_read, sum.bytes_written += one->bytes_written;
        sum.operations += one->operations, sum.distinct += one->distinct;
        sum.healthy_written += one->healthy_written, sum.healthy_read += one->healthy_read;
    }
    say(&sum, &slowest, began);
    return 0;
}
