/* HDF5's calls, each of those that are hooked, and what must have been counted of them. Built for the serial
 * library, and for those of MPI, with which all ranks make the calls that HDF5 wants of all of them. Each
 * version from 1.8 on will do: scripts/bench hdf5-versions. */
#define H5_USE_110_API 1 /* what newer ones have under the same names */
#include <hdf5.h>
#include <string.h>

#include "did.h"

#if defined(H5_HAVE_PARALLEL)
#include <mpi.h>
#endif

enum { rows = 12, columns = 20, elements = rows * columns };
static int rank = 0, ranks = 1;

/* All ranks do the same; the first one speaks for all. */
static void of_file(const char* counter, long long n)
{
    if (rank == 0) did("data_files", "calls.h5", counter, n * ranks);
}
/* What does not add up. */
static void file_has(const char* counter, long long n)
{
    if (rank == 0) did("data_files", "calls.h5", counter, n);
}
static void dataset_line(const char* name, const char* counter, long long n)
{
    char path[200];
    snprintf(path, sizeof path, "calls.h5:%s", name);
    if (rank == 0) did("datasets", path, counter, n);
}
static void of_dataset(const char* name, const char* counter, long long n)
{
    dataset_line(name, counter, n * ranks);
}

static hid_t independent = H5P_DEFAULT, access_list = H5P_DEFAULT;

static void created(const char* name, int element_bytes, int layout)
{
    of_dataset(name, "creates", 1);
    dataset_line(name, "element_bytes", element_bytes);
    dataset_line(name, "layout", layout);
}
static void opened(const char* name)
{
    of_dataset(name, "opens", 1);
}
static void closed(const char* name)
{
    of_dataset(name, "closes", 1);
}
static void wrote(const char* name, const char* selection, long long bytes)
{
    of_dataset(name, "writes", 1);
    of_dataset(name, "bytes_written", bytes);
    of_dataset(name, selection, 1);
}
static void has_read(const char* name, const char* selection, long long bytes)
{
    of_dataset(name, "reads", 1);
    of_dataset(name, "bytes_read", bytes);
    of_dataset(name, selection, 1);
}

static double numbers[elements];

/* Every kind of selection, the library being asked or not. */
static void select_and_write(hid_t dataset, const char* name)
{
    const hsize_t extent[2] = {rows, columns}, all = elements;
    const hsize_t start[2] = {1, 2}, stride[2] = {3, 5}, count[2] = {2, 3}, block[2] = {1, 2};
    const hsize_t points[3][2] = {{0, 0}, {3, 4}, {5, 6}};
    const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &all, NULL);
    hsize_t n = elements, zero = 0, one = 1;
    MUST(space >= 0 && memory >= 0);
    const hid_t type = H5T_NATIVE_DOUBLE;
    MUST(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, independent, numbers) >= 0);
    wrote(name, "whole", 8 * elements);
    MUST(H5Dwrite(dataset, type, memory, space, independent, numbers) >= 0);
    wrote(name, "whole", 8 * elements);

    MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block) >= 0);
    n = 12;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dwrite(dataset, type, memory, space, independent, numbers) >= 0);
    wrote(name, "regular", 8 * 12);
    const hid_t copy = H5Scopy(space);
    MUST(H5Dwrite(dataset, type, memory, copy, independent, numbers) >= 0);
    wrote(name, "regular", 8 * 12);

    /* One more row and a half makes it irregular. */
    const hsize_t more_start[2] = {11, 0}, more[2] = {1, 7};
    MUST(H5Sselect_hyperslab(copy, H5S_SELECT_OR, more_start, NULL, more, NULL) >= 0);
    n = 12 + 7;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dwrite(dataset, type, memory, copy, independent, numbers) >= 0);
    wrote(name, "irregular", 8 * 19);

    MUST(H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]) >= 0);
    n = 3;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dwrite(dataset, type, memory, space, independent, numbers) >= 0);
    wrote(name, "points", 8 * 3);
    MUST(H5Sselect_elements(space, H5S_SELECT_APPEND, 1, &points[0][0]) >= 0);
    n = 4;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dwrite(dataset, type, memory, space, independent, numbers) >= 0);
    wrote(name, "points", 8 * 4);

    MUST(H5Sselect_none(space) >= 0 && H5Sselect_none(memory) >= 0);
    MUST(H5Dwrite(dataset, type, memory, space, independent, numbers) >= 0);
    wrote(name, "nothing", 0);
    MUST(H5Sselect_all(space) >= 0 && H5Sselect_all(memory) >= 0);
    MUST(H5Dread(dataset, type, memory, space, independent, numbers) >= 0);
    has_read(name, "whole", 8 * elements);

    /* Those of which the library has to be asked again. */
    const hid_t other = H5Screate(H5S_SIMPLE);
    MUST(H5Sset_extent_simple(other, 2, extent, NULL) >= 0);
    MUST(H5Sselect_hyperslab(other, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    n = 6;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dread(dataset, type, memory, other, independent, numbers) >= 0);
    has_read(name, "regular", 8 * 6);
    MUST(H5Sextent_copy(copy, other) >= 0 && H5Sselect_all(copy) >= 0 && H5Sselect_all(memory) >= 0);
    MUST(H5Dread(dataset, type, memory, copy, independent, numbers) >= 0);
    has_read(name, "whole", 8 * elements);
    MUST(H5Sset_extent_none(other) >= 0);
    MUST(H5Sclose(other) >= 0 && H5Sclose(copy) >= 0);

    unsigned char text[1000];
    size_t length = sizeof text;
    MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    MUST(H5Sencode(space, text, &length) >= 0);
    const hid_t decoded = H5Sdecode(text);
    n = 6;
    MUST(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, NULL, &one, &n) >= 0);
    MUST(H5Dread(dataset, type, memory, decoded, independent, numbers) >= 0);
    has_read(name, "regular", 8 * 6);
    MUST(H5Sclose(decoded) >= 0 && H5Sclose(space) >= 0 && H5Sclose(memory) >= 0);
}

static herr_t open_there(hid_t group, const char* name, const H5L_info_t* about, void* data)
{
    char path[100];
    (void)about;
    (void)data;
    snprintf(path, sizeof path, "/group/%s", name);
    const hid_t dataset = H5Oopen(group, name, H5P_DEFAULT);
    MUST(dataset >= 0 && H5Oclose(dataset) >= 0);
    opened(path);
    closed(path);
    return 0;
}

static void datasets(hid_t file, hid_t group)
{
    const hsize_t extent[2] = {rows, columns}, chunk[2] = {4, 5};
    const hsize_t most[2] = {H5S_UNLIMITED, columns};
    const hid_t space = H5Screate_simple(2, extent, NULL), growing = H5Screate_simple(2, extent, most);
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_chunk(chunked, 2, chunk) >= 0);

    hid_t dataset =
        H5Dcreate2(group, "plain", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    MUST(dataset >= 0);
    created("/group/plain", 8, 2);
    select_and_write(dataset, "/group/plain");
    MUST(H5Dclose(dataset) >= 0);
    closed("/group/plain");

    dataset = H5Dcreate1(file, "./group//chunked", H5T_NATIVE_DOUBLE, growing, chunked);
    MUST(dataset >= 0);
    created("/group/chunked", 8, 3);
    select_and_write(dataset, "/group/chunked");
    const hsize_t larger[2] = {rows + 4, columns};
    MUST(H5Dset_extent(dataset, larger) >= 0);
    of_dataset("/group/chunked", "extensions", 1);
    MUST(H5Dextend(dataset, larger) >= 0);
    of_dataset("/group/chunked", "extensions", 1);
    static double larger_numbers[(rows + 4) * columns];
    MUST(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, independent, larger_numbers) >= 0);
    has_read("/group/chunked", "whole", 8 * (rows + 4) * columns);
#if !defined(H5_HAVE_PARALLEL) && H5_VERSION_GE(1, 10, 0) /* there it leaves 1.10 with what it cannot close \
                                                           */
    MUST(H5Dflush(dataset) >= 0);
    of_dataset("/group/chunked", "flushes", 1);
#endif
    /* Held twice: the first close gives back, the second closes. */
    MUST(H5Iinc_ref(dataset) == 2 && H5Dclose(dataset) >= 0 && H5Dclose(dataset) >= 0);
    closed("/group/chunked");

    dataset = H5Dopen1(group, "chunked");
    opened("/group/chunked");
    MUST(H5Idec_ref(dataset) == 0);
    closed("/group/chunked");
    dataset = H5Dopen2(file, "/group/chunked", H5P_DEFAULT);
    opened("/group/chunked");
#if !defined(H5_HAVE_PARALLEL) && H5_VERSION_GE(1, 10, 3)
    const hsize_t at[2] = {0, 0};
    uint32_t filters = 0;
    double raw[20];
    MUST(H5Dread_chunk(dataset, H5P_DEFAULT, at, &filters, raw) >= 0);
    has_read("/group/chunked", "regular", 8 * 20);
    of_dataset("/group/chunked", "chunk_reads", 1);
#if H5_VERSION_GE(2, 0, 0)
    size_t bytes = 0; /* first how many there are, which reads nothing */
    MUST(H5Dread_chunk2(dataset, H5P_DEFAULT, at, &filters, NULL, &bytes) >= 0);
    MUST(H5Dread_chunk2(dataset, H5P_DEFAULT, at, &filters, raw, &bytes) >= 0);
    has_read("/group/chunked", "regular", 8 * 20);
    of_dataset("/group/chunked", "chunk_reads", 1);
#endif
    MUST(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, at, sizeof raw, raw) >= 0);
    wrote("/group/chunked", "regular", 8 * 20);
    of_dataset("/group/chunked", "chunk_writes", 1);
    MUST(H5Drefresh(dataset) >= 0);
#endif
    MUST(H5Oclose(dataset) >= 0);
    closed("/group/chunked");
    dataset = H5Oopen(group, "chunked", H5P_DEFAULT);
    opened("/group/chunked");
    H5O_info_t about;
    MUST(H5Oget_info(dataset, &about) >= 0);
    MUST(H5Dclose(dataset) >= 0);
    closed("/group/chunked");

    /* Of these the name is not known. */
    dataset = H5Oopen_by_addr(file, about.addr);
    opened("<unnamed>");
    MUST(H5Dclose(dataset) >= 0);
    closed("<unnamed>");
    dataset = H5Oopen_by_idx(file, "group", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT);
    opened("<unnamed>");
    MUST(H5Dclose(dataset) >= 0);
    closed("<unnamed>");
    hobj_ref_t reference;
    MUST(H5Rcreate(&reference, file, "/group/plain", H5R_OBJECT, -1) >= 0);
#if H5_VERSION_GE(1, 10, 0)
    dataset = H5Rdereference1(file, H5R_OBJECT, &reference);
    opened("<unnamed>");
    MUST(H5Dclose(dataset) >= 0);
    closed("<unnamed>");
    dataset = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &reference);
#else
    dataset = H5Rdereference(file, H5R_OBJECT, &reference);
#endif
    opened("<unnamed>");
    MUST(H5Dclose(dataset) >= 0);
    closed("<unnamed>");
    dataset = H5Dcreate_anon(file, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    of_dataset("<unnamed>", "creates", 1);
    MUST(H5Dclose(dataset) >= 0);
    closed("<unnamed>");

    /* One that gets its name later, as h5py has it for file["x"] = data. */
    dataset = H5Dcreate_anon(file, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    static int few[elements];
    MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, independent, few) >= 0);
    MUST(H5Olink(dataset, group, "later", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, independent, few) >= 0);
    created("/group/later", 4, 2);
    wrote("/group/later", "whole", 4 * elements);
    wrote("/group/later", "whole", 4 * elements);
    MUST(H5Dclose(dataset) >= 0);
    closed("/group/later");
    /* In callbacks HDF5 gives ids of its own making. */
    MUST(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, open_there, NULL) >= 0);

    /* What fails is counted, and what HDF5 says of it stays. */
    H5E_auto2_t printed;
    void* data;
    MUST(H5Eget_auto2(H5E_DEFAULT, &printed, &data) >= 0);
    MUST(H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0);
    MUST(H5Dopen2(file, "absent", H5P_DEFAULT) < 0);
    of_file("failed", 1);
    MUST(H5Eget_num(H5E_DEFAULT) > 0);
    dataset = H5Dopen2(file, "/group/plain", H5P_DEFAULT);
    opened("/group/plain");
    MUST(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, -7, independent, numbers) < 0);
    of_dataset("/group/plain", "failed", 1);
    MUST(H5Eget_num(H5E_DEFAULT) > 0);
    H5E_auto2_t now;
    void* data_now;
    MUST(H5Eget_auto2(H5E_DEFAULT, &now, &data_now) >= 0 && now == NULL);
    MUST(H5Eset_auto2(H5E_DEFAULT, printed, data) >= 0);
    MUST(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, independent, numbers) >= 0);
    has_read("/group/plain", "whole", 8 * elements);
    MUST(H5Dclose(dataset) >= 0);
    closed("/group/plain");
    MUST(H5Sclose(space) >= 0 && H5Sclose(growing) >= 0 && H5Pclose(chunked) >= 0);
}

static void attributes(hid_t file)
{
    const hid_t space = H5Screate(H5S_SCALAR), type = H5T_NATIVE_INT;
    const char* const names[] = {"a", "b", "c"};
    int value = 7;
    hid_t of[3];
    of[0] = H5Acreate1(file, "a", type, space, H5P_DEFAULT);
    of[1] = H5Acreate2(file, "b", type, space, H5P_DEFAULT, H5P_DEFAULT);
    of[2] = H5Acreate_by_name(file, "group", "c", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int at = 0; at < 3; ++at)
        MUST(of[at] >= 0 && H5Awrite(of[at], type, &value) >= 0 && H5Aclose(of[at]) >= 0);
    of_file("attribute_creates", 3);
    of_file("attribute_writes", 3);
    hid_t again[5];
    again[0] = H5Aopen(file, names[0], H5P_DEFAULT);
    again[1] = H5Aopen_name(file, names[1]);
    again[2] = H5Aopen_idx(file, 0);
    again[3] = H5Aopen_by_name(file, "group", names[2], H5P_DEFAULT, H5P_DEFAULT);
    again[4] = H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT);
    for (int at = 0; at < 5; ++at)
        MUST(again[at] >= 0 && H5Aread(again[at], type, &value) >= 0 && value == 7 &&
             H5Aclose(again[at]) >= 0);
    of_file("attribute_opens", 5);
    of_file("attribute_reads", 5);
    MUST(H5Sclose(space) >= 0);
}

static void groups(hid_t file)
{
    const hid_t of[] = {H5Gcreate1(file, "group", 0),
                        H5Gcreate2(file, "second", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT),
                        H5Gopen1(file, "group"),
                        H5Gopen2(file, "second", H5P_DEFAULT),
                        H5Oopen(file, "second", H5P_DEFAULT)};
    for (int at = 0; at < 6; ++at) MUST(of[at] >= 0 && H5Gclose(of[at]) >= 0);
    of_file("groups", 6);
}

#if defined(H5_HAVE_PARALLEL)
/* Each rank writes its own rows, together with the others and alone. */
static void together(hid_t file)
{
    const hsize_t extent[2] = {4 * (hsize_t)ranks, columns}, mine[2] = {4, columns}, points = 4 * columns;
    const hsize_t start[2] = {4 * (hsize_t)rank, 0};
    const hid_t space = H5Screate_simple(2, extent, NULL), memory = H5Screate_simple(1, &points, NULL);
    const hid_t list = H5Pcreate(H5P_DATASET_XFER);
    MUST(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE) >= 0);
    const hid_t copied = H5Pcopy(list);
    const hid_t dataset =
        H5Dcreate2(file, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    created("/rows", 8, 2);
    MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, mine, NULL) >= 0);
    MUST(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, list, numbers) >= 0);
    wrote("/rows", "regular", 8 * 4 * columns);
    of_dataset("/rows", "collective_writes", 1);
    of_dataset("/rows", "mpiio_collective_writes", 1);
    of_dataset("/rows", "mpiio_writes", 1);
    of_dataset("/rows", "mpiio_bytes_written", 8 * 4 * columns);
    MUST(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, copied, numbers) >= 0);
    has_read("/rows", "regular", 8 * 4 * columns);
    of_dataset("/rows", "collective_reads", 1);
    MUST(H5Pset_dxpl_mpio(copied, H5FD_MPIO_INDEPENDENT) >= 0);
    MUST(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, copied, numbers) >= 0);
    has_read("/rows", "regular", 8 * 4 * columns);
    of_dataset("/rows", "mpiio_reads", 2);
    of_dataset("/rows", "mpiio_collective_reads", 1);
    MUST(H5Pclose(list) >= 0 && H5Pclose(copied) >= 0);
    MUST(H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0 && H5Sclose(memory) >= 0);
    closed("/rows");
}
#endif

/* Not in every version of HDF5. What none has fails, under the library too. */
#if !H5_VERSION_GE(1, 12, 0)
typedef struct {
    unsigned long word[2];
} token;
extern __attribute__((weak)) hid_t H5Oopen_by_token(hid_t, token);
extern __attribute__((weak)) hid_t H5Scombine_hyperslab(hid_t, int, const hsize_t*, const hsize_t*,
                                                        const hsize_t*, const hsize_t*);
extern __attribute__((weak)) herr_t H5Smodify_select(hid_t, int, hid_t);
extern __attribute__((weak)) herr_t H5Sselect_copy(hid_t, hid_t);
#endif
#if !H5_VERSION_GE(2, 0, 0)
extern __attribute__((weak)) herr_t H5Dread_chunk1(hid_t, hid_t, const hsize_t*, uint32_t*, void*);
extern __attribute__((weak)) herr_t H5Dread_chunk2(hid_t, hid_t, const hsize_t*, uint32_t*, void*, size_t*);
#endif
#if H5_VERSION_GE(1, 10, 0)
extern __attribute__((weak)) hid_t dereference_of_1_8(hid_t, int, const void*) __asm__("H5Rdereference");
#endif
#if !defined(H5_HAVE_PARALLEL)
extern __attribute__((weak)) herr_t H5Pset_dxpl_mpio(hid_t, int);
#endif
#if !H5_VERSION_GE(1, 13, 0)
extern __attribute__((weak)) int H5Dread_multi(size_t, hid_t*, hid_t*, hid_t*, hid_t*, hid_t, void**);
extern __attribute__((weak)) int H5Dwrite_multi(size_t, hid_t*, hid_t*, hid_t*, hid_t*, hid_t, const void**);
#define EACH_WITH_EVENTS(CALL)                                                                               \
    CALL(H5Fcreate)                                                                                          \
    CALL(H5Fopen)                                                                                            \
    CALL(H5Freopen)                                                                                          \
    CALL(H5Fclose) CALL(H5Fflush) CALL(H5Gcreate) CALL(H5Gopen) CALL(H5Gclose) CALL(H5Oopen)                 \
        CALL(H5Oopen_by_idx) CALL(H5Oclose) CALL(H5Dcreate) CALL(H5Dopen) CALL(H5Dclose) CALL(H5Dset_extent) \
            CALL(H5Dread) CALL(H5Dwrite) CALL(H5Dread_multi) CALL(H5Dwrite_multi) CALL(H5Dget_space)         \
                CALL(H5Acreate) CALL(H5Acreate_by_name) CALL(H5Aopen) CALL(H5Aopen_by_name)                  \
                    CALL(H5Aopen_by_idx) CALL(H5Aread) CALL(H5Awrite) CALL(H5Aclose)
/* They begin alike: where the call is made, and an id or a name; the others that they have are 0 here. */
#define DECLARED(name)                                                                                   \
    extern __attribute__((weak)) long name##_async(const char*, const char*, unsigned, long, long, long, \
                                                   long, long, long, long, long, long);
EACH_WITH_EVENTS(DECLARED)
#endif
static void absent(hid_t file)
{
    H5E_auto2_t printed;
    void* data;
    MUST(H5Eget_auto2(H5E_DEFAULT, &printed, &data) >= 0);
    MUST(H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0);
#if !H5_VERSION_GE(1, 12, 0)
    const token nowhere = {{0, 0}};
    if (H5Oopen_by_token != NULL) MUST(H5Oopen_by_token(file, nowhere) < 0);
    if (H5Scombine_hyperslab != NULL) MUST(H5Scombine_hyperslab(0, 0, NULL, NULL, NULL, NULL) < 0);
    if (H5Smodify_select != NULL) MUST(H5Smodify_select(0, 0, 0) < 0);
    if (H5Sselect_copy != NULL) MUST(H5Sselect_copy(0, 0) < 0);
#endif
#if H5_VERSION_GE(1, 10, 0)
    if (dereference_of_1_8 != NULL) MUST(dereference_of_1_8(file, 0, NULL) < 0);
#endif
#if !defined(H5_HAVE_PARALLEL)
    if (H5Pset_dxpl_mpio != NULL) MUST(H5Pset_dxpl_mpio(0, 0) < 0);
#endif
#if !H5_VERSION_GE(2, 0, 0)
    if (H5Dread_chunk1 != NULL) MUST(H5Dread_chunk1(0, 0, NULL, NULL, NULL) < 0);
    if (H5Dread_chunk2 != NULL) MUST(H5Dread_chunk2(0, 0, NULL, NULL, NULL, NULL) < 0);
#endif
#if !H5_VERSION_GE(1, 13, 0)
    if (H5Dread_multi != NULL) MUST(H5Dread_multi(0, NULL, NULL, NULL, NULL, 0, NULL) <= 0);
    if (H5Dwrite_multi != NULL) MUST(H5Dwrite_multi(0, NULL, NULL, NULL, NULL, 0, NULL) <= 0);
#define FAILS(name) \
    if (name##_async != NULL) MUST((int)name##_async("", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) < 0);
    EACH_WITH_EVENTS(FAILS)
#endif
    MUST(H5Eset_auto2(H5E_DEFAULT, printed, data) >= 0);
    (void)file;
}

#if H5_VERSION_GE(1, 13, 0)
/* Several datasets in one call, and calls with an event set, of a file that HDF5 itself keeps: done when they
 * return. */
static void several(hid_t file)
{
    const hsize_t extent = elements, few = 6, start = 3;
    const hid_t space = H5Screate_simple(1, &extent, NULL), part = H5Screate_simple(1, &extent, NULL);
    const hid_t little = H5Screate_simple(1, &few, NULL);
    MUST(H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, NULL, &few, NULL) >= 0);
    hid_t set[2] = {
        H5Dcreate2(file, "first", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dcreate2(file, "other", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    created("/first", 8, 2);
    created("/other", 4, 2);
    hid_t type[2] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT}, memory[2] = {H5S_ALL, little};
    hid_t in_file[2] = {H5S_ALL, part};
    static int ints[elements];
    void* to[2] = {numbers, ints};
    const void* from[2] = {numbers, ints};
    const hid_t events = H5EScreate();
    MUST(H5Dwrite_multi(2, set, type, memory, in_file, independent, from) >= 0);
    MUST(H5Dwrite_multi_async(2, set, type, memory, in_file, independent, from, events) >= 0);
    MUST(H5Dread_multi(2, set, type, memory, in_file, independent, to) >= 0);
    MUST(H5Dread_multi_async(2, set, type, memory, in_file, independent, to, H5ES_NONE) >= 0);
    for (int round = 0; round < 2; ++round) {
        wrote("/first", "whole", 8 * elements);
        wrote("/other", "regular", 4 * 6);
        has_read("/first", "whole", 8 * elements);
        has_read("/other", "regular", 4 * 6);
    }
    MUST(H5Dclose(set[1]) >= 0 && H5Dclose_async(set[0], events) >= 0);
    closed("/first");
    closed("/other");
    MUST(H5Sclose(little) >= 0 && H5Sclose(part) >= 0 && H5Sclose(space) >= 0 && H5ESclose(events) >= 0);
}

static void with_events(hid_t events)
{
    const hsize_t rows_of = rows, chunk = 4, larger = rows + 4;
    hsize_t most = H5S_UNLIMITED;
    const hid_t type = H5T_NATIVE_INT, space = H5Screate_simple(1, &rows_of, &most);
    const hid_t scalar = H5Screate(H5S_SCALAR), chunked = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_chunk(chunked, 1, &chunk) >= 0);
    static int values[rows + 4];
    hid_t file = H5Fcreate_async("calls.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access_list, events);
    of_file("creates", 1);
    hid_t group = H5Gcreate_async(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, events);
    hid_t dataset = H5Dcreate_async(group, "data", type, space, H5P_DEFAULT, chunked, H5P_DEFAULT, events);
    MUST(file >= 0 && group >= 0 && dataset >= 0);
    if (events == H5ES_NONE)
        created("/events/data", 4, 3);
    else
        of_dataset("/events/data", "creates", 1);
    MUST(H5Dwrite_async(dataset, type, H5S_ALL, H5S_ALL, independent, values, events) >= 0);
    MUST(H5Dwrite_async(dataset, type, H5S_ALL, H5S_ALL, independent, values, events) >= 0);
    wrote("/events/data", "whole", 4 * rows);
    wrote("/events/data", "whole", 4 * rows);
    MUST(H5Dset_extent_async(dataset, &larger, events) >= 0);
    of_dataset("/events/data", "extensions", 1);
    const hid_t of_all = H5Dget_space_async(dataset, events);
    MUST(H5Dread_async(dataset, type, of_all, of_all, independent, values, events) >= 0);
    has_read("/events/data", "whole", 4 * (rows + 4));
    MUST(H5Sclose(of_all) >= 0 && H5Dclose_async(dataset, events) >= 0);
    closed("/events/data");

    int value = 7;
    hid_t attribute = H5Acreate_async(file, "a", type, scalar, H5P_DEFAULT, H5P_DEFAULT, events);
    MUST(H5Awrite_async(attribute, type, &value, events) >= 0 && H5Aclose_async(attribute, events) >= 0);
    attribute = H5Acreate_by_name_async(file, "events", "b", type, scalar, H5P_DEFAULT, H5P_DEFAULT,
                                        H5P_DEFAULT, events);
    MUST(H5Aclose_async(attribute, events) >= 0);
    attribute = H5Aopen_async(file, "a", H5P_DEFAULT, events);
    MUST(H5Aread_async(attribute, type, &value, events) >= 0 && H5Aclose_async(attribute, events) >= 0);
    attribute = H5Aopen_by_name_async(file, "events", "b", H5P_DEFAULT, H5P_DEFAULT, events);
    MUST(H5Aclose_async(attribute, events) >= 0);
    attribute =
        H5Aopen_by_idx_async(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT, events);
    MUST(H5Aclose_async(attribute, events) >= 0);
    of_file("attribute_creates", 2);
    of_file("attribute_writes", 1);
    of_file("attribute_opens", 3);
    of_file("attribute_reads", 1);
    MUST(H5Gclose_async(group, events) >= 0 && H5Fflush_async(file, H5F_SCOPE_LOCAL, events) >= 0);
    of_file("flushes", 1);
    const hid_t again = H5Freopen_async(file, events);
    MUST(H5Fclose_async(again, events) >= 0 && H5Fclose_async(file, events) >= 0);
    file = H5Fopen_async("calls.h5", H5F_ACC_RDONLY, access_list, events);
    of_file("opens", 2);
    group = H5Gopen_async(file, "events", H5P_DEFAULT, events);
    of_file("groups", 2);
    dataset = H5Dopen_async(group, "data", H5P_DEFAULT, events);
    MUST(H5Dclose_async(dataset, events) >= 0);
    dataset = H5Oopen_async(group, "data", H5P_DEFAULT, events);
    MUST(H5Oclose_async(dataset, events) >= 0);
    opened("/events/data");
    opened("/events/data");
    closed("/events/data");
    closed("/events/data");
    dataset = H5Oopen_by_idx_async(file, "events", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, events);
    MUST(H5Oclose_async(dataset, events) >= 0);
    opened("<unnamed>");
    closed("<unnamed>");
    MUST(H5Gclose_async(group, events) >= 0 && H5Fclose_async(file, events) >= 0);
    of_file("closes", 3);
#if defined(H5_HAVE_PARALLEL)
    of_file("collective_opens", 3);
#endif
    MUST(H5Sclose(space) >= 0 && H5Sclose(scalar) >= 0 && H5Pclose(chunked) >= 0);
}
#endif

int main(int argc, char** argv)
{
#if defined(H5_HAVE_PARALLEL)
    MUST(MPI_Init(&argc, &argv) == 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    access_list = H5Pcreate(H5P_FILE_ACCESS);
    MUST(H5Pset_fapl_mpio(access_list, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
    MUST(H5Pset_alignment(access_list, 1024, 4096) >= 0);
    file_has("alignment", 4096);
    file_has("alignment_from", 1024);
    file_has("driver", 6);
#else
    (void)argc;
    (void)argv;
    file_has("driver", 1);
#endif
    hid_t file = H5Fcreate("calls.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
    MUST(file >= 0);
    of_file("creates", 1);
    groups(file);
    const hid_t group = H5Gopen2(file, "/group", H5P_DEFAULT);
    of_file("groups", 1);
    datasets(file, group);
    attributes(file);
    absent(file);
#if H5_VERSION_GE(1, 13, 0)
    several(file);
#endif
#if defined(H5_HAVE_PARALLEL)
    together(file);
#endif
    MUST(H5Gclose(group) >= 0);
    MUST(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
    of_file("flushes", 1);
    const hid_t again = H5Freopen(file);
    of_file("opens", 1);
    MUST(again >= 0 && H5Fclose(again) >= 0 && H5Fclose(file) >= 0);
    file = H5Fopen("calls.h5", H5F_ACC_RDONLY, access_list);
    of_file("opens", 1);
    MUST(file >= 0 && H5Fclose(file) >= 0);
    of_file("closes", 3);
#if H5_VERSION_GE(1, 13, 0)
    const hid_t events = H5EScreate();
    with_events(H5ES_NONE);
    with_events(events);
    MUST(H5ESclose(events) >= 0);
#endif
#if defined(H5_HAVE_PARALLEL)
    of_file("collective_opens", 3);
    MUST(H5Pclose(access_list) >= 0);
#endif
    MUST(H5close() >= 0);
#if defined(H5_HAVE_PARALLEL)
    MPI_Finalize();
#endif
    return 0;
}
