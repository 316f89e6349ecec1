/* Programs that use HDF5 with one fault each, and the same work with the change that the report advises.
 *
 * usage: hdf5_twins NAME faulty|repaired [SCALE]      (in a folder of its own; see tests/e2e/twins.py)
 *
 * Each does a fixed amount of work, SCALE times as much if given, and computes for about half a second.
 */
#define _GNU_SOURCE
#include <err.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "twin_work.h"

enum { kib = 1 << 10, mib = 1 << 20 };

static bool repaired;
static hsize_t scale = 1;

static double noise(void)
{
    random_below(1); /* the next state */
    return (double)(random_state >> 11);
}

/* What HDF5 says went wrong it has printed itself. */
static hid_t good(hid_t id)
{
    if (id < 0) errx(1, "HDF5 failed");
    return id;
}

static hid_t created(const char* path)
{
    return good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
}

static hid_t dataset_of(hid_t type, hid_t file, const char* name, int rank, const hsize_t* extent,
                        const hsize_t* chunk, unsigned deflate)
{
    const hid_t space = good(H5Screate_simple(rank, extent, NULL)),
                properties = good(H5Pcreate(H5P_DATASET_CREATE));
    if (chunk != NULL) good(H5Pset_chunk(properties, rank, chunk));
    if (deflate > 0) good(H5Pset_deflate(properties, deflate));
    const hid_t set = good(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    good(H5Pclose(properties));
    good(H5Sclose(space));
    return set;
}

/* Of doubles. */
static hid_t dataset(hid_t file, const char* name, int rank, const hsize_t* extent, const hsize_t* chunk,
                     unsigned deflate)
{
    return dataset_of(H5T_NATIVE_DOUBLE, file, name, rank, extent, chunk, deflate);
}

typedef herr_t (*Move)(hid_t set, hid_t memory, hid_t part, void* data);
static herr_t move_out(hid_t set, hid_t memory, hid_t part, void* data)
{
    return H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, data);
}
static herr_t move_in(hid_t set, hid_t memory, hid_t part, void* data)
{
    return H5Dread(set, H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, data);
}

/* One block of a dataset of two dimensions. */
static void block(Move move, hid_t set, const hsize_t* from, const hsize_t* count, double* data)
{
    const hid_t part = good(H5Dget_space(set)), memory = good(H5Screate_simple(2, count, NULL));
    good(H5Sselect_hyperslab(part, H5S_SELECT_SET, from, NULL, count, NULL));
    good(move(set, memory, part, data));
    good(H5Sclose(memory));
    good(H5Sclose(part));
}

/* Rows of 64 KiB to chunks of 512 B each, in the order of the rows; repaired: to chunks of 1 MiB. */
static void small_chunks(void)
{
    enum { columns = 8192 };
    const hsize_t rows = 480 * scale, extent[2] = {rows, columns}, small[2] = {1, 64},
                  large[2] = {16, columns}, count[2] = {1, columns};
    static double row[columns];
    const hid_t file = created("chunks.h5"),
                set = dataset(file, "/u", 2, extent, repaired ? large : small, 0);
    for (hsize_t at = 0; at < rows; ++at) {
        for (int column = 0; column < columns; ++column) row[column] = (double)at;
        block(move_out, set, (hsize_t[2]){at, 0}, count, row);
    }
    good(H5Dclose(set));
    good(H5Fclose(file));
}

/* A file to be read: compressed, in chunks of 1 MiB, 64 by 2048, of which four lie beside each other. */
enum { wide = 8192, high = 1024, band_rows = 64 };
static void make_file(void)
{
    static double band[band_rows * wide];
    const hsize_t extent[2] = {high, wide}, chunk[2] = {band_rows, 2048}, count[2] = {band_rows, wide};
    const hid_t file = created("rows.h5"), set = dataset(file, "/t", 2, extent, chunk, 1);
    for (hsize_t at = 0; at < high; at += band_rows) {
        for (size_t number = 0; number < sizeof band / sizeof *band; ++number)
            band[number] = (double)(number % 1000);
        block(move_out, set, (hsize_t[2]){at, 0}, count, band);
    }
    good(H5Dclose(set));
    good(H5Fclose(file));
}

/* Reads it row by row: the cache of 1 MiB holds one chunk of the four that each row is in. Repaired: 8 MiB.
 */
static void chunks_again(void)
{
    static double row[wide];
    make_file();
    const hid_t file = good(H5Fopen("rows.h5", H5F_ACC_RDONLY, H5P_DEFAULT)),
                access = good(H5Pcreate(H5P_DATASET_ACCESS));
    if (repaired) good(H5Pset_chunk_cache(access, 12421, 8 * mib, 1.0));
    const hid_t set = good(H5Dopen2(file, "/t", access));
    const hsize_t rows = scale * high / 8 < high ? scale * high / 8 : high;
    for (hsize_t at = 0; at < rows; ++at)
        block(move_in, set, (hsize_t[2]){at, 0}, (hsize_t[2]){1, wide}, row);
    good(H5Dclose(set));
    good(H5Pclose(access));
    good(H5Fclose(file));
}

/* A series at four points, from compressed chunks of a row each; repaired: from chunks of all rows. */
static void series(void)
{
    enum { columns = 8192, points = 4 };
    const hsize_t rows = 512 * scale, extent[2] = {rows, columns}, by_row[2] = {1, columns},
                  by_column[2] = {rows, 8};
    double* const all = malloc(rows * columns * sizeof *all);
    for (size_t at = 0; at < rows * columns; ++at) all[at] = (double)random_below(1000);
    const hid_t file = created("series.h5"),
                set = dataset(file, "/t", 2, extent, repaired ? by_column : by_row, 1);
    good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all));
    good(H5Dclose(set));
    good(H5Fclose(file));
    const hid_t again = good(H5Fopen("series.h5", H5F_ACC_RDONLY, H5P_DEFAULT)),
                read = good(H5Dopen2(again, "/t", H5P_DEFAULT));
    block(move_in, read, (hsize_t[2]){0, columns / 2}, (hsize_t[2]){rows, points}, all);
    good(H5Dclose(read));
    good(H5Fclose(again));
    free(all);
}

/* Steps of a simulation append a row each to compressed chunks of 64 rows and flush; repaired: flush once. */
static void flushes(void)
{
    enum { columns = 1024 };
    const hsize_t rows = 600 * scale, extent[2] = {rows, columns}, chunk[2] = {64, columns},
                  count[2] = {1, columns};
    static double row[columns];
    const hid_t file = created("steps.h5"), set = dataset(file, "/u", 2, extent, chunk, 2);
    for (hsize_t at = 0; at < rows; ++at) {
        for (int column = 0; column < columns; ++column) row[column] = (double)(at * column % 977);
        block(move_out, set, (hsize_t[2]){at, 0}, count, row);
        if (!repaired) good(H5Fflush(file, H5F_SCOPE_LOCAL));
    }
    good(H5Fflush(file, H5F_SCOPE_LOCAL));
    good(H5Dclose(set));
    good(H5Fclose(file));
}

/* Thousands of numbers as attributes, one each; repaired: in one dataset. */
static void attributes(void)
{
    const hsize_t number = 4000 * scale;
    const hid_t file = created("attributes.h5");
    double* const values = calloc(number, sizeof *values);
    if (repaired) {
        const hsize_t extent[1] = {number};
        const hid_t set = dataset(file, "values", 1, extent, NULL, 0);
        good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
        good(H5Dclose(set));
    } else {
        const hid_t space = good(H5Screate(H5S_SCALAR)),
                    group = good(H5Gcreate2(file, "values", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        for (hsize_t at = 0; at < number; ++at) {
            char name[32];
            snprintf(name, sizeof name, "value%llu", (unsigned long long)at);
            const hid_t attribute =
                good(H5Acreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT));
            good(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &values[at]));
            good(H5Aclose(attribute));
        }
        good(H5Gclose(group));
        good(H5Sclose(space));
    }
    free(values);
    good(H5Fclose(file));
}

/* What cannot be compressed, compressed; repaired: as it is. */
static void filters(void)
{
    enum { columns = 1024, band = 128 };
    const hsize_t rows = 3840 * scale, extent[2] = {rows, columns}, chunk[2] = {band, columns};
    double* const data = malloc((size_t)band * columns * sizeof *data);
    for (size_t at = 0; at < (size_t)band * columns; ++at) data[at] = noise();
    const hid_t file = created("noise.h5"), set = dataset(file, "/n", 2, extent, chunk, repaired ? 0 : 6);
    for (hsize_t at = 0; at < rows; at += band)
        block(move_out, set, (hsize_t[2]){at, 0}, (hsize_t[2]){band, columns}, data);
    good(H5Dclose(set));
    good(H5Fclose(file));
    free(data);
}

/* Doubles to single precision in the other byte order; repaired: as they are. */
static void conversions(void)
{
    enum { columns = 1 << 18 };
    const hsize_t rows = 30 * scale, extent[2] = {rows, columns};
    double* const row = malloc(columns * sizeof *row);
    for (size_t at = 0; at < columns; ++at) row[at] = noise();
    const hid_t file = created("single.h5"), set = dataset_of(repaired ? H5T_NATIVE_DOUBLE : H5T_IEEE_F32BE,
                                                              file, "/s", 2, extent, NULL, 0);
    for (hsize_t at = 0; at < rows; ++at)
        block(move_out, set, (hsize_t[2]){at, 0}, (hsize_t[2]){1, columns}, row);
    good(H5Dclose(set));
    good(H5Fclose(file));
    free(row);
}

/* Fill values are written as the datasets are made, or never. */
static void fill_values(void)
{
    enum { columns = 1 << 20 };
    const hsize_t extent[1] = {columns};
    double* const values = malloc(columns * sizeof *values);
    for (size_t at = 0; at < columns; ++at) values[at] = noise();
    const hid_t file = created("filled.h5"), space = good(H5Screate_simple(1, extent, NULL)),
                properties = good(H5Pcreate(H5P_DATASET_CREATE));
    const double nothing = -1;
    good(H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &nothing));
    good(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
    good(H5Pset_fill_time(properties, repaired ? H5D_FILL_TIME_NEVER : H5D_FILL_TIME_ALLOC));
    for (hsize_t at = 0; at < 40 * scale; ++at) {
        char name[16];
        snprintf(name, sizeof name, "u%d", (int)at);
        const hid_t set =
            good(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
        good(H5Dclose(set));
    }
    good(H5Pclose(properties));
    good(H5Sclose(space));
    good(H5Fclose(file));
    free(values);
}

static const struct {
    const char* name;
    void (*run)(void);
} all[] = {{"small_chunks", small_chunks}, {"chunks_again", chunks_again}, {"series", series},
           {"flushes", flushes},           {"attributes", attributes},     {"filters", filters},
           {"conversions", conversions},   {"fill_values", fill_values}};

int main(int argc, char** argv)
{
    if (argc < 3) errx(2, "usage: hdf5_twins NAME faulty|repaired [SCALE]");
    repaired = strcmp(argv[2], "repaired") == 0;
    if (argc > 3) scale = (hsize_t)atoi(argv[3]);
    for (size_t at = 0; at < sizeof all / sizeof *all; ++at)
        if (strcmp(argv[1], all[at].name) == 0) {
            compute(0.5);
            all[at].run();
            return 0;
        }
    errx(2, "%s: no such program", argv[1]);
}
