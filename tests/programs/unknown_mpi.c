/* An MPI of no kind that Fathom knows, as far as unknown_mpi_job.c needs one: its handles are its own affair.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BOTH(name) __attribute__((alias("P" #name))) __typeof__(P##name) name

int PMPI_Init(int* argc, char*** argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
BOTH(MPI_Init);

int PMPI_Finalize(void)
{
    return 0;
}
BOTH(MPI_Finalize);

/* Fathom calls it with a handle that it has made up only by mistake. */
int PMPI_Comm_rank(long of, int* rank)
{
    (void)of, (void)rank;
    abort();
}

#if defined(SEEMS_TO_BE_MPICH)
void MPIR_Dup_fn(void) {}
#endif

int PMPI_Type_size_x(char type, long long* size)
{
    *size = type == 'b' ? 1 : -32766;
    return 0;
}

int PMPI_File_open(char comm, const char* path, int mode, char info, int* file)
{
    (void)comm, (void)info;
    *file = open(path, mode, 0600);
    return *file < 0 ? 1 : 0;
}
BOTH(MPI_File_open);

int PMPI_File_iwrite(int file, const void* from, int n, char type, char* request)
{
    *request = type;
    return write(file, from, (size_t)n) == n ? 0 : 1;
}
BOTH(MPI_File_iwrite);

int PMPI_Wait(char* request, void* status)
{
    (void)status;
    *request = 0;
    return 0;
}
BOTH(MPI_Wait);

int PMPI_File_close(int* file)
{
    return close(*file);
}
BOTH(MPI_File_close);
