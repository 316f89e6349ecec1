/* Stands in for an HDF5 that Debian does not package. With MINOR 8 it is one whose ids are ints, so that the
 * upper halves of the words that carry them mean nothing: each call gives and gets others. With MINOR 14 it
 * has a connector that opens files later: whoever asks about an id of such a file would wait for ever, and
 * this one aborts. With USER it is a program that writes a dataset with such a library, and says nothing.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long word; /* an id as a register has it */
enum { is_narrow = MINOR == 8, file_id = 71, dataset_id = 1 << 20, space_id = 72, type_id = 73, events = 5 };

static word noise;
static __attribute__((unused)) word given(int id)
{
    return is_narrow ? (word)id | ++noise << 32 : id;
}
static __attribute__((unused)) int wanted(word id, int which)
{
    return (is_narrow ? (int)id : id) == which ? 0 : -1;
}

#define ONE_LINE(result, name, ...) \
    result name(__VA_ARGS__);       \
    result name(__VA_ARGS__)

#if defined(USER)

word H5Fcreate(const char*, unsigned, word, word);
int H5Fclose(word);
word H5Dcreate2(word, const char*, word, word, word, word, word);
int H5Dwrite(word, word, word, word, word, const void*);
int H5Dclose(word);
word H5Fcreate_async(const char*, const char*, unsigned, const char*, unsigned, word, word, word);
word H5Dcreate_async(const char*, const char*, unsigned, word, const char*, word, word, word, word, word,
                     word);
word H5Oopen_async(const char*, const char*, unsigned, word, const char*, word, word);
int H5Dwrite_async(const char*, const char*, unsigned, word, word, word, word, word, const void*, word);
int H5Dclose_async(const char*, const char*, unsigned, word, word);
int H5Fclose_async(const char*, const char*, unsigned, word, word);

static void must(int right)
{
    if (!right) exit(1);
}

int main(void)
{
    static const int values[10];
#if MINOR == 8
    must(wanted(H5Fcreate("other.h5", 0, 0, 0), file_id) == 0);
    must(wanted(H5Dcreate2(given(file_id), "data", given(type_id), given(space_id), given(0), given(0), 0),
                dataset_id) == 0);
    for (int round = 0; round < 3; ++round)
        must(H5Dwrite(given(dataset_id), given(type_id), given(0), given(0), given(0), values) == 0);
    must(H5Dclose(given(dataset_id)) == 0 && H5Fclose(given(file_id)) == 0);
    must(H5Dwrite(given(dataset_id), given(type_id), given(0), given(0), given(0), values) == -1);
#else
    const word file = H5Fcreate_async("", "", 0, "other.h5", 0, 0, 0, events);
    const word dataset = H5Dcreate_async("", "", 0, file, "data", type_id, space_id, 0, 0, 0, events);
    must(file == file_id && dataset == dataset_id &&
         H5Oopen_async("", "", 0, file, "data", 0, events) == dataset_id);
    for (int round = 0; round < 3; ++round)
        must(H5Dwrite_async("", "", 0, dataset, type_id, space_id, space_id, 0, values, events) == 0);
    must(H5Dclose_async("", "", 0, dataset, events) == 0 && H5Fclose_async("", "", 0, file, events) == 0);
#endif
    return 0;
}

#else

/* A question about what may not be there yet. */
static int asked(word id)
{
    if (!is_narrow && (id == file_id || id == dataset_id)) abort();
    return 0;
}

static int open_datasets;

ONE_LINE(int, H5get_libversion, unsigned* major, unsigned* minor, unsigned* patch)
{
    *major = 1, *minor = MINOR, *patch = 0;
    return 0;
}
ONE_LINE(int, H5Iget_type, word id)
{
    return asked(id) + wanted(id, dataset_id) == 0 ? 5 : 1;
}
ONE_LINE(word, H5Dget_type, word id)
{
    return asked(id) == 0 ? given(type_id) : -1;
}
ONE_LINE(size_t, H5Tget_size, word id)
{
    return wanted(id, type_id) == 0 ? 4 : 0;
}
ONE_LINE(int, H5Tclose, word id)
{
    return wanted(id, type_id);
}
ONE_LINE(word, H5Dget_space, word id)
{
    return asked(id) == 0 ? given(space_id) : -1;
}
ONE_LINE(int, H5Sclose, word id)
{
    return wanted(id, space_id);
}
ONE_LINE(int, H5Sget_simple_extent_ndims, word id)
{
    return wanted(id, space_id) == 0 ? 1 : -1;
}
ONE_LINE(int, H5Sget_simple_extent_dims, word id, unsigned long long* extent, unsigned long long* most)
{
    if (extent != NULL) *extent = 10;
    return most == NULL && wanted(id, space_id) == 0 ? 1 : -1;
}
ONE_LINE(long long, H5Sget_select_npoints, word id)
{
    return wanted(id, space_id) == 0 ? 10 : -1;
}
ONE_LINE(long long, H5Sget_simple_extent_npoints, word id)
{
    return wanted(id, space_id) == 0 ? 10 : -1;
}
ONE_LINE(int, H5Sget_select_type, word id)
{
    return wanted(id, space_id) == 0 ? 3 : -1;
}
ONE_LINE(word, H5Dget_create_plist, word id)
{
    return asked(id) - 1;
}
ONE_LINE(word, H5Dget_access_plist, word id)
{
    return asked(id) - 1;
}
ONE_LINE(long, H5Iget_name, word id, char* name, size_t room)
{
    return *name = 0, (void)room, asked(id) - 1;
}
ONE_LINE(long, H5Fget_name, word id, char* name, size_t room)
{
    strncpy(name, "other.h5", room);
    return asked(id) + (long)strlen("other.h5");
}
ONE_LINE(int, H5Eget_auto2, word stack, void** function, void** data)
{
    return *function = *data = NULL, wanted(stack, 0);
}
ONE_LINE(int, H5Eset_auto2, word stack, void* function, void* data)
{
    return function == NULL && data == NULL ? wanted(stack, 0) : -1;
}
/* Of lists of properties it has none. */
ONE_LINE(int, H5Pclose, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_layout, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_chunk, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_nfilters, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_filter2, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_chunk_cache, word id)
{
    return (void)id, -1;
}
ONE_LINE(word, H5Pget_driver, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_alignment, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_cache, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_meta_block_size, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_sieve_buf_size, word id)
{
    return (void)id, -1;
}
ONE_LINE(int, H5Pget_libver_bounds, word id)
{
    return (void)id, -1;
}

static word create(const char* name)
{
    FILE* const file = fopen(name, "w");
    return file != NULL && fclose(file) == 0 ? given(file_id) : -1;
}
static word create_dataset(word place, word type, word space)
{
    open_datasets = 1;
    return wanted(place, file_id) + wanted(type, type_id) + wanted(space, space_id) == 0 ? given(dataset_id)
                                                                                         : -1;
}
static int write_to(word dataset)
{
    return open_datasets == 1 ? wanted(dataset, dataset_id) : -1;
}

#if MINOR == 8
ONE_LINE(word, H5Fcreate, const char* name, unsigned flags, word creation, word access)
{
    return (void)flags, (void)creation, (void)access, create(name);
}
ONE_LINE(int, H5Fclose, word file)
{
    return wanted(file, file_id);
}
ONE_LINE(word, H5Dcreate2, word place, const char* name, word type, word space, word link, word list,
         word access)
{
    return (void)name, (void)link, (void)list, (void)access, create_dataset(place, type, space);
}
ONE_LINE(int, H5Dwrite, word dataset, word type, word memory, word space, word list, const void* from)
{
    return (void)type, (void)memory, (void)space, (void)list, (void)from, write_to(dataset);
}
ONE_LINE(int, H5Dclose, word dataset)
{
    return open_datasets = 0, wanted(dataset, dataset_id);
}
#else
word H5P_LST_FILE_ACCESS_ID_g = 80;
ONE_LINE(word, H5VL_native_register, void)
{
    return 81;
}
ONE_LINE(int, H5Pget_vol_id, word list, word* connector)
{
    return *connector = 82, list == 80 ? 0 : -1;
}
ONE_LINE(int, H5VLclose, word connector)
{
    return connector == 82 ? 0 : -1;
}
ONE_LINE(int, H5VLcmp_connector_cls, int* difference, word one, word other)
{
    return *difference = one != other, 0;
}
ONE_LINE(long, H5VLget_connector_name, word id, char* name, size_t room)
{
    return *name = 0, (void)room, asked(id) - 1;
}
#define FROM const char *in_file, const char *in_function, unsigned in_line
#define UNUSED_FROM (void)in_file, (void)in_function, (void)in_line
ONE_LINE(word, H5Fcreate_async, FROM, const char* name, unsigned flags, word creation, word access, word set)
{
    return UNUSED_FROM, (void)flags, (void)creation, (void)access, set == events ? create(name) : -1;
}
ONE_LINE(word, H5Dcreate_async, FROM, word place, const char* name, word type, word space, word link,
         word list, word access, word set)
{
    UNUSED_FROM, (void)name, (void)link, (void)list, (void)access;
    return set == events ? create_dataset(place, type, space) : -1;
}
ONE_LINE(word, H5Oopen_async, FROM, word place, const char* name, word access, word set)
{
    return UNUSED_FROM, (void)name, (void)access, place == file_id && set == events ? dataset_id : -1;
}
ONE_LINE(int, H5Dwrite_async, FROM, word dataset, word type, word memory, word space, word list,
         const void* from, word set)
{
    UNUSED_FROM, (void)type, (void)memory, (void)space, (void)list, (void)from;
    return set == events ? write_to(dataset) : -1;
}
ONE_LINE(int, H5Dclose_async, FROM, word dataset, word set)
{
    return UNUSED_FROM, set == events ? wanted(dataset, dataset_id) : -1;
}
ONE_LINE(int, H5Fclose_async, FROM, word file, word set)
{
    return UNUSED_FROM, set == events ? wanted(file, file_id) : -1;
}
#endif

#endif
