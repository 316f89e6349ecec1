/* One rank of the MPI that unknown_mpi.c pretends to be. */
#include <fcntl.h>
#include <stdio.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_File_open(char comm, const char* path, int mode, char info, void** file);
int MPI_File_iwrite(void* file, const void* from, int n, char type, char* request);
int MPI_Wait(char* request, void* status);
int MPI_File_close(void** file);

int main(int argc, char** argv)
{
    void* file = NULL; /* more room than this MPI's handles take: that of others is a word */
    char request[2] = {0, 'x'};
    if (MPI_Init(&argc, &argv) != 0) return 1;
    if (MPI_File_open('w', "data", O_CREAT | O_WRONLY, 0, &file) != 0) return 2;
    for (int i = 0; i < 30; ++i)
        if (MPI_File_iwrite(file, "0123456789", 10, 'b', request) != 0 || MPI_Wait(request, NULL) != 0)
            return 3;
    if (MPI_File_close(&file) != 0 || request[1] != 'x') return 4;
    puts("first\nlast");
    return MPI_Finalize();
}
