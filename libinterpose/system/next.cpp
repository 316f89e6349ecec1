// Finds originals with dlsym.
#include "libinterpose/system/next.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <span>

#include "libinterpose/system/object.h"
#include "libinterpose/system/own_memory.h"

// The bounds of the lists, made by the linker; both are null where no hook is linked in.
extern fathom::Original __start_fathom_originals[] __attribute__((visibility("hidden"), weak));
extern fathom::Original __stop_fathom_originals[] __attribute__((visibility("hidden"), weak));
extern fathom::Original __start_fathom_of_streams[] __attribute__((visibility("hidden"), weak));
extern fathom::Original __stop_fathom_of_streams[] __attribute__((visibility("hidden"), weak));

namespace fathom {
namespace {

// Libraries that may have been loaded with local scope, by how the names of their functions and of their
// files begin.
struct Library {
    const char* functions;
    const char* file;
};
constexpr Library libraries[] = {
    {"MPI_", "libmpi.so"},  {"MPI_", "libmpich.so"},  {"PMPI_", "libmpi.so"}, {"PMPI_", "libmpich.so"},
    {"io_", "liburing.so"}, {"__io_", "liburing.so"}, {"io_", "libaio.so"},
};

bool begins(const char* text, const char* with)
{
    return std::strncmp(text, with, std::strlen(with)) == 0;
}

// The part of its path behind the last slash.
const char* file_name(const dl_phdr_info& object)
{
    const char* const path = object.dlpi_name == nullptr ? "" : object.dlpi_name;
    const char* const slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

int find_mpi_abi(dl_phdr_info* object, std::size_t, void*)
{
    return begins(file_name(*object), "libmpi_abi.so") ? 1 : 0;
}

struct Search {
    const char* file;
    const char* found;
};

int find_library(dl_phdr_info* object, std::size_t, void* data)
{
    auto* const search = static_cast<Search*>(data);
    if (!begins(file_name(*object), search->file)) return 0;
    search->found = object->dlpi_name;
    return 1;
}

void* find_in(const char* file, const char* name)
{
    Search search{file, nullptr};
    dl_iterate_phdr(find_library, &search);
    if (search.found == nullptr) return nullptr;
    void* const handle = dlopen(search.found, RTLD_LAZY | RTLD_NOLOAD);
    return handle == nullptr ? nullptr : dlsym(handle, name);
}

void* find_in_libraries(const char* name)
{
    for (const Library& library : libraries)
        if (begins(name, library.functions))
            if (void* const found = find_in(library.file, name)) return found;
    return nullptr;
}

}  // namespace

void* next_definition(const char* name)
{
    if (void* const found = quick_definition(name)) return found;
    const int error = errno;
    void* found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) found = find_in_libraries(name);
    errno = error;
    return found;
}

void* mpi_variable(const char* name)
{
    const int error = errno;
    void* found = dlsym(RTLD_DEFAULT, name);
    if (found == nullptr) found = find_in("libmpi.so", name);
    if (found == nullptr) found = find_in("libmpich.so", name);
    errno = error;
    return found;
}

bool mpi_abi_is_loaded()
{
    return dl_iterate_phdr(find_mpi_abi, nullptr) != 0;
}

namespace {

// The objects behind this library in the order in which names are looked up at the start, up to the C
// library: these are never unloaded. dlsym takes some 900 instructions for a name, and a lock.
class Behind {
  public:
    // False: it is not known what is behind us. (What is written here was not read before: that would take a
    // second page fault.)
    bool read()
    {
        std::size_t count = 0;
        // Somebody wants to be told by the dynamic linker of what is bound.
        if (std::getenv("LD_AUDIT") != nullptr) return false;
        bool passed_us = false, has_all = false;
        each_object([&](const Object& one) {
            if (!passed_us) {
                passed_us = one.has(&__start_fathom_originals);
                return false;
            }
            // Objects without symbols define nothing, nor does what the kernel maps.
            if (!one.has_symbols() || std::strncmp(one.path(), "linux-vdso", 10) == 0) return false;
            if (!one.is_quick() || count == most) return true;
            objects_[count++] = one;
            has_all = one.defined("gnu_get_libc_version") != nullptr;
            return has_all;
        });
        count_ = count;
        return has_all;
    }

    // nullptr: not there, or the dynamic linker has to be asked.
    void* find(const char* name) const
    {
        const std::uint32_t hash = Object::hash_of(name);
        for (const Object& one : std::span(objects_).first(count_))
            if (const auto* const symbol = one.symbol(name, hash)) return one.function(*symbol);
        return nullptr;
    }

  private:
    static constexpr std::size_t most = 256;
    std::size_t count_ = 0;
    Object objects_[most];
};

FATHOM_LARGE constinit Behind behind;
enum class Known { nothing, tables, all };
constinit std::atomic<Known> known{Known::nothing};

}  // namespace

void* quick_definition(const char* name)
{
    return known.load(std::memory_order_acquire) == Known::tables ? behind.find(name) : nullptr;
}

void find_originals()
{
    const int error = errno;
    if (behind.read()) {
        known.store(Known::tables, std::memory_order_release);
    } else {
        for (auto one = __start_fathom_originals; one != __stop_fathom_originals; ++one) one->find();
        for (auto one = __start_fathom_of_streams; one != __stop_fathom_of_streams; ++one) one->find();
        known.store(Known::all, std::memory_order_release);
    }
    errno = error;
}

bool knows_originals()
{
    return known.load(std::memory_order_acquire) != Known::nothing;
}

bool finds_originals_of_streams()
{
    for (auto one = __start_fathom_of_streams; one != __stop_fathom_of_streams; ++one)
        if (one->find() == nullptr) return false;
    return true;
}

void set_missing_errno()
{
    errno = ENOSYS;
}

}  // namespace fathom
