// HDF5 without linking it: what it is asked, found at run time in the very library that a call went to.
// Ids are ints before 1.10; as words they pass through, and only their low half means something.
#pragma once

#include <cstdint>

#include "libinterpose/libraries/originals.h"
#include "libinterpose/libraries/space.h"
#include "logformat/library_counters.h"

namespace fathom::hdf5 {

using libraries::extents_of;
using libraries::Loaded;
using libraries::select_all_of;
using libraries::Selection;
using libraries::Space;
using Id = std::int64_t;
using Size = unsigned long long;  // hsize_t
using SignedSize = long long;     // hssize_t

// The least that must be there, and then what newer or parallel ones have.
#define FATHOM_HDF5_QUESTIONS(QUESTION)                                                         \
    QUESTION(H5get_libversion, int, (unsigned*, unsigned*, unsigned*))                          \
    QUESTION(H5Iget_type, int, (Id))                                                            \
    QUESTION(H5Dget_type, Id, (Id))                                                             \
    QUESTION(H5Tget_size, std::size_t, (Id))                                                    \
    QUESTION(H5Tclose, int, (Id))                                                               \
    QUESTION(H5Dget_space, Id, (Id))                                                            \
    QUESTION(H5Sclose, int, (Id))                                                               \
    QUESTION(H5Sget_simple_extent_ndims, int, (Id))                                             \
    QUESTION(H5Sget_simple_extent_dims, int, (Id, Size*, Size*))                                \
    QUESTION(H5Sget_select_npoints, SignedSize, (Id))                                           \
    QUESTION(H5Sget_select_type, int, (Id))                                                     \
    QUESTION(H5Sget_simple_extent_npoints, SignedSize, (Id))                                    \
    QUESTION(H5Dget_create_plist, Id, (Id))                                                     \
    QUESTION(H5Dget_access_plist, Id, (Id))                                                     \
    QUESTION(H5Pclose, int, (Id))                                                               \
    QUESTION(H5Pget_layout, int, (Id))                                                          \
    QUESTION(H5Pget_chunk, int, (Id, int, Size*))                                               \
    QUESTION(H5Pget_nfilters, int, (Id))                                                        \
    QUESTION(H5Pget_filter2, int,                                                               \
             (Id, unsigned, unsigned*, std::size_t*, unsigned*, std::size_t, char*, unsigned*)) \
    QUESTION(H5Pget_chunk_cache, int, (Id, std::size_t*, std::size_t*, double*))                \
    QUESTION(H5Iget_name, long, (Id, char*, std::size_t))                                       \
    QUESTION(H5Fget_name, long, (Id, char*, std::size_t))                                       \
    QUESTION(H5Pget_driver, Id, (Id))                                                           \
    QUESTION(H5Pget_alignment, int, (Id, Size*, Size*))                                         \
    QUESTION(H5Pget_cache, int, (Id, int*, std::size_t*, std::size_t*, double*))                \
    QUESTION(H5Pget_meta_block_size, int, (Id, Size*))                                          \
    QUESTION(H5Pget_sieve_buf_size, int, (Id, std::size_t*))                                    \
    QUESTION(H5Pget_libver_bounds, int, (Id, int*, int*))                                       \
    QUESTION(H5Eget_auto2, int, (Id, void**, void**))                                           \
    QUESTION(H5Eset_auto2, int, (Id, void*, void*))
#define FATHOM_HDF5_FURTHER_QUESTIONS(QUESTION)                               \
    QUESTION(H5Sis_regular_hyperslab, int, (Id))                              \
    QUESTION(H5Sget_select_bounds, int, (Id, Size*, Size*))                   \
    QUESTION(H5Sget_regular_hyperslab, int, (Id, Size*, Size*, Size*, Size*)) \
    QUESTION(H5Pget_dxpl_mpio, int, (Id, int*))                               \
    QUESTION(H5Pget_all_coll_metadata_ops, int, (Id, bool*))                  \
    QUESTION(H5Pget_coll_metadata_write, int, (Id, bool*))                    \
    QUESTION(H5VLget_connector_name, long, (Id, char*, std::size_t))          \
    QUESTION(H5Pget_vol_id, int, (Id, Id*))                                   \
    QUESTION(H5VLclose, int, (Id))                                            \
    QUESTION(H5VL_native_register, Id, ())                                    \
    QUESTION(H5VLcmp_connector_cls, int, (int*, Id, Id))                      \
    QUESTION(H5FD_sec2_init, Id, ())                                          \
    QUESTION(H5FD_stdio_init, Id, ())                                         \
    QUESTION(H5FD_core_init, Id, ())                                          \
    QUESTION(H5FD_family_init, Id, ())                                        \
    QUESTION(H5FD_multi_init, Id, ())                                         \
    QUESTION(H5FD_mpio_init, Id, ())                                          \
    QUESTION(H5FD_direct_init, Id, ())
// Ids that it keeps in variables: what stands for H5P_FILE_ACCESS_DEFAULT, and from 2.0 on what those
// functions gave before.
#define FATHOM_HDF5_VARIABLES(VARIABLE) \
    VARIABLE(H5P_LST_FILE_ACCESS_ID_g)  \
    VARIABLE(H5P_LST_FILE_ACCESS_g)     \
    VARIABLE(H5VL_NATIVE_g)             \
    VARIABLE(H5FD_SEC2_id_g)            \
    VARIABLE(H5FD_STDIO_id_g)           \
    VARIABLE(H5FD_CORE_id_g)            \
    VARIABLE(H5FD_FAMILY_id_g)          \
    VARIABLE(H5FD_MULTI_id_g)           \
    VARIABLE(H5FD_MPIO_id_g)            \
    VARIABLE(H5FD_DIRECT_id_g)

enum class Question : std::uint8_t {
#define VARIABLE(name) name,
    FATHOM_HDF5_QUESTIONS(FATHOM_QUESTION_NUMBER) FATHOM_HDF5_FURTHER_QUESTIONS(FATHOM_QUESTION_NUMBER)
        FATHOM_HDF5_VARIABLES(VARIABLE)
    // clang-format off
    count,
    needed = H5Sis_regular_hyperslab,  // those before it
// clang-format on
#undef VARIABLE
};
static_assert(static_cast<std::size_t>(Question::count) <= std::size(Loaded{}.functions));

FATHOM_HDF5_QUESTIONS(FATHOM_QUESTION_ASKED)
FATHOM_HDF5_FURTHER_QUESTIONS(FATHOM_QUESTION_ASKED)

// Whether this HDF5 can be asked. Looks once for what is needed.
void look_up(Loaded& library);
inline bool is_known(Loaded& library)
{
    return libraries::can_be_asked(library, look_up);
}

// An id as this HDF5 means it.
inline Id id_of(const Loaded& library, Id word)
{
    constexpr std::uint64_t first_of_64_bits = 1'009'000;  // 1.10, and what led to it
    return library.version < first_of_64_bits ? static_cast<std::int32_t>(word) : word;
}

// What a variable of it holds; 0 where it has none.
Id variable_of(const Loaded& library, Question variable);

// While it lives, HDF5 prints nothing of calls that fail. At its end the stack of errors is as after any call
// that succeeded: such a one has been made before.
class Quiet {
  public:
    explicit Quiet(const Loaded& library);
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

  private:
    const Loaded& library_;
    void *function_ = nullptr, *data_ = nullptr;
    bool changed_ = false;
};

enum class Type : int { file = 1, group = 2, datatype = 3, space = 4, dataset = 5 };

// Asks for an extent and what is selected of it. Called with a library that is known, and quiet.
Space ask_space(const Loaded& library, Id space);

// What a creation list of a dataset says, and how its elements lie in the file.
void ask_layout(const Loaded& library, Id creation_list, DatasetCounters& into);
// The chunk cache of an access list of a dataset.
void ask_chunk_cache(const Loaded& library, Id access_list, DatasetCounters& into);
// What an access list of a file says.
void ask_access(const Loaded& library, Id access_list, DataFileCounters& into);
// Whether the library itself keeps this file, and no other connector, which may be asynchronous.
bool is_native(const Loaded& library, Id file);
// The same of a file that a call with an event set was told to open, by the list that it was given: such a
// file may not be open yet, and to ask for it would wait.
bool will_be_native(const Loaded& library, Id access_list);

}  // namespace fathom::hdf5
