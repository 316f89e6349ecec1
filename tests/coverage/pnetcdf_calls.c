/* PnetCDF's calls, by all types, forms and manners, and what must have been counted of them. With an
 * argument: but for those on several variables at once. */
#include <mpi.h>
#include <pnetcdf.h>

#include "did.h"

#define GOOD(call) MUST((call) == NC_NOERR)
static int rank = 0, ranks = 1, at_once = 1;

/* All ranks do the same; the first one speaks for all. */
static void of_file(const char* counter, long long n)
{
    if (rank == 0) did("data_files", "calls.nc", counter, n * ranks);
}
/* What does not add up. */
static void has(const char* name, const char* counter, long long n)
{
    char path[100];
    snprintf(path, sizeof path, "calls.nc:%s", name);
    if (rank == 0) did("datasets", path, counter, n);
}
static void of(const char* name, const char* counter, long long n)
{
    has(name, counter, n * ranks);
}

enum { rows = 4, columns = 6, elements = rows * columns, part = 6 };
static MPI_Offset at[2] = {0, 0}, count[2] = {2, 3}, stride[2] = {1, 2}, map[2] = {3, 1};
static MPI_Offset second_at[2] = {2, 0}, second[2] = {1, 6};
static MPI_Offset* starts[2] = {at, second_at};
static MPI_Offset* counts[2] = {count, second};
enum { in_parts = 6 + 6 };

/* Of an element of so many bytes in the file. */
static void moved(const char* name, const char* calls, const char* bytes, const char* manner, long long size)
{
    of(name, calls, 6);
    of(name, bytes, size * (elements + 1 + 3 * part + in_parts));
    if (manner != NULL) of(name, manner, 6);
    of(name, "whole", 1);
    of(name, "points", 1);
    of(name, "regular", 3);
    of(name, "irregular", 1);
}

static MPI_Offset one_by_one[2] = {1, 1}, in_rows[2] = {6, 1};
static MPI_Offset* strides[2] = {stride, one_by_one};
static MPI_Offset* maps[2] = {map, in_rows};
enum { forms_of_several = 5 };

/* The forms on two variables at once, or twice on one: what is counted of both. */
static void moved_at_once(const char* name, const char* calls, const char* bytes, const char* manner,
                          long long size)
{
    if (!at_once) return;
    of(name, calls, 2 * forms_of_several);
    of(name, bytes, 2 * size * (elements + 1 + 3 * part));
    if (manner != NULL) of(name, manner, 2 * forms_of_several);
    of(name, "whole", 2);
    of(name, "points", 2);
    of(name, "regular", 6);
}

/* Each form of a call of one type: what stands in for the memory, and for a request, is given. */
#define FORMS(verb, end, variable, ...)                                                \
    GOOD(ncmpi_##verb##_var##end(id, variable, __VA_ARGS__));                          \
    GOOD(ncmpi_##verb##_var1##end(id, variable, at, __VA_ARGS__));                     \
    GOOD(ncmpi_##verb##_vara##end(id, variable, at, count, __VA_ARGS__));              \
    GOOD(ncmpi_##verb##_vars##end(id, variable, at, count, stride, __VA_ARGS__));      \
    GOOD(ncmpi_##verb##_varm##end(id, variable, at, count, stride, map, __VA_ARGS__)); \
    GOOD(ncmpi_##verb##_varn##end(id, variable, 2, starts, counts, __VA_ARGS__))

#define AT_ONCE(verb, end, ...)                                                                  \
    if (at_once) {                                                                               \
        GOOD(ncmpi_##verb##_var##end(id, 2, both, __VA_ARGS__));                                 \
        GOOD(ncmpi_##verb##_var1##end(id, 2, both, starts, __VA_ARGS__));                        \
        GOOD(ncmpi_##verb##_vara##end(id, 2, both, starts, counts, __VA_ARGS__));                \
        GOOD(ncmpi_##verb##_vars##end(id, 2, both, starts, counts, strides, __VA_ARGS__));       \
        GOOD(ncmpi_##verb##_varm##end(id, 2, both, starts, counts, strides, maps, __VA_ARGS__)); \
    }

/* Requests of nonblocking calls are made good at once: of one form after the other, each is waited for. */
static int id, request;
static void wait_for(int n)
{
    GOOD(ncmpi_wait_all(id, n, n == NC_REQ_ALL ? NULL : &request, NULL));
    of_file("waits", 1);
}

#define TYPE(name, end, memory, size)                                               \
    static void calls_of_##name(int variable)                                       \
    {                                                                               \
        static memory values[elements];                                             \
        memory* buffers[2] = {values, values};                                      \
        int both[2] = {variable, variable};                                         \
        FORMS(put, end##_all, variable, values);                                    \
        moved(#name, "writes", "bytes_written", "collective_writes", size);         \
        FORMS(get, end##_all, variable, values);                                    \
        moved(#name, "reads", "bytes_read", "collective_reads", size);              \
        AT_ONCE(mput, end##_all, buffers);                                          \
        moved_at_once(#name, "writes", "bytes_written", "collective_writes", size); \
        AT_ONCE(mget, end##_all, buffers);                                          \
        moved_at_once(#name, "reads", "bytes_read", "collective_reads", size);      \
        GOOD(ncmpi_begin_indep_data(id));                                           \
        AT_ONCE(mput, end, buffers);                                                \
        moved_at_once(#name, "writes", "bytes_written", NULL, size);                \
        AT_ONCE(mget, end, buffers);                                                \
        moved_at_once(#name, "reads", "bytes_read", NULL, size);                    \
        FORMS(put, end, variable, values);                                          \
        moved(#name, "writes", "bytes_written", NULL, size);                        \
        FORMS(get, end, variable, values);                                          \
        moved(#name, "reads", "bytes_read", NULL, size);                            \
        GOOD(ncmpi_end_indep_data(id));                                             \
        FORMS(iput, end, variable, values, NULL);                                   \
        wait_for(NC_REQ_ALL);                                                       \
        moved(#name, "writes", "bytes_written", "nonblocking_writes", size);        \
        FORMS(iget, end, variable, values, NULL);                                   \
        wait_for(NC_REQ_ALL);                                                       \
        moved(#name, "reads", "bytes_read", "nonblocking_reads", size);             \
        FORMS(bput, end, variable, values, NULL);                                   \
        wait_for(NC_REQ_ALL);                                                       \
        moved(#name, "writes", "bytes_written", "nonblocking_writes", size);        \
    }
TYPE(text, _text, char, 1)
TYPE(schar, _schar, signed char, 1)
TYPE(uchar, _uchar, unsigned char, 1)
TYPE(short, _short, short, 2)
TYPE(ushort, _ushort, unsigned short, 2)
TYPE(int, _int, int, 4)
TYPE(uint, _uint, unsigned, 4)
TYPE(long, _long, long, 8)
TYPE(float, _float, float, 4)
TYPE(double, _double, double, 8)
TYPE(longlong, _longlong, long long, 8)
TYPE(ulonglong, _ulonglong, unsigned long long, 8)

/* Memory of a type of MPI's: how many there are depends on the form. */
#define FLEXIBLE(verb, all, ...)                                                                             \
    GOOD(ncmpi_##verb##_var##all(id, variable, values, elements, MPI_INT __VA_ARGS__));                      \
    GOOD(ncmpi_##verb##_var1##all(id, variable, at, values, 1, MPI_INT __VA_ARGS__));                        \
    GOOD(ncmpi_##verb##_vara##all(id, variable, at, count, values, part, MPI_INT __VA_ARGS__));              \
    GOOD(ncmpi_##verb##_vars##all(id, variable, at, count, stride, values, part, MPI_INT __VA_ARGS__));      \
    GOOD(ncmpi_##verb##_varm##all(id, variable, at, count, stride, map, values, part, MPI_INT __VA_ARGS__)); \
    GOOD(ncmpi_##verb##_varn##all(id, variable, 2, starts, counts, values, in_parts, MPI_INT __VA_ARGS__))
#define FLEXIBLE_AT_ONCE(verb, all)                                                                \
    GOOD(ncmpi_##verb##_var##all(id, 2, both, buffers, of_all, types));                            \
    GOOD(ncmpi_##verb##_var1##all(id, 2, both, starts, buffers, of_one, types));                   \
    GOOD(ncmpi_##verb##_vara##all(id, 2, both, starts, counts, buffers, of_part, types));          \
    GOOD(ncmpi_##verb##_vars##all(id, 2, both, starts, counts, strides, buffers, of_part, types)); \
    GOOD(ncmpi_##verb##_varm##all(id, 2, both, starts, counts, strides, maps, buffers, of_part, types))
static void flexible_at_once(int variable, void* values)
{
    const MPI_Offset of_all[2] = {elements, elements}, of_one[2] = {1, 1}, of_part[2] = {part, part};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    void* buffers[2] = {values, values};
    int both[2] = {variable, variable};
    FLEXIBLE_AT_ONCE(mput, _all);
    moved_at_once("any", "writes", "bytes_written", "collective_writes", 4);
    FLEXIBLE_AT_ONCE(mget, _all);
    moved_at_once("any", "reads", "bytes_read", "collective_reads", 4);
    GOOD(ncmpi_begin_indep_data(id));
    FLEXIBLE_AT_ONCE(mput, );
    moved_at_once("any", "writes", "bytes_written", NULL, 4);
    FLEXIBLE_AT_ONCE(mget, );
    moved_at_once("any", "reads", "bytes_read", NULL, 4);
    GOOD(ncmpi_end_indep_data(id));
}

static void flexible(int variable)
{
    static int values[elements];
    if (at_once) flexible_at_once(variable, values);
    FLEXIBLE(put, _all);
    moved("any", "writes", "bytes_written", "collective_writes", 4);
    FLEXIBLE(get, _all);
    moved("any", "reads", "bytes_read", "collective_reads", 4);
    GOOD(ncmpi_begin_indep_data(id));
    FLEXIBLE(put, );
    moved("any", "writes", "bytes_written", NULL, 4);
    FLEXIBLE(get, );
    moved("any", "reads", "bytes_read", NULL, 4);
    MPI_Datatype in_file;
    MPI_Type_contiguous(5, MPI_INT, &in_file);
    MPI_Type_commit(&in_file);
    GOOD(ncmpi_put_vard(id, variable, in_file, values, 5, MPI_INT));
    GOOD(ncmpi_get_vard(id, variable, in_file, values, 5, MPI_INT));
    GOOD(ncmpi_end_indep_data(id));
    GOOD(ncmpi_put_vard_all(id, variable, in_file, values, 5, MPI_INT));
    GOOD(ncmpi_get_vard_all(id, variable, in_file, values, 5, MPI_INT));
    MPI_Type_free(&in_file);
    of("any", "writes", 2);
    of("any", "bytes_written", 40);
    of("any", "collective_writes", 1);
    of("any", "reads", 2);
    of("any", "bytes_read", 40);
    of("any", "collective_reads", 1);
    of("any", "irregular", 4);
    FLEXIBLE(iput, , , NULL);
    wait_for(NC_REQ_ALL);
    moved("any", "writes", "bytes_written", "nonblocking_writes", 4);
    FLEXIBLE(iget, , , NULL);
    wait_for(NC_REQ_ALL);
    moved("any", "reads", "bytes_read", "nonblocking_reads", 4);
    FLEXIBLE(bput, , , NULL);
    wait_for(NC_REQ_ALL);
    moved("any", "writes", "bytes_written", "nonblocking_writes", 4);
}

/* A variable that grows: how much all of it is, is another matter each time. */
static void records(int variable)
{
    const MPI_Offset one_at[2] = {2, 0}, one[2] = {1, columns};
    static int values[3 * columns];
    GOOD(ncmpi_put_vara_int_all(id, variable, one_at, one, values));
    of("records", "writes", 1);
    of("records", "bytes_written", 4 * columns);
    of("records", "collective_writes", 1);
    of("records", "regular", 1);
    GOOD(ncmpi_get_var_int_all(id, variable, values));
    of("records", "reads", 1);
    of("records", "bytes_read", 4 * 3 * columns);
    of("records", "collective_reads", 1);
    of("records", "whole", 1);
    GOOD(ncmpi_sync_numrecs(id));
}

/* Calls on several variables at once: a call on each, whose own element sizes tell its bytes. */
static void several(const int* variable)
{
    static int first[elements], second_values[elements];
    int these[3] = {variable[5], variable[9], 1000}, *memory[3] = {first, second_values, first};
    for (int value = 0; value < elements; ++value) first[value] = second_values[value] = value;
    GOOD(ncmpi_mput_vara_int_all(id, 2, these, starts, counts, memory));
    first[0] = second_values[5] = -1;
    GOOD(ncmpi_mget_vara_int_all(id, 2, these, starts, counts, memory));
    MUST(first[0] == 0 && second_values[5] == 5);
    for (int one = 0; one < 2; ++one) {
        const char* const name = one == 0 ? "int" : "double";
        of(name, "writes", 1);
        of(name, "reads", 1);
        of(name, "bytes_written", (one == 0 ? 4 : 8) * part);
        of(name, "bytes_read", (one == 0 ? 4 : 8) * part);
        of(name, "collective_writes", 1);
        of(name, "collective_reads", 1);
        of(name, "regular", 2);
        of(name, "failed", 1);
    }
    GOOD(ncmpi_mput_var_int_all(id, 0, these, memory));
    MUST(ncmpi_mget_var_int_all(id, 3, these, memory) != NC_NOERR);
}

/* Two variables that are written together alone: what lies beneath each is its part by bytes, a third and two
 * thirds, though a call makes fewer requests than it has variables. */
static void together(int* variable)
{
    enum { calls = 30 };
    static int values[elements];
    int* memory[2] = {values, values};
    for (int call = 0; call < calls; ++call) GOOD(ncmpi_mput_var_int_all(id, 2, variable, memory));
    for (int one = 0; one < 2; ++one) {
        const char* const name = one == 0 ? "third" : "rest";
        of(name, "writes", calls);
        of(name, "bytes_written", (one == 0 ? 4 : 8) * calls * elements);
        of(name, "collective_writes", calls);
        of(name, "whole", calls);
        if (rank != 0) continue;
        char path[100];
        snprintf(path, sizeof path, "calls.nc:%s", name);
        did_at_least("datasets", path, "mpiio_writes", (one == 0 ? 9 : 19) * ranks);
        did_at_most("datasets", path, "mpiio_writes", (one == 0 ? 11 : 21) * ranks * 2);
    }
}

#define ATTRIBUTE(name, memory, type)                                          \
    {                                                                          \
        memory one = 1;                                                        \
        GOOD(ncmpi_put_att_##name(id, NC_GLOBAL, "of_" #name, type, 1, &one)); \
        GOOD(ncmpi_get_att_##name(id, NC_GLOBAL, "of_" #name, &one));          \
        of_file("attribute_writes", 1);                                        \
        of_file("attribute_reads", 1);                                         \
    }
static void attributes(void)
{
    char text[4] = "abc";
    int value = 1;
    GOOD(ncmpi_put_att(id, NC_GLOBAL, "any", NC_INT, 1, &value));
    GOOD(ncmpi_get_att(id, NC_GLOBAL, "any", &value));
    GOOD(ncmpi_put_att_text(id, NC_GLOBAL, "text", 4, text));
    GOOD(ncmpi_get_att_text(id, NC_GLOBAL, "text", text));
    of_file("attribute_writes", 2);
    of_file("attribute_reads", 2);
    ATTRIBUTE(schar, signed char, NC_BYTE)
    ATTRIBUTE(uchar, unsigned char, NC_UBYTE)
    ATTRIBUTE(short, short, NC_SHORT)
    ATTRIBUTE(ushort, unsigned short, NC_USHORT)
    ATTRIBUTE(int, int, NC_INT)
    ATTRIBUTE(uint, unsigned, NC_UINT)
    ATTRIBUTE(long, long, NC_INT)
    ATTRIBUTE(float, float, NC_FLOAT)
    ATTRIBUTE(double, double, NC_DOUBLE)
    ATTRIBUTE(longlong, long long, NC_INT64)
    ATTRIBUTE(ulonglong, unsigned long long, NC_UINT64)
}

int main(int argc, char** argv)
{
    static const struct {
        const char* name;
        nc_type type;
        void (*make)(int variable);
        int bytes;
    } all[] = {{"text", NC_CHAR, calls_of_text, 1},
               {"schar", NC_BYTE, calls_of_schar, 1},
               {"uchar", NC_UBYTE, calls_of_uchar, 1},
               {"short", NC_SHORT, calls_of_short, 2},
               {"ushort", NC_USHORT, calls_of_ushort, 2},
               {"int", NC_INT, calls_of_int, 4},
               {"uint", NC_UINT, calls_of_uint, 4},
               {"long", NC_INT64, calls_of_long, 8},
               {"float", NC_FLOAT, calls_of_float, 4},
               {"double", NC_DOUBLE, calls_of_double, 8},
               {"longlong", NC_INT64, calls_of_longlong, 8},
               {"ulonglong", NC_UINT64, calls_of_ulonglong, 8},
               {"any", NC_INT, flexible, 4},
               {"records", NC_INT, records, 4},
               {"third", NC_INT, NULL, 4},
               {"rest", NC_DOUBLE, NULL, 8}};
    enum { variables = sizeof all / sizeof *all };
    int dimensions[2], growing[2], variable[variables];
    MUST(MPI_Init(&argc, &argv) == 0);
    at_once = argc == 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    GOOD(ncmpi_create(MPI_COMM_WORLD, "calls.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &id));
    of_file("creates", 1);
    GOOD(ncmpi_def_dim(id, "y", rows, &dimensions[0]));
    GOOD(ncmpi_def_dim(id, "x", columns, &dimensions[1]));
    GOOD(ncmpi_def_dim(id, "t", NC_UNLIMITED, &growing[0]));
    growing[1] = dimensions[1];
    for (int one = 0; one < variables; ++one) {
        const int grows = all[one].make == records;
        GOOD(
            ncmpi_def_var(id, all[one].name, all[one].type, 2, grows ? growing : dimensions, &variable[one]));
        of(all[one].name, "creates", 1);
        has(all[one].name, "element_bytes", all[one].bytes);
        has(all[one].name, "layout", grows ? 6 : 5);
    }
    attributes();
    GOOD(ncmpi__enddef(id, 1000, 4, 0, 4));
    GOOD(ncmpi_redef(id));
    of_file("redefinitions", 1);
    GOOD(ncmpi_enddef(id));
    GOOD(ncmpi_buffer_attach(id, 1 << 16));
    for (int one = 0; one < variables; ++one)
        if (all[one].make != NULL) all[one].make(variable[one]);
    GOOD(ncmpi_buffer_detach(id));
    if (at_once) {
        several(variable);
        together(variable + variables - 2);
    }

    /* One request, waited for by this rank alone. */
    int value = 1;
    GOOD(ncmpi_begin_indep_data(id));
    GOOD(ncmpi_iput_var1_int(id, variable[5], at, &value, &request));
    GOOD(ncmpi_wait(id, 1, &request, NULL));
    of_file("waits", 1);
    of("int", "writes", 1);
    of("int", "bytes_written", 4);
    of("int", "nonblocking_writes", 1);
    of("int", "points", 1);
    MUST(ncmpi_get_var1_int(id, 1000, at, &value) != NC_NOERR);
    GOOD(ncmpi_end_indep_data(id));
    GOOD(ncmpi_sync(id));
    GOOD(ncmpi_flush(id));
    of_file("flushes", 2);
    GOOD(ncmpi_close(id));
    GOOD(ncmpi_open(MPI_COMM_WORLD, "calls.nc", NC_NOWRITE, MPI_INFO_NULL, &id));
    of_file("opens", 1);
    GOOD(ncmpi_get_var_int_all(id, variable[5], (int[elements]){0}));
    of("int", "reads", 1);
    of("int", "bytes_read", 4 * elements);
    of("int", "collective_reads", 1);
    of("int", "whole", 1);
    GOOD(ncmpi_abort(id));
    of_file("closes", 2);
    of_file("collective_opens", 2);
    MPI_Finalize();
    return 0;
}
