// Finds originals with dlsym.
#include "libinterpose/next.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

// The bounds of the list, made by the linker; both are null where no hook is linked in.
extern fathom::Original* const __start_fathom_originals[] __attribute__((visibility("hidden"), weak));
extern fathom::Original* const __stop_fathom_originals[] __attribute__((visibility("hidden"), weak));

namespace fathom {
namespace {

bool begins_with(const dl_phdr_info& object, const char* beginning)
{
    if (object.dlpi_name == nullptr) return false;
    const char* const slash = std::strrchr(object.dlpi_name, '/');
    return std::strncmp(slash == nullptr ? object.dlpi_name : slash + 1, beginning, std::strlen(beginning)) ==
           0;
}

int find_mpi(dl_phdr_info* object, std::size_t, void* found)
{
    if (!begins_with(*object, "libmpi.so") && !begins_with(*object, "libmpich.so")) return 0;
    *static_cast<const char**>(found) = object->dlpi_name;
    return 1;
}

int find_mpi_abi(dl_phdr_info* object, std::size_t, void*)
{
    return begins_with(*object, "libmpi_abi.so") ? 1 : 0;
}

void* find_in_mpi(const char* name)
{
    const char* library = nullptr;
    dl_iterate_phdr(find_mpi, &library);
    if (library == nullptr) return nullptr;
    void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return handle == nullptr ? nullptr : dlsym(handle, name);
}

bool is_mpi_name(const char* name)
{
    return std::strncmp(name, "MPI_", 4) == 0 || std::strncmp(name, "PMPI_", 5) == 0;
}

}  // namespace

void* next_definition(const char* name)
{
    const int error = errno;
    void* found = dlsym(RTLD_NEXT, name);
    if (found == nullptr && is_mpi_name(name)) found = find_in_mpi(name);
    errno = error;
    return found;
}

void* mpi_variable(const char* name)
{
    const int error = errno;
    void* found = dlsym(RTLD_DEFAULT, name);
    if (found == nullptr) found = find_in_mpi(name);
    errno = error;
    return found;
}

bool mpi_abi_is_loaded()
{
    return dl_iterate_phdr(find_mpi_abi, nullptr) != 0;
}

void find_originals()
{
    for (auto original = __start_fathom_originals; original != __stop_fathom_originals; ++original)
        (*original)->find();
}

void set_missing_errno()
{
    errno = ENOSYS;
}

}  // namespace fathom
