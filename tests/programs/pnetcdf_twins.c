/* Programs that use PnetCDF with one fault each, and the same work with the change that the report advises.
 *
 * usage: mpirun -n N pnetcdf_twins NAME faulty|repaired [SCALE]      (in a folder of its own; see
 * tests/e2e/twins.py)
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool repaired;
static int rank, ranks, scale = 1;

static void good(int error)
{
    if (error == NC_NOERR) return;
    fprintf(stderr, "PnetCDF: %s\n", ncmpi_strerror(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void compute(double seconds)
{
    const double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end) continue;
}

/* Attributes are added to a file of 64 MiB that has data already, four times. Its header has no room for
 * them, so that the data move; repaired: it is given some. */
static void moved_header(void)
{
    enum { times = 4, attribute_values = 4096 };
    static double values[attribute_values];
    const MPI_Offset all = (MPI_Offset)(8 << 20) * scale, part = all / ranks, from = rank * part;
    double* const data = calloc((size_t)part, sizeof *data);
    int file, dimension, variable;
    good(ncmpi_create(MPI_COMM_WORLD, "moved.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    good(ncmpi_def_dim(file, "x", all, &dimension));
    good(ncmpi_def_var(file, "u", NC_DOUBLE, 1, &dimension, &variable));
    if (repaired)
        good(ncmpi__enddef(file, 1 << 20, 4, 0, 4));
    else
        good(ncmpi_enddef(file));
    good(ncmpi_put_vara_double_all(file, variable, &from, &part, data));
    for (int time = 0; time < times; ++time) {
        char name[32];
        snprintf(name, sizeof name, "history%d", time);
        good(ncmpi_redef(file));
        good(ncmpi_put_att_double(file, NC_GLOBAL, name, NC_DOUBLE, attribute_values, values));
        good(ncmpi_enddef(file));
    }
    good(ncmpi_close(file));
    free(data);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 3 || strcmp(argv[1], "moved_header") != 0) {
        fputs("usage: pnetcdf_twins moved_header faulty|repaired [SCALE]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    repaired = strcmp(argv[2], "repaired") == 0;
    if (argc > 3) scale = atoi(argv[3]);
    compute(0.5);
    moved_header();
    MPI_Finalize();
    return 0;
}
