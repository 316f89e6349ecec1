/* What libfathom.so takes for granted of the MPI that it finds in a program, compared with the mpi.h of this
 * one. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

#if defined(OPEN_MPI)
#include <dlfcn.h>
#define MPI_CONSTANT(member, name, number, object) {#name, name, #object},
static const struct {
    const char* name;
    const void* handle;
    const char* object;
} handles[] = {
#include "libinterpose/mpi/mpi_constants.inc"
};
_Static_assert(sizeof(MPI_Request) == 8, "handles are pointers");
_Static_assert((size_t)MPI_STATUS_IGNORE == 0, "MPI_STATUS_IGNORE");
#elif defined(MPICH_VERSION)
#define MPI_CONSTANT(member, name, number, object) _Static_assert((unsigned)(name) == (number), #name);
#include "libinterpose/mpi/mpi_constants.inc"
_Static_assert(sizeof(MPI_Request) == 4 && sizeof(MPI_Comm) == 4, "handles are ints");
_Static_assert((size_t)MPI_STATUS_IGNORE == 1, "MPI_STATUS_IGNORE");
#else
#error "a family of MPIs that Fathom does not know"
#endif
_Static_assert(sizeof(MPI_File) == 8, "files are pointers");
_Static_assert(sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8, "offsets and counts");
_Static_assert(MPI_SUCCESS == 0, "success");
_Static_assert(MPI_MODE_CREATE == 1 && MPI_MODE_WRONLY == 4, "modes of opening");

int main(void)
{
    int wrong = 0;
#if defined(OPEN_MPI)
    for (size_t at = 0; at < sizeof handles / sizeof handles[0]; ++at) {
        if (handles[at].handle == dlsym(RTLD_DEFAULT, handles[at].object)) continue;
        printf("%s is not the address of %s\n", handles[at].name, handles[at].object);
        wrong = 1;
    }
#endif
    return wrong;
}
