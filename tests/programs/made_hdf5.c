/* A library that has names of HDF5, and says of each call that it was the one: several of them are loaded
 * into one process, each where only those that need it see it. With USER it is a library that calls such a
 * one.
 */
#include <stddef.h>

#if defined(USER)

int H5Dwrite(long, long, long, long, long, const void*);
int H5Fclose(long);

/* The call comes back here… */
int writes_in(void);
int writes_in(void)
{
    const int who = H5Dwrite(1, 0, 0, 0, 0, NULL);
    return who + 0 * H5Fclose(1);
}

/* …or to whoever called this, as compilers make of a last call. */
int jumps_into(void);
int jumps_into(void)
{
    return H5Dwrite(1, 0, 0, 0, 0, NULL);
}

#else

int H5Dwrite(long dataset, long type, long memory, long space, long list, const void* from);
int H5Dwrite(long dataset, long type, long memory, long space, long list, const void* from)
{
    (void)type, (void)memory, (void)space, (void)list, (void)from;
    return dataset == 1 ? WHO : -1;
}
int H5Fclose(long file);
int H5Fclose(long file)
{
    return file == 1 ? WHO : -1;
}

#endif
