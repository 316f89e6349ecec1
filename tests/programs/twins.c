/* Programs with one fault each, and the same work with the change that the report advises: what a finding
 * says that its fault costs can be compared with what the change saves.
 *
 * usage: twins NAME faulty|repaired [SCALE]      (in a folder with its inputs; see tests/e2e/twins.py)
 *
 * Each does a fixed amount of work, SCALE times as much if given, and computes for about half a second.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "twin_work.h"

enum { kib = 1 << 10, mib = 1 << 20 };

static bool repaired;
static int scale = 1;
static char* block; /* a MiB of anything */

static int opened(const char* name, int flags)
{
    const int fd = open(name, flags, 0644);
    if (fd < 0) err(1, "%s", name);
    return fd;
}
static int made(const char* name, int flags)
{
    return opened(name, O_WRONLY | O_CREAT | O_TRUNC | flags);
}
static void put(int fd, const void* from, size_t size)
{
    if (write(fd, from, size) != (ssize_t)size) err(1, "write");
}
static void get_at(int fd, void* to, size_t size, off_t at)
{
    if (pread(fd, to, size, at) != (ssize_t)size) err(1, "read");
}
static void synced(int result)
{
    if (result != 0) err(1, "sync");
}
static off_t size_of(int fd)
{
    struct stat about;
    if (fstat(fd, &about) != 0) err(1, "stat");
    return about.st_size;
}
static FILE* stream(const char* name, const char* mode)
{
    FILE* const file = fopen(name, mode);
    if (file == NULL) err(1, "%s", name);
    return file;
}

/* Bytes that go out in pieces, or a MiB at a time. */
static struct {
    int fd;
    size_t filled;
} buffered;
static void put_piece(int fd, size_t size)
{
    if (!repaired) return put(fd, block, size);
    buffered.fd = fd;
    for (; size > 0; --size) {
        block[buffered.filled++] = 'x';
        if (buffered.filled < mib) continue;
        put(fd, block, mib);
        buffered.filled = 0;
    }
}
static void flush_pieces(void)
{
    if (buffered.filled > 0) put(buffered.fd, block, buffered.filled);
    buffered.filled = 0;
}

/* ---- sizes and order of requests ---- */

static void small_writes(void)
{
    const int fd = made("out", 0);
    for (int i = 0; i < 600000 * scale; ++i) put_piece(fd, 100);
    flush_pieces();
}

static void small_reads(void)
{
    const int fd = opened("input", O_RDONLY);
    const size_t size = repaired ? mib : 256;
    while (read(fd, block, size) > 0) continue;
}

/* Records of 16 bytes, one after the other, each looked up first. */
static void looked_up(void)
{
    const int fd = opened("input", O_RDONLY);
    enum { records = 1 << 20 };
    if (repaired)
        for (off_t at = 0; at < 16; ++at) get_at(fd, block, mib, at * mib);
    for (off_t at = 0; !repaired && at < records; ++at)
        if (lseek(fd, at * 16, SEEK_SET) < 0 || read(fd, block, 16) != 16) err(1, "read");
}

static void small_direct_writes(void)
{
    const int fd = made("out", O_DIRECT);
    const size_t size = repaired ? mib : 4 * kib;
    for (size_t done = 0; done < 16U * mib * (unsigned)scale; done += size) put(fd, block, size);
}

/* All of it, in an order of its own or from the beginning. */
static void random_reads(void)
{
    const int fd = opened("scattered", O_RDONLY);
    const uint64_t pieces = (uint64_t)size_of(fd) / (8 * kib);
    for (uint64_t i = 0; repaired && i < pieces / 128; ++i) get_at(fd, block, mib, (off_t)i * mib);
    for (uint64_t i = 0; !repaired && i < pieces; ++i)
        get_at(fd, block, 8 * kib, (off_t)(i * (i + 1) / 2 % pieces) * 8 * kib);
}

/* Records changed in place, each off the blocks of the file system, which then reads those that it has in
 * part. */
static void off_blocks(void)
{
    const int fd = opened("scattered", O_WRONLY);
    const off_t piece = 128 * kib, pieces = size_of(fd) / piece - 1;
    for (off_t i = 0; i < pieces * scale; ++i)
        if (pwrite(fd, block, (size_t)piece, i * 37 % pieces * piece + (repaired ? 0 : 700)) != piece)
            err(1, "write");
}

/* A field of each record changed in place, in a file that is not in memory: each write has its block read
 * first.
 */
static void fields_changed(void)
{
    const int fd = opened("scattered", O_RDWR);
    const off_t record = 4 * kib, records = size_of(fd) / record;
    const size_t field = 8;
    if (repaired) {
        char* const all = malloc((size_t)(records * record));
        if (all == NULL) err(1, "malloc");
        for (off_t at = 0; at < records * record; at += mib) get_at(fd, all + at, mib, at);
        for (off_t i = 0; i < records; i += 7) memcpy(all + i * record + 128, block, field);
        for (off_t at = 0; at < records * record; at += mib)
            if (pwrite(fd, all + at, mib, at) != mib) err(1, "write");
        free(all);
        return;
    }
    for (off_t i = 0; i < records; i += 7)
        if (pwrite(fd, block, field, i * record + 128) != (ssize_t)field) err(1, "write");
}

static void backward_reads(void)
{
    const int fd = opened("scattered", O_RDONLY);
    const off_t size = size_of(fd), piece = 64 * kib;
    for (off_t at = 0; at < size; at += piece)
        get_at(fd, block, (size_t)piece, repaired ? at : size - piece - at);
}

/* ---- the same data again ---- */

static void read_again(void)
{
    const int fd = opened("constants", O_RDONLY);
    const off_t size = size_of(fd);
    for (int i = 0; i < (repaired ? 1 : 100 * scale); ++i)
        for (off_t at = 0; at < size; at += mib) get_at(fd, block, mib, at);
}

/* Numbers taken apart as they are read, once or for each question. */
static void parsed_again(void)
{
    long counts[16] = {0};
    const int questions = 16;
    for (int question = 0; question < (repaired ? 1 : questions); ++question) {
        const int fd = opened("numbers", O_RDONLY);
        int line = 0;
        for (ssize_t got; (got = read(fd, block, 8 * kib)) > 0;)
            for (ssize_t at = 0; at < got; ++at)
                if (block[at] == '\n')
                    for (int one = 0; one < (repaired ? questions : 1); ++one, line = 0)
                        counts[question + one] += line == question + one;
                else
                    line = (line * 7 + block[at]) % 1009;
        close(fd);
    }
    if (counts[0] < 0) errx(1, "counts");
}

static void written_again(void)
{
    const int fd = made("out", 0);
    for (int i = 0; i < (repaired ? 1 : 40 * scale); ++i)
        for (off_t at = 0; at < 32; ++at)
            if (pwrite(fd, block, mib, at * mib) != mib) err(1, "write");
}

static void updated_in_place(void)
{
    const int fd = opened("constants", O_RDWR);
    const off_t size = size_of(fd);
    char* const all = malloc((size_t)size);
    if (repaired) get_at(fd, all, (size_t)size, 0);
    for (int i = 0; i < 40 * scale; ++i)
        for (off_t at = 0; at < size; at += 256 * kib) {
            if (!repaired) get_at(fd, all + at, 256 * kib, at);
            all[at] ^= 1;
            if (pwrite(fd, all + at, 256 * kib, at) != 256 * kib) err(1, "write");
        }
    free(all);
}

/* ---- files as such ---- */

static const char* numbered(const char* name, int number)
{
    static char path[64];
    snprintf(path, sizeof path, "%s.%d", name, number);
    return path;
}

/* Each part of the result goes through a file of its own, or straight into the result. */
static void through_a_file(void)
{
    enum { part = 4 * mib };
    const int out = made("result", 0);
    for (int i = 0; i < 60 * scale; ++i) {
        if (repaired) {
            for (int at = 0; at < part; at += mib) put(out, block, mib);
            continue;
        }
        const int fd = opened("part", O_RDWR | O_CREAT | O_TRUNC);
        for (int at = 0; at < part; at += mib) put(fd, block, mib);
        for (int at = 0; at < part; at += mib) {
            get_at(fd, block, mib, at);
            put(out, block, mib);
        }
        close(fd);
        if (unlink("part") != 0) err(1, "part");
    }
    close(out);
}

static void stats(void)
{
    struct stat about;
    for (int i = 0; i < (repaired ? 1 : 2000 * scale); ++i)
        for (int file = 0; file < 200; ++file)
            if (stat(numbered("case", file), &about) != 0) err(1, "stat");
}

static void failed_opens(void)
{
    for (int i = 0; i < 100000 * scale; ++i) {
        const int folders = repaired ? 0 : 5;
        for (int folder = 0; folder < folders; ++folder)
            if (open(numbered("lib/none", folder), O_RDONLY) >= 0) errx(1, "there is one");
    }
    close(opened("input", O_RDONLY));
}

static void appends(void)
{
    int fd = -1;
    for (int i = 0; i < 60000 * scale; ++i) {
        if (!repaired || fd < 0) fd = opened("journal", O_WRONLY | O_CREAT | O_APPEND);
        put(fd, block, 3000);
        if (!repaired) close(fd);
    }
}

static void many_files(void)
{
    int fd = -1;
    for (int i = 0; i < 20000 * scale; ++i) {
        if (!repaired || fd < 0) fd = made(numbered("piece", i), 0);
        put(fd, block, 4000);
        if (!repaired) close(fd);
    }
}

/* ---- stdio ---- */

static void characters_got(void)
{
    FILE* const file = stream("input", "r");
    if (repaired)
        while (fread(block, 1, mib, file) > 0) continue;
    else
        while (fgetc(file) != EOF) continue;
    fclose(file);
}

static void characters_put(void)
{
    FILE* const file = stream("out", "w");
    for (int i = 0; i < 20 * scale; ++i) {
        if (repaired && fwrite(block, 1, mib, file) != mib) err(1, "fwrite");
        for (int at = 0; !repaired && at < mib; ++at) fputc(block[at], file);
    }
    fclose(file);
}

static void unbuffered_lines(void)
{
    FILE* const file = stream("out", "w");
    if (!repaired) setvbuf(file, NULL, _IONBF, 0);
    for (int i = 0; i < 600000 * scale; ++i) fprintf(file, "%d\n", i);
    fclose(file);
}

static void flushed_lines(void)
{
    FILE* const file = stream("out", "w");
    for (int i = 0; i < 500000 * scale; ++i) {
        fprintf(file, "step %d\n", i);
        if (!repaired) fflush(file);
    }
    fclose(file);
}

/* libc reads a block anew for each. */
/* Numbers that one process hands to another, one at a time or a page and more. */
static void messages(void)
{
    const size_t number = 16, each = repaired ? 64 * kib : number, all = (size_t)scale * 500000 * number;
    int ends[2];
    if (pipe(ends) != 0) err(1, "pipe");
    const pid_t child = fork();
    if (child < 0) err(1, "fork");
    if (child == 0) {
        size_t received = 0;
        close(ends[1]);
        for (ssize_t got; (got = read(ends[0], block, each)) > 0;) received += (size_t)got;
        _exit(received == all ? 0 : 1);
    }
    close(ends[0]);
    for (size_t sent = 0; sent < all; sent += each)
        put(ends[1], block, all - sent < each ? all - sent : each);
    close(ends[1]);
    int status = 1;
    if (waitpid(child, &status, 0) != child || status != 0) errx(1, "messages are missing");
}

static void random_numbers(void)
{
    const size_t each = repaired ? 8 * kib : 8;
    const int fd = opened("/dev/urandom", O_RDONLY);
    for (size_t had = 0; had < (size_t)scale * 6400000; had += each)
        if (read(fd, block, each) != (ssize_t)each) err(1, "read");
    close(fd);
}

static void seeks_and_reads(void)
{
    FILE* const file = stream("input", "r");
    char record[512];
    for (long at = 0; at < 32L * mib; at += (long)sizeof record) {
        if (!repaired && fseek(file, at, SEEK_SET) != 0) err(1, "fseek");
        if (fread(record, sizeof record, 1, file) != 1) err(1, "fread");
    }
    fclose(file);
}

/* Its time goes into making the text. */
static void formatted_numbers(void)
{
    FILE* const file = stream("out", "w");
    for (int i = 0; i < 1000000 * scale; ++i) fprintf(file, "%.17g %.17g\n", i / 3.0, 1e9 / (i + 1));
    fclose(file);
}

static void scanned_numbers(void)
{
    FILE* const file = stream("numbers", "r");
    double value, sum = 0;
    while (fscanf(file, "%lf", &value) == 1) sum += value;
    fclose(file);
    if (sum < 0) errx(1, "numbers");
}

/* ---- stable storage ---- */

static void synced_writes(void)
{
    const int fd = made("out", 0);
    for (int i = 0; i < 300 * scale; ++i) {
        put(fd, block, 64 * kib);
        if (!repaired) synced(fdatasync(fd));
    }
    synced(fsync(fd));
}

static void opened_for_sync(int flags)
{
    const int fd = made("out", repaired ? 0 : flags);
    for (int i = 0; i < 300 * scale; ++i) put(fd, block, 16 * kib);
    synced(fsync(fd));
}
static void o_sync(void)
{
    opened_for_sync(O_SYNC);
}
static void o_dsync(void)
{
    opened_for_sync(O_DSYNC);
}

static void rwf_dsync(void)
{
    const int fd = made("out", 0);
    for (int i = 0; i < 300 * scale; ++i) {
        const struct iovec piece = {block, 16 * kib};
        if (pwritev2(fd, &piece, 1, -1, repaired ? 0 : RWF_DSYNC) != 16 * kib) err(1, "write");
    }
    synced(fsync(fd));
}

static void synced_files(void)
{
    int fd = -1;
    for (int i = 0; i < 200 * scale; ++i) {
        fd = made(numbered("piece", i), 0);
        put(fd, block, 16 * kib);
        if (!repaired) synced(fsync(fd));
        if (i + 1 < 200 * scale) close(fd);
    }
    synced(syncfs(fd));
}

static void synced_folder(void)
{
    const int folder = opened(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 200 * scale; ++i) {
        close(made(numbered("piece", i), 0));
        if (!repaired) synced(fsync(folder));
    }
    synced(fsync(folder));
}

/* ---- mappings ---- */

static void mapped_random_reads(void)
{
    const int fd = opened("scattered", O_RDONLY);
    const off_t size = size_of(fd);
    char* const map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) err(1, "mmap");
    uint64_t sum = 0;
    if (repaired)
        for (off_t at = 0; at < size; at += mib) get_at(fd, block, mib, at);
    else
        madvise(map, (size_t)size, MADV_RANDOM);
    for (int i = 0; i < 6000 * scale; ++i) sum += (uint64_t)map[random_below((uint64_t)size)];
    if (sum == 1) errx(1, "map");
}

static void synced_mapping(void)
{
    const int fd = opened("out", O_RDWR | O_CREAT | O_TRUNC);
    if (ftruncate(fd, 2 * mib) != 0) err(1, "out");
    char* const map = mmap(NULL, 2 * mib, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) err(1, "mmap");
    for (int at = 0; at < 300 * scale; ++at) {
        char* const page = map + at % 512 * 4 * kib;
        ++*page;
        if (!repaired) synced(msync(page, 4 * kib, MS_SYNC));
    }
    synced(msync(map, 2 * mib, MS_SYNC));
}

/* ---- threads and processes ---- */

static void* write_a_file(void* number)
{
    const int fd = made(numbered("thread", *(const int*)number), 0);
    const size_t size = repaired ? mib : 128;
    for (size_t done = 0; done < 8U * mib * (unsigned)scale; done += size) put(fd, block, size);
    return NULL;
}

static void small_writes_of_threads(void)
{
    pthread_t threads[8];
    int numbers[8];
    for (int i = 0; i < 8; ++i) numbers[i] = i;
    for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, write_a_file, &numbers[i]);
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
}

/* Nothing is wrong: the main thread computes while another writes. */
static void* write_and_sync(void* unused)
{
    (void)unused;
    const int fd = made("out", 0);
    for (int i = 0; i < 32; ++i) put(fd, block, mib);
    synced(fdatasync(fd));
    close(fd);
    return NULL;
}
static void thread_writes(void)
{
    for (int i = 0; i < 5; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, write_and_sync, NULL);
        compute(0.3);
        pthread_join(thread, NULL);
    }
}

static void contended_lock(void)
{
    for (int process = 0; process < 4; ++process) {
        if (fork() != 0) continue;
        const int fd = opened("table", O_RDWR | O_CREAT);
        for (int i = 0; i < 20 * scale; ++i) {
            if (!repaired && flock(fd, LOCK_EX) != 0) err(1, "flock");
            if (pwrite(fd, block, 64 * kib, (off_t)process * mib) != 64 * kib) err(1, "write");
            usleep(5000);
            if (!repaired && flock(fd, LOCK_UN) != 0) err(1, "flock");
        }
        exit(0);
    }
    for (int status; wait(&status) > 0;)
        if (status != 0) errx(1, "a process failed");
}

/* A process for each part, whose file is waited for. */
static void waited_for_files(void)
{
    for (int part = 0; part < 8 * scale; ++part) {
        const pid_t maker = fork();
        if (maker == 0) {
            compute(0.03);
            close(made("part.new", 0));
            _exit(rename("part.new", numbered("part", part)) == 0 ? 0 : 1);
        }
        if (!repaired)
            while (access(numbered("part", part), R_OK) != 0) usleep(200000);
        int status = 0;
        if (waitpid(maker, &status, 0) != maker || status != 0) errx(1, "a process failed");
    }
}

/* A lock is tried again and again, or waited for. */
static void tried_lock(void)
{
    const int fd = made("lock", 0);
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET},
                 none = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    for (int worker = 0; worker < 2; ++worker)
        if (fork() == 0) {
            for (int turn = 0; turn < 10 * scale; ++turn) {
                if (repaired && fcntl(fd, F_SETLKW, &all) != 0) err(1, "lock");
                while (!repaired && fcntl(fd, F_SETLK, &all) != 0) usleep(200000);
                compute(0.02);
                if (fcntl(fd, F_SETLK, &none) != 0) err(1, "lock");
                compute(0.02);
            }
            _exit(0);
        }
    for (int worker = 0, status = 0; worker < 2; ++worker)
        if (wait(&status) < 0 || status != 0) errx(1, "a process failed");
}

/* A state that is kept at each step, or at the end. */
static void state_each_step(void)
{
    for (int step = 0; step < 100 * scale; ++step) {
        if (repaired && step < 100 * scale - 1) continue;
        const int fd = made("state", O_TRUNC);
        for (int at = 0; at < 8; ++at) put(fd, block, mib);
        close(fd);
    }
}

/* A file that would stop the program is looked for in each step. */
static void asked_to_stop(void)
{
    for (int step = 0; step < 400000 * scale; ++step)
        if ((!repaired || step % 1000 == 0) && access("stop", F_OK) == 0) errx(1, "stopped");
    close(opened("input", O_RDONLY));
}

static void lengths_set(void)
{
    const int fd = made("records", 0);
    for (int i = 0; i < 150000 * scale; ++i) {
        if (!repaired && ftruncate(fd, (off_t)(i + 1) * 200) != 0) err(1, "ftruncate");
        if (repaired && i % 5000 != 0) continue;
        const size_t n = repaired ? 5000 * 200 : 200;
        if (pwrite(fd, block, n, (off_t)i * 200) != (ssize_t)n) err(1, "write");
    }
}

static const struct {
    const char* name;
    void (*run)(void);
} twins[] = {{"small_writes", small_writes},
             {"small_reads", small_reads},
             {"looked_up", looked_up},
             {"small_direct_writes", small_direct_writes},
             {"random_reads", random_reads},
             {"off_blocks", off_blocks},
             {"fields_changed", fields_changed},
             {"backward_reads", backward_reads},
             {"read_again", read_again},
             {"parsed_again", parsed_again},
             {"written_again", written_again},
             {"updated_in_place", updated_in_place},
             {"through_a_file", through_a_file},
             {"stats", stats},
             {"failed_opens", failed_opens},
             {"appends", appends},
             {"many_files", many_files},
             {"characters_got", characters_got},
             {"characters_put", characters_put},
             {"unbuffered_lines", unbuffered_lines},
             {"flushed_lines", flushed_lines},
             {"messages", messages},
             {"random_numbers", random_numbers},
             {"seeks_and_reads", seeks_and_reads},
             {"formatted_numbers", formatted_numbers},
             {"scanned_numbers", scanned_numbers},
             {"synced_writes", synced_writes},
             {"o_sync", o_sync},
             {"o_dsync", o_dsync},
             {"rwf_dsync", rwf_dsync},
             {"synced_files", synced_files},
             {"synced_folder", synced_folder},
             {"mapped_random_reads", mapped_random_reads},
             {"synced_mapping", synced_mapping},
             {"small_writes_of_threads", small_writes_of_threads},
             {"thread_writes", thread_writes},
             {"contended_lock", contended_lock},
             {"waited_for_files", waited_for_files},
             {"tried_lock", tried_lock},
             {"state_each_step", state_each_step},
             {"asked_to_stop", asked_to_stop},
             {"lengths_set", lengths_set}};

int main(int count, char** arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: %s NAME faulty|repaired [SCALE]\n", arguments[0]);
        for (size_t i = 0; i < sizeof twins / sizeof *twins; ++i) fprintf(stderr, "  %s\n", twins[i].name);
        return 2;
    }
    repaired = strcmp(arguments[2], "repaired") == 0;
    if (count > 3) scale = atoi(arguments[3]);
    if (posix_memalign((void**)&block, 4 * kib, mib) != 0) err(1, "memory");
    memset(block, 'x', mib);
    for (size_t i = 0; i < sizeof twins / sizeof *twins; ++i)
        if (strcmp(arguments[1], twins[i].name) == 0) {
            compute(0.25);
            twins[i].run();
            compute(0.25);
            return 0;
        }
    errx(2, "%s: there is no such twin", arguments[1]);
}
