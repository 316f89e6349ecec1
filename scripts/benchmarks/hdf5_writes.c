/* Writes 64 bytes to a dataset again and again, whole or after selecting them: hdf5_writes whole|select
 * CALLS. Prints the nanoseconds of processor time that a round took. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { values_at_once = 8, places = 1000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int count, char** arguments)
{
    if (count != 3) return 2;
    const int selects = strcmp(arguments[1], "select") == 0, calls = atoi(arguments[2]);
    const hsize_t few = values_at_once, extent = selects ? values_at_once * places : values_at_once;
    const double values[values_at_once] = {1};
    const hid_t file = H5Fcreate("writes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &extent, NULL), memory = H5Screate_simple(1, &few, NULL);
    const hid_t dataset =
        H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    double start = 0;
    for (int call = -calls / 20; call < calls; ++call) {
        const hsize_t at = (hsize_t)(call < 0 ? 0 : call % places) * values_at_once;
        if (call == 0) start = now();
        if (selects && H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &few, NULL) < 0) return 1;
        if (H5Dwrite(dataset, H5T_NATIVE_DOUBLE, selects ? memory : H5S_ALL, selects ? space : H5S_ALL,
                     H5P_DEFAULT, values) < 0)
            return 1;
    }
    printf("%.1f\n", (now() - start) / calls);
    return H5Dclose(dataset) < 0 || H5Fclose(file) < 0;
}
