/* The same as twins.c for MPI jobs.
 *
 * usage: mpi_twins NAME faulty|repaired [SCALE]      (in a folder with its inputs; see tests/e2e/twins.py)
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kib = 1 << 10, mib = 1 << 20, bulk = 16 * mib };

static bool repaired;
static int scale = 1, rank, ranks;
static char* block; /* of `bulk` bytes */

static void check(int code)
{
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* It must not take a core from the other ranks. */
static void compute(double seconds)
{
    const struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

/* Waits without taking a core either. */
static void together(void)
{
    MPI_Request request;
    int done = 0;
    check(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    while (check(MPI_Test(&request, &done, MPI_STATUS_IGNORE)), !done) compute(0.0005);
}

static int opened(const char* name, int number, int flags)
{
    char path[64];
    snprintf(path, sizeof path, number < 0 ? "%s" : "%s.%d", name, number);
    const int fd = open(path, flags, 0644);
    if (fd < 0) err(1, "%s", path);
    return fd;
}
static void put_at(int fd, size_t size, off_t at)
{
    if (pwrite(fd, block, size, at) != (ssize_t)size) err(1, "write");
}

static MPI_File opened_by_all(const char* name)
{
    MPI_File file;
    check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    return file;
}

/* Rank 0 looks at thousands of files, or a list of them, while the others wait. */
static void first_rank_looks(void)
{
    if (rank == 0)
        for (int i = 0; i < (repaired ? 1 : 3000 * scale); ++i)
            for (int file = 0; file < 100; ++file) {
                char path[64];
                snprintf(path, sizeof path, "case.%d", file);
                if (access(path, R_OK) != 0) err(1, "%s", path);
            }
    together();
}

/* Rank 0 reads the input in small pieces while the others wait. */
static void first_rank_reads(void)
{
    if (rank == 0) {
        const int fd = opened("input", -1, O_RDONLY);
        const size_t size = repaired ? mib : 100;
        while (read(fd, block, size) > 0) continue;
        close(fd);
    }
    together();
}

/* Rank 0 writes for all, or each writes its own part. */
static void first_rank_writes(void)
{
    const int fd = opened("out", -1, O_RDWR | O_CREAT);
    for (int step = 0; step < 10 * scale; ++step) {
        const off_t at = (off_t)step * ranks * bulk;
        if (repaired)
            put_at(fd, bulk, at + (off_t)rank * bulk);
        else if (rank == 0)
            for (int of = 0; of < ranks; ++of) {
                if (of != 0) check(MPI_Recv(block, bulk, MPI_BYTE, of, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                put_at(fd, bulk, at + (off_t)of * bulk);
            }
        else
            check(MPI_Send(block, bulk, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
    }
    close(fd);
    together();
}

/* One rank has four times as much, or all have as much. */
static void uneven_bytes(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC), parts = ranks + 6;
    enum { part = 4 * mib };
    const int mine = repaired ? parts / ranks : rank == 1 ? 7 : 1;
    for (int i = 0; i < 20 * mine * scale; ++i) put_at(fd, part, (off_t)i * part);
    close(fd);
    together();
}

/* All open the file of each, or each its own. */
static void opened_together(void)
{
    for (int step = 0; step < 50 * scale; ++step)
        for (int of = repaired ? rank : 0; of < (repaired ? rank + 1 : ranks); ++of) {
            char path[64];
            MPI_File file;
            snprintf(path, sizeof path, "bank.%d.%d", step, of);
            check(MPI_File_open(repaired ? MPI_COMM_SELF : MPI_COMM_WORLD, path,
                                MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
            if (of == rank) check(MPI_File_write_at(file, 0, block, 64 << 10, MPI_BYTE, MPI_STATUS_IGNORE));
            check(MPI_File_close(&file));
        }
    together();
}

/* All write as much; one does it in small pieces. */
static void one_rank_in_pieces(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC);
    const size_t size = rank == 2 && !repaired ? 100 : mib;
    for (size_t at = 0; at + size <= 32U * mib * (unsigned)scale; at += size) put_at(fd, size, (off_t)at);
    close(fd);
    together();
}

static void one_rank_syncs(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC);
    for (int i = 0; i < 100 * scale; ++i) {
        put_at(fd, mib, (off_t)i * mib);
        if (rank == 1 && !repaired && fsync(fd) != 0) err(1, "fsync");
    }
    close(fd);
    together();
}

/* Pieces of a KiB of all ranks in turn: each by a call of its own, or together. */
static void independent_pieces(void)
{
    MPI_File file = opened_by_all("field");
    enum { pieces = 4096 };
    if (repaired) {
        MPI_Datatype every;
        check(MPI_Type_vector(pieces, kib, kib * ranks, MPI_BYTE, &every));
        check(MPI_Type_commit(&every));
        check(MPI_File_set_view(file, rank * kib, MPI_BYTE, every, "native", MPI_INFO_NULL));
        for (int i = 0; i < 10 * scale; ++i)
            check(MPI_File_write_all(file, block, pieces * kib, MPI_BYTE, MPI_STATUS_IGNORE));
        MPI_Type_free(&every);
    } else
        for (MPI_Offset i = 0; i < 10 * pieces * scale; ++i)
            check(MPI_File_write_at(file, (i * ranks + rank) * kib, block, kib, MPI_BYTE, MPI_STATUS_IGNORE));
    check(MPI_File_close(&file));
}

/* Collective calls of a KiB, or one of all that there is. */
static void small_collectives(void)
{
    MPI_File file = opened_by_all("field");
    const int size = repaired ? mib : kib;
    for (MPI_Offset i = 0; i < 4 * mib / size * scale; ++i)
        check(
            MPI_File_write_at_all(file, (i * ranks + rank) * size, block, size, MPI_BYTE, MPI_STATUS_IGNORE));
    check(MPI_File_close(&file));
}

/* Room for a file that is then written, or its length alone. */
static void preallocated(void)
{
    MPI_File file = opened_by_all("field");
    const MPI_Offset each = (MPI_Offset)96 * mib * scale;
    check(repaired ? MPI_File_set_size(file, each * ranks) : MPI_File_preallocate(file, each * ranks));
    for (MPI_Offset at = 0; at < each; at += mib)
        check(MPI_File_write_at(file, rank * each + at, block, mib, MPI_BYTE, MPI_STATUS_IGNORE));
    check(MPI_File_close(&file));
}

/* A view for each row, or one for all rows. */
static void views(void)
{
    MPI_File file = opened_by_all("field");
    MPI_Datatype row;
    check(MPI_Type_create_resized(MPI_BYTE, 0, 1, &row));
    check(MPI_Type_commit(&row));
    for (MPI_Offset i = 0; i < 2000 * scale; ++i) {
        const MPI_Offset at = (i * ranks + rank) * kib;
        if (!repaired) check(MPI_File_set_view(file, at, MPI_BYTE, row, "native", MPI_INFO_NULL));
        check(MPI_File_write_at_all(file, repaired ? at : 0, block, kib, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    check(MPI_Type_free(&row));
    check(MPI_File_close(&file));
}

/* Each rank reads all of the input, or one does and sends it. */
static void all_read_the_same(void)
{
    for (int i = 0; i < 4 * scale; ++i) {
        const int fd = opened("input", -1, O_RDONLY);
        for (off_t at = 0; at < 64 * mib; at += bulk) {
            if ((!repaired || rank == 0) && pread(fd, block, bulk, at) != bulk) err(1, "read");
            if (repaired) check(MPI_Bcast(block, bulk, MPI_BYTE, 0, MPI_COMM_WORLD));
        }
        close(fd);
    }
    together();
}

/* Each writes a part, which the first one copies into one file; or all write that file. */
static void merged_parts(void)
{
    const int parts = 8 * scale;
    const off_t own = (off_t)parts * bulk;
    const int fd =
        repaired ? opened("all", -1, O_RDWR | O_CREAT) : opened("part", rank, O_RDWR | O_CREAT | O_TRUNC);
    for (int i = 0; i < parts; ++i) put_at(fd, bulk, (repaired ? rank * own : 0) + (off_t)i * bulk);
    close(fd);
    together();
    if (!repaired && rank == 0) {
        const int all = opened("all", -1, O_RDWR | O_CREAT);
        for (int of = 0; of < ranks; ++of) {
            const int part = opened("part", of, O_RDONLY);
            for (int i = 0; i < parts; ++i) {
                if (pread(part, block, bulk, (off_t)i * bulk) != bulk) err(1, "read");
                put_at(all, bulk, of * own + (off_t)i * bulk);
            }
            close(part);
        }
        close(all);
    }
    together();
}

/* Lines of events, each where the last rank left off, or those of a rank together. */
static void shared_pointer(void)
{
    enum { line = 64, lines = 40000 };
    MPI_File file = opened_by_all("events");
    const int times = repaired ? 1 : lines * scale, count = repaired ? line * lines * scale : line;
    char* const text = malloc((size_t)count);
    if (text == NULL) err(1, "memory");
    memset(text, 'x', (size_t)count);
    for (int i = 0; i < times; ++i)
        check(repaired ? MPI_File_write_at(file, (MPI_Offset)rank * count, text, count, MPI_BYTE,
                                           MPI_STATUS_IGNORE)
                       : MPI_File_write_shared(file, text, count, MPI_BYTE, MPI_STATUS_IGNORE));
    free(text);
    check(MPI_File_close(&file));
}

/* Ranks compute, then write all at once, or write while they compute. */
static void bursts(void)
{
    enum { parts = 8 };
    MPI_File file = opened_by_all("field");
    MPI_Request requests[parts];
    MPI_Status statuses[parts];
    for (int i = 0; i < parts; ++i) requests[i] = MPI_REQUEST_NULL;
    for (int step = 0; step < 6; ++step) {
        compute(0.15);
        check(MPI_Waitall(parts, requests, statuses));
        for (int i = 0; i < parts; ++i) {
            const MPI_Offset at = ((MPI_Offset)i * ranks + rank) * bulk;
            check(repaired ? MPI_File_iwrite_at(file, at, block, bulk, MPI_BYTE, &requests[i])
                           : MPI_File_write_at(file, at, block, bulk, MPI_BYTE, MPI_STATUS_IGNORE));
        }
    }
    check(MPI_Waitall(parts, requests, statuses));
    check(MPI_File_close(&file));
}

/* Ranks write in pieces one after the other, as where a file has an order, or each at its place by one call.
 */
static void turns(void)
{
    const int fd = opened("report", -1, O_RDWR | O_CREAT);
    enum { size = 5 * mib };
    for (int step = 0; step < 4 * scale; ++step) {
        const off_t from = ((off_t)step * ranks + rank) * size;
        for (int turn = 0; turn < (repaired ? 1 : ranks); ++turn) {
            if (repaired)
                put_at(fd, size, from);
            else if (turn == rank)
                for (off_t at = 0; at < size; at += 80) put_at(fd, 80, from + at);
            check(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
    close(fd);
}

/* In each step another rank has most to write, or all have as much; the sums are even. */
static void uneven_by_turns(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC);
    enum { part = 4 * mib };
    for (int step = 0; step < 6 * ranks * scale; ++step) {
        const int parts = repaired ? 6 : step % ranks == rank ? 6 * ranks - (ranks - 1) : 1;
        for (int i = 0; i < parts; ++i) put_at(fd, part, (off_t)i * part);
        together();
        compute(0.01);
    }
    close(fd);
}

/* In each step another rank writes its part in small pieces, or none does. */
static void pieces_by_turns(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC);
    enum { part = 2 * mib };
    for (int step = 0; step < 10 * ranks * scale; ++step) {
        const size_t size = !repaired && step % ranks == rank ? 64 : part;
        for (size_t at = 0; at < part; at += size) put_at(fd, size, (off_t)at);
        together();
    }
    close(fd);
}

/* Turns of a few milliseconds, some hundreds of them. */
static void short_turns(void)
{
    const int fd = opened("report", -1, O_RDWR | O_CREAT);
    enum { size = 256 * kib };
    for (int step = 0; step < 60 * scale; ++step) {
        const off_t from = ((off_t)step * ranks + rank) * size;
        for (int turn = 0; turn < (repaired ? 1 : ranks); ++turn) {
            if (repaired)
                put_at(fd, size, from);
            else if (turn == rank)
                for (off_t at = 0; at < size; at += 64) put_at(fd, 64, from + at);
            check(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
    close(fd);
}

/* One rank writes to a device that is slow: in a control group that tests/e2e/twins.py makes. */
static void slow_device(void)
{
    if (rank == 1 && !repaired) {
        const int group = opened("group", -1, O_WRONLY);
        if (dprintf(group, "%d\n", (int)getpid()) < 0) err(1, "group");
        close(group);
    }
    void* aligned;
    if (posix_memalign(&aligned, 4 * kib, mib) != 0) err(1, "memory");
    memset(aligned, 'x', mib);
    const int fd = opened("part", rank, O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT);
    for (int step = 0; step < 5 * scale; ++step) {
        for (int i = 0; i < 8; ++i)
            if (write(fd, aligned, mib) != mib) err(1, "write");
        together();
    }
    close(fd);
    free(aligned);
}

/* Nothing is wrong: one rank computes more, the I/O is even. */
static void uneven_computing(void)
{
    const int fd = opened("state", rank, O_RDWR | O_CREAT | O_TRUNC);
    for (int step = 0; step < 10; ++step) {
        compute(rank == 1 ? 0.15 : 0.02);
        put_at(fd, bulk, (off_t)(step % 2) * bulk);
        together();
    }
    close(fd);
}

static const struct {
    const char* name;
    void (*run)(void);
} twins[] = {{"first_rank_looks", first_rank_looks},
             {"first_rank_reads", first_rank_reads},
             {"first_rank_writes", first_rank_writes},
             {"opened_together", opened_together},
             {"uneven_bytes", uneven_bytes},
             {"one_rank_in_pieces", one_rank_in_pieces},
             {"one_rank_syncs", one_rank_syncs},
             {"independent_pieces", independent_pieces},
             {"small_collectives", small_collectives},
             {"preallocated", preallocated},
             {"views", views},
             {"all_read_the_same", all_read_the_same},
             {"merged_parts", merged_parts},
             {"shared_pointer", shared_pointer},
             {"bursts", bursts},
             {"turns", turns},
             {"uneven_by_turns", uneven_by_turns},
             {"pieces_by_turns", pieces_by_turns},
             {"short_turns", short_turns},
             {"slow_device", slow_device},
             {"uneven_computing", uneven_computing}};

int main(int count, char** arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (count < 3) errx(2, "usage: %s NAME faulty|repaired [SCALE]", arguments[0]);
    repaired = strcmp(arguments[2], "repaired") == 0;
    if (count > 3) scale = atoi(arguments[3]);
    block = malloc(bulk);
    if (block == NULL) err(1, "memory");
    memset(block, 'x', bulk);
    for (size_t i = 0; i < sizeof twins / sizeof *twins; ++i)
        if (strcmp(arguments[1], twins[i].name) == 0) {
            compute(0.25);
            twins[i].run();
            compute(0.25);
            MPI_Finalize();
            return 0;
        }
    errx(2, "%s: there is no such twin", arguments[1]);
}
