/* Ranks that use HDF5 with a fault, and the same work with the change that the report advises.
 *
 * usage: mpirun -n N hdf5_mpi_twins collective_metadata faulty|repaired [SCALE]      (in a folder of its own;
 * see tests/e2e/twins.py)
 */
#define _GNU_SOURCE
#include <hdf5.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool repaired;
static int rank, scale = 1;

/* A file system with one server, which the ranks of all nodes share: it takes so many nanoseconds for each
 * request, and answers them one after the other. Beneath MPI-IO, where this program's functions stand in
 * front of all others. */
enum { of_request = 100000 };
static atomic_uint_least64_t* free_from; /* when it has answered those that wait */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void ask_server(void)
{
    if (free_from == NULL) return;
    uint64_t known = atomic_load(free_from), end;
    do {
        const uint64_t at = now();
        end = (known > at ? known : at) + of_request;
    } while (!atomic_compare_exchange_weak(free_from, &known, end));
    const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

ssize_t pread(int fd, void* data, size_t size, off_t offset)
{
    ask_server();
    return syscall(SYS_pread64, fd, data, size, offset);
}

static void start_server(MPI_Win* window)
{
    void* place = NULL;
    MPI_Aint size;
    int unit;
    MPI_Win_allocate_shared(rank == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, window);
    MPI_Win_shared_query(*window, 0, &size, &unit, &place);
    free_from = place;
    if (rank == 0) atomic_store(free_from, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What HDF5 says went wrong it has printed itself. */
static hid_t good(hid_t id)
{
    if (id < 0) MPI_Abort(MPI_COMM_WORLD, 1);
    return id;
}

static void compute(double seconds)
{
    const double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end) continue;
}

static void name_of(char* name, size_t room, int number)
{
    snprintf(name, room, "variable%06d", number);
}

/* A file of so many small datasets, with a text each that says of what unit they are. */
static void make_file(const char* path, int number)
{
    const hsize_t extent[1] = {8};
    const double values[8] = {0};
    const hid_t file = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
                space = good(H5Screate_simple(1, extent, NULL)), scalar = good(H5Screate(H5S_SCALAR)),
                text = good(H5Tcopy(H5T_C_S1));
    good(H5Tset_size(text, 8));
    for (int at = 0; at < number; ++at) {
        char name[32];
        name_of(name, sizeof name, at);
        const hid_t set =
            good(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const hid_t attribute = good(H5Acreate2(set, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT));
        good(H5Awrite(attribute, text, "kelvin\0"));
        good(H5Aclose(attribute));
        good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
        good(H5Dclose(set));
    }
    good(H5Tclose(text));
    good(H5Sclose(scalar));
    good(H5Sclose(space));
    good(H5Fclose(file));
}

/* Properties with which one rank reads what describes the objects, and sends it to the others. */
static hid_t together(hid_t class)
{
    const hid_t list = good(H5Pcreate(class));
    if (repaired) good(H5Pset_all_coll_metadata_ops(list, true));
    return list;
}

/* All ranks open all datasets of a file, and each reads for itself where they lie and what their units are;
 * repaired: one rank reads that, and sends it to the others. HDF5 1.10.5 to 1.10.8 does so by the lists of
 * the objects alone, others by that of the file. */
static void collective_metadata(void)
{
    const int number = 2000 * scale;
    if (rank == 0) make_file("variables.h5", number);
    MPI_Barrier(MPI_COMM_WORLD);
    compute(0.25);
    const hid_t access = together(H5P_FILE_ACCESS), of_dataset = together(H5P_DATASET_ACCESS),
                of_attribute = together(H5P_ATTRIBUTE_ACCESS);
    good(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
    if (repaired) good(H5Pset_coll_metadata_write(access, true));
    MPI_Win server;
    start_server(&server);
    const hid_t file = good(H5Fopen("variables.h5", H5F_ACC_RDONLY, access));
    for (int at = 0; at < number; ++at) {
        char name[32];
        name_of(name, sizeof name, at);
        const hid_t set = good(H5Dopen2(file, name, of_dataset)),
                    attribute = good(H5Aopen(set, "unit", of_attribute)), text = good(H5Aget_type(attribute));
        char unit[8];
        good(H5Aread(attribute, text, unit));
        good(H5Tclose(text));
        good(H5Aclose(attribute));
        good(H5Dclose(set));
    }
    good(H5Fclose(file));
    free_from = NULL;
    MPI_Win_free(&server);
    good(H5Pclose(of_attribute));
    good(H5Pclose(of_dataset));
    good(H5Pclose(access));
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3 || strcmp(argv[1], "collective_metadata") != 0) {
        fputs("usage: hdf5_mpi_twins collective_metadata faulty|repaired [SCALE]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    repaired = strcmp(argv[2], "repaired") == 0;
    if (argc > 3) scale = atoi(argv[3]);
    compute(0.25);
    collective_metadata();
    MPI_Finalize();
    return 0;
}
