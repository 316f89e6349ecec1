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
#include "libinterpose/hooks/hdf5_hooks.inc"
#undef HDF5
#undef HDF5_SPACE

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
