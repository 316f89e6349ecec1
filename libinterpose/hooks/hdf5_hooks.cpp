// Expands the table of HDF5's calls.
#include "libinterpose/hooks/library_hook.h"
#include "libinterpose/operations/hdf5_operations.h"

namespace fathom {
namespace hdf5 {
namespace {

using F = DataFileCounters;
using D = DatasetCounters;

struct Token {  // H5O_token_t
    std::uint64_t word[2];
};

}  // namespace

#define HDF5 FATHOM_LIBRARY_ROW
#define HDF5_SPACE FATHOM_LIBRARY_UNTIMED_ROW
// Calls that may be brief.
#define HDF5_TRANSFER(result, name, parameters, arguments, operation)         \
    FATHOM_BARE_HOOK(result, name, parameters)                                \
    {                                                                         \
        FATHOM_LIBRARY_ORIGINAL(result, name, parameters)                     \
        auto& one = brief_of<decltype(operation)::Side>();                    \
        if (__builtin_expect(one.begin(original, dataset, space, list), 1)) { \
            const result given = call arguments;                              \
            one.end(given);                                                   \
            return given;                                                     \
        }                                                                     \
        auto what = operation;                                                \
        if (!libraries::begins(what, original)) return call arguments;        \
        const std::uint64_t start = now();                                    \
        const result given = call arguments;                                  \
        libraries::ends(what, given, Interval{start, now()});                 \
        return given;                                                         \
    }
#include "libinterpose/hooks/hdf5_hooks.inc"
// Macros of HDF5 put in front of the arguments where in the program the call is made.
#define UNPACKED(...) __VA_ARGS__
#define LATER(row, result, name, parameters, arguments, operation)                                           \
    row(result, name, (const char* in_file, const char* in_function, unsigned in_line, UNPACKED parameters), \
        (in_file, in_function, in_line, UNPACKED arguments), UNPACKED operation)
#define HDF5_LATER(result, name, parameters, arguments, ...) \
    LATER(HDF5, result, name, parameters, arguments, (__VA_ARGS__))
#define HDF5_SPACE_LATER(result, name, parameters, arguments, ...) \
    LATER(HDF5_SPACE, result, name, parameters, arguments, (__VA_ARGS__))
#define HDF5_TRANSFER_LATER(result, name, parameters, arguments, ...) \
    LATER(HDF5_TRANSFER, result, name, parameters, arguments, (__VA_ARGS__))
#include "libinterpose/hooks/hdf5_async_hooks.inc"
#undef UNPACKED
#undef LATER
#undef HDF5_LATER
#undef HDF5_SPACE_LATER
#undef HDF5_TRANSFER_LATER
#undef HDF5
#undef HDF5_SPACE
#undef HDF5_TRANSFER

}  // namespace hdf5

namespace {
constinit Next<int(void*)> next_dlclose("dlclose");
}

// Who is called by whom may be another thing afterwards.
FATHOM_BARE_HOOK(int, dlclose, (void* handle))
{
    const int result = next_dlclose(handle);
    libraries::something_was_unloaded();
    return result;
}

}  // namespace fathom
