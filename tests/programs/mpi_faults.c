/* The same as faults.c for MPI jobs: ranks that share files, unevenly or in pieces that are too small, and
 * jobs that do well. A row of `faults` is one. */
#define _GNU_SOURCE
#include <mpi.h>

#include "faults.h"

enum { slow_rank = 1, piece = kib, pieces = 64 };

static int file = -1;
static off_t at;
static MPI_File shared;

static void check(int code, const char* what)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The longest of what ranks say. Waits without taking a core from those that still work. */
static double longest(double seconds)
{
    double most = seconds;
    MPI_Request request;
    int done = 0;
    check(MPI_Iallreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request), "agreement");
    for (;;) {
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "agreement");
        if (done) return most;
        compute(0.0002);
    }
}

/* ---- files of ranks, and files they share, without MPI-IO ---- */

static void begin_own(void)
{
    file = open_path(path_of_number("state", rank), O_RDWR | O_CREAT | O_TRUNC);
}

static void begin_shared(void)
{
    file = open_path(path_of("shared"), O_RDWR | O_CREAT);
}

/* Blocks of all ranks in turn, none of which begins or ends where one of the file system does. */
static void write_misaligned(void)
{
    const size_t size = mib + 1001;
    all(pwrite(file, memory, size, 77 + (at++ * ranks + rank) * (off_t)size), size);
    did_write(size);
}

static void write_own(void)
{
    all(pwrite(file, memory, mib, at), mib);
    at += mib;
    did_write(mib);
}

/* A segment of 16 GiB for each. */
static void write_segment(void)
{
    all(pwrite(file, memory, mib, rank * (off_t)16384 * mib + at), mib);
    at += mib;
    did_write(mib);
}

/* Each reads all of the same file, and once that is done, again. */
static void begin_reading_all(void)
{
    file = open_path(path_of("common"), O_RDONLY);
}

static void read_as_all_do(void)
{
    const ssize_t size = pread(file, memory, mib, at);
    if (size < 0) err(1, "common");
    at = size < mib ? 0 : at + size;
    did_read((size_t)size);
    if (rank == 0 && mine.distinct < (uint64_t)at) mine.distinct = (uint64_t)at;
}

/* ---- one rank and the others ---- */

/* All write as much; the slow one wants every piece on stable storage. */
static void one_syncs(void)
{
    all(pwrite(file, memory, mib, at), mib);
    at += mib;
    did_write(mib);
    if (rank != slow_rank) return;
    for (int i = 0; i < 3; ++i) {
        if (fdatasync(file) != 0) err(1, "fdatasync");
        ++mine.operations;
    }
}

/* All write as much; the slow one does it in small pieces. */
static void one_writes_pieces(void)
{
    const size_t size = rank == slow_rank ? 64 : mib;
    for (size_t done = 0; done < mib; done += size) {
        all(pwrite(file, memory, size, at + (off_t)done), size);
        did_write(size);
    }
    at += mib;
}

static void one_writes_more(void)
{
    for (int i = 0; i < (rank == slow_rank ? 8 : 1); ++i) write_own();
}

static void begin_collecting(void)
{
    if (rank == 0) file = open_path(path_of("collected"), O_RDWR | O_CREAT | O_TRUNC);
}

/* Rank 0 gets a block of each and writes it. */
static void collect(void)
{
    if (rank != 0) {
        check(MPI_Send(memory, mib, MPI_BYTE, 0, 0, MPI_COMM_WORLD), "send");
        return;
    }
    for (int of = 0; of < ranks; ++of) {
        if (of != 0)
            check(MPI_Recv(memory, mib, MPI_BYTE, of, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive");
        const double start = now();
        write_own();
        if (of != 0) mine.needless += now() - start;
    }
}

/* ---- MPI-IO ---- */

static void open_mpi(MPI_Info info, int flags)
{
    check(MPI_File_open(MPI_COMM_WORLD, path_of("field"), flags, info, &shared), "field");
}

static void begin_mpi(void)
{
    open_mpi(MPI_INFO_NULL, MPI_MODE_RDWR | MPI_MODE_CREATE);
}

/* Small pieces of all ranks in turn, each by a call of its own. */
static void independent_writes(void)
{
    for (int i = 0; i < pieces; ++i, ++at) {
        check(MPI_File_write_at(shared, (at * ranks + rank) * piece, memory, piece, MPI_BYTE,
                                MPI_STATUS_IGNORE),
              "write");
        did_write(piece);
    }
}

static void begin_independent_reads(void)
{
    check(MPI_File_open(MPI_COMM_WORLD, path_of("large"), MPI_MODE_RDONLY, MPI_INFO_NULL, &shared), "large");
}

static void independent_reads(void)
{
    for (int i = 0; i < pieces; ++i, ++at) {
        check(
            MPI_File_read_at(shared, (at * ranks + rank) * piece, memory, piece, MPI_BYTE, MPI_STATUS_IGNORE),
            "read");
        did_read(piece);
    }
}

static void collective(size_t size)
{
    check(MPI_File_write_at_all(shared, (at++ * ranks + rank) * (off_t)size, memory, (int)size, MPI_BYTE,
                                MPI_STATUS_IGNORE),
          "write");
    did_write(size);
}

static void collective_writes(void)
{
    collective(2 * mib);
}

static void independent_blocks(void)
{
    check(MPI_File_write_at(shared, (at++ * ranks + rank) * (off_t)(2 * mib), memory, 2 * mib, MPI_BYTE,
                            MPI_STATUS_IGNORE),
          "write");
    did_write(2 * mib);
}

/* Hints that spoil collective buffering: every rank aggregates, in buffers of some pages. */
static void begin_small_buffers(void)
{
    MPI_Info info;
    check(MPI_Info_create(&info), "hints");
    MPI_Info_set(info, "cb_buffer_size", "32768");
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "cb_config_list", "*:*");
    open_mpi(info, MPI_MODE_RDWR | MPI_MODE_CREATE);
    MPI_Info_free(&info);
}

static void spoiled_collective_writes(void)
{
    collective(64 * kib);
}

/* Every second KiB of a region of one's own, in one independent call: ROMIO reads, changes and writes it. */
static void begin_holes(void)
{
    MPI_Datatype every_second;
    MPI_Info info;
    check(MPI_Info_create(&info), "hints");
    MPI_Info_set(info, "romio_ds_write", "enable");
    open_mpi(info, MPI_MODE_RDWR | MPI_MODE_CREATE);
    check(MPI_Type_vector(512, kib, 2 * kib, MPI_BYTE, &every_second), "type");
    check(MPI_Type_commit(&every_second), "type");
    check(MPI_File_set_view(shared, rank * (MPI_Offset)4096 * mib, MPI_BYTE, every_second, "native", info),
          "view");
    MPI_Type_free(&every_second);
    MPI_Info_free(&info);
}

static void write_with_holes(void)
{
    check(MPI_File_write_at(shared, at, memory, 512 * kib, MPI_BYTE, MPI_STATUS_IGNORE), "write");
    at += 512 * kib;
    did_write(512 * kib);
}

static const struct fault faults[] = {
    {"misaligned", NOTHING, begin_shared, .once = write_misaligned},
    {"every_rank_reads", REPEATS, begin_reading_all, .once = read_as_all_do},
    {"one_rank_syncs", SLOW_RANK, begin_own, .once = one_syncs, .together = true},
    {"one_rank_writes_pieces", SLOW_RANK, begin_own, .once = one_writes_pieces, .together = true},
    {"one_rank_writes_more", IMBALANCE, begin_own, .once = one_writes_more, .together = true},
    {"one_rank_writes_all", MEASURED, begin_collecting, .once = collect, .together = true, .by_first = true,
     .waits = true},
    {"independent_writes", SLOW_BYTES, begin_mpi, .once = independent_writes},
    {"independent_reads", SLOW_BYTES, begin_independent_reads, .once = independent_reads},
    {"small_buffers", SLOW_BYTES, begin_small_buffers, .once = spoiled_collective_writes, .together = true},
    {"holes", SLOW_BYTES, begin_holes, .once = write_with_holes},
    {"bursts", ALL, begin_own, .once = write_own, .steps = 7, .at_once = true},
    {"own_files_well", NOTHING, begin_own, .once = write_own},
    {"segments_well", NOTHING, begin_shared, .once = write_segment},
    {"collective_well", NOTHING, begin_mpi, .once = collective_writes, .together = true},
    {"independent_well", NOTHING, begin_mpi, .once = independent_blocks},
};

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double began = now();
    parse(argc, argv, faults, sizeof faults / sizeof *faults);
    options.random += (uint64_t)rank << 32;
    memory = malloc(healthy_block);
    if (memory == NULL) err(1, "memory");
    memset(memory, 'x', healthy_block);
    run(longest);
    if (shared != NULL) check(MPI_File_close(&shared), "close");

    struct account sum = mine, slowest = mine;
    MPI_Reduce(&mine.in_fault, &sum.in_fault, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine.in_fault, &slowest.in_fault, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine.bytes_read, &sum.bytes_read, 6, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) say(&sum, &slowest, began);
    MPI_Finalize();
    return 0;
}
