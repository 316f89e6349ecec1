/* Programs of HDF5 that do much, or end or behave badly: hdf5_lives NAME [NUMBER]. */
#include <err.h>
#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { few = 4, bytes_of_few = few * sizeof(int) };
static int values[few];
static int number = 1000;

static hid_t file_of(const char* name)
{
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) errx(1, "%s", name);
    return file;
}

static hid_t dataset_of(hid_t file, const char* name)
{
    const hsize_t extent = few;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    const hid_t dataset =
        H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (dataset < 0 || H5Sclose(space) < 0) errx(1, "%s", name);
    return dataset;
}

static void write_to(hid_t dataset)
{
    if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) errx(1, "H5Dwrite");
}

/* More datasets than any part has room for. */
static int many(void)
{
    const hid_t file = file_of("many.h5");
    char name[50];
    for (int one = 0; one < number; ++one) {
        snprintf(name, sizeof name, "dataset %d", one);
        const hid_t dataset = dataset_of(file, name);
        write_to(dataset);
        if (H5Dclose(dataset) < 0) errx(1, "H5Dclose");
    }
    return H5Fclose(file) < 0;
}

static int killed(void)
{
    const hid_t dataset = dataset_of(file_of("killed.h5"), "data");
    for (int one = 0; one < number; ++one) write_to(dataset);
    return raise(SIGKILL);
}

/* Nothing is closed; HDF5 does that itself as the program ends. And ids that were closed are used again. */
static int left_open(void)
{
    const hid_t file = file_of("left.h5"), dataset = dataset_of(file, "left"),
                closed = dataset_of(file, "closed");
    write_to(dataset);
    write_to(closed);
    if (H5Dclose(closed) < 0) errx(1, "H5Dclose");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (H5Dwrite(closed, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0)
        errx(1, "a write to what is closed");
    if (H5Eget_num(H5E_DEFAULT) == 0) errx(1, "HDF5 does not say why");
    return 0;
}

static int again_after_the_end(void)
{
    for (int round = 0; round < 3; ++round) {
        const hid_t file = file_of("again.h5"), dataset = dataset_of(file, "data");
        for (int one = 0; one <= round; ++one) write_to(dataset);
        if (H5close() < 0) errx(1, "H5close");
    }
    return 0;
}

/* What a callback does within a read is not counted by itself; and it may leave for good. */
static hid_t other;
static int calls;
static H5T_conv_ret_t convert(H5T_conv_except_t what, hid_t from, hid_t to, void* in, void* out, void* data)
{
    (void)what, (void)from, (void)to, (void)in, (void)out, (void)data;
    ++calls;
    write_to(other);
    return H5T_CONV_UNHANDLED;
}
static int in_callbacks(void)
{
    const hid_t file = file_of("callbacks.h5"), dataset = dataset_of(file, "data"),
                list = H5Pcreate(H5P_DATASET_XFER);
    other = dataset_of(file, "other");
    values[0] = 1 << 20;
    write_to(dataset);
    write_to(other);
    signed char narrow[few];
    H5Pset_type_conv_cb(list, convert, NULL);
    if (H5Dread(dataset, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, list, narrow) < 0 || calls == 0)
        errx(1, "no callback");
    write_to(other);
    return H5Fclose(file) < 0;
}

/* Datasets of their own, and one that all write to, which an HDF5 for threads lets them do in turn. */
static hid_t of_all, file_of_all;
static void* write_in_thread(void* name)
{
    const hid_t own = dataset_of(file_of_all, name);
    for (int one = 0; one < number; ++one) {
        write_to(own);
        write_to(of_all);
    }
    if (H5Dclose(own) < 0) errx(1, "H5Dclose");
    return NULL;
}
static int threads(void)
{
    static char names[4][10];
    pthread_t thread[4];
    hbool_t safe = 0;
    H5is_library_threadsafe(&safe);
    file_of_all = file_of("threads.h5");
    of_all = dataset_of(file_of_all, "all");
    for (int one = 0; one < 4; ++one) {
        snprintf(names[one], sizeof names[one], "own.%d", one);
        if (pthread_create(&thread[one], NULL, write_in_thread, names[one]) != 0) errx(1, "pthread_create");
        if (!safe) pthread_join(thread[one], NULL);
    }
    for (int one = 0; safe && one < 4; ++one) pthread_join(thread[one], NULL);
    return H5Dclose(of_all) < 0 || H5Fclose(file_of_all) < 0;
}

int main(int count, char** arguments)
{
    static const struct {
        const char* name;
        int (*live)(void);
    } lives[] = {{"many", many},
                 {"killed", killed},
                 {"left_open", left_open},
                 {"again_after_the_end", again_after_the_end},
                 {"in_callbacks", in_callbacks},
                 {"threads", threads}};
    if (count > 2) number = atoi(arguments[2]);
    for (size_t one = 0; count > 1 && one < sizeof lives / sizeof *lives; ++one)
        if (strcmp(arguments[1], lives[one].name) == 0) return lives[one].live();
    errx(2, "usage: hdf5_lives NAME [NUMBER]");
}
