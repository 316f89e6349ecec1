/* netCDF's calls on variables of files of the classic formats, and what must have been counted of them. */
#include <netcdf.h>

#include "did.h"

#define GOOD(call) MUST((call) == NC_NOERR)

enum { rows = 4, columns = 6, elements = rows * columns };

static void of(const char* path, const char* counter, long long n)
{
    did("datasets", path, counter, n);
}

/* A variable that was written or read: in so many blocks, with so many bytes in all. */
static void moved(const char* path, const char* calls, const char* bytes, long long n, long long size)
{
    of(path, calls, n);
    of(path, bytes, size);
}

static void write_and_read(const char* name, int format)
{
    int id, dimensions[2], record[2], values, grows, missing;
    const size_t at[2] = {1, 2}, part[2] = {2, 3}, row[2] = {1, columns};
    const ptrdiff_t stride[2] = {1, 2};
    const double all[elements] = {0};
    double some[elements];
    char path[100], second[100];
    snprintf(path, sizeof path, "%s:values", name);
    snprintf(second, sizeof second, "%s:grows", name);

    GOOD(nc_create(name, NC_CLOBBER | format, &id));
    GOOD(nc_def_dim(id, "rows", rows, &dimensions[0]));
    GOOD(nc_def_dim(id, "columns", columns, &dimensions[1]));
    GOOD(nc_def_dim(id, "times", NC_UNLIMITED, &record[0]));
    record[1] = dimensions[1];
    GOOD(nc_def_var(id, "values", NC_FLOAT, 2, dimensions, &values));
    GOOD(nc_def_var(id, "grows", NC_INT, 2, record, &grows));
    GOOD(nc_enddef(id));
    GOOD(nc_put_var_double(id, values, all));
    GOOD(nc_put_var1_double(id, values, at, all));
    GOOD(nc_put_vara_double(id, values, at, part, all));
    moved(path, "writes", "bytes_written", 3, 4 * (elements + 1 + 6));
    of(path, "regular", 2);
    of(path, "points", 1);
    for (size_t time = 0; time < 3; ++time) {
        const size_t then[2] = {time, 0};
        GOOD(nc_put_vara_double(id, grows, then, row, all));
    }
    moved(second, "writes", "bytes_written", 3, 4LL * 3 * columns);
    of(second, "regular", 3);
    const size_t outside[2] = {rows, columns};
    MUST(nc_put_var1_double(id, values, outside, all) != NC_NOERR);
    of(path, "failed", 1);
    GOOD(nc_close(id));

    /* The same number may be another file's: with other variables. */
    GOOD(nc_create("other.nc", NC_CLOBBER | format, &missing));
    GOOD(nc_def_var(missing, "single", NC_SHORT, 0, NULL, &grows));
    GOOD(nc_enddef(missing));
    GOOD(nc_put_var_double(missing, grows, all));
    moved("other.nc:single", "writes", "bytes_written", 1, 2);
    of("other.nc:single", "points", 1);
    GOOD(nc_close(missing));

    GOOD(nc_open(name, NC_NOWRITE, &id));
    GOOD(nc_inq_varid(id, "values", &values));
    GOOD(nc_get_var_double(id, values, some));
    GOOD(nc_get_var1_double(id, values, at, some));
    GOOD(nc_get_vara_double(id, values, at, part, some));
    moved(path, "reads", "bytes_read", 3, 4 * (elements + 1 + 6));
    of(path, "regular", 2);
    of(path, "points", 1);
    of(path, "switches", 1);
    /* With strides netCDF takes them one by one. */
    const size_t few[2] = {2, 2};
    GOOD(nc_get_vars_double(id, values, at, few, stride, some));
    moved(path, "reads", "bytes_read", 4, 4 * 4);
    of(path, "points", 4);
    GOOD(nc_close(id));
}

int main(void)
{
    write_and_read("classic.nc", 0);
    write_and_read("offset.nc", NC_64BIT_OFFSET);
    write_and_read("data.nc", NC_64BIT_DATA);
    int id;
    GOOD(nc_create("aborted.nc", NC_CLOBBER, &id));
    GOOD(nc_abort(id));
    return 0;
}
