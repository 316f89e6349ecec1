// Does once for a caller what the dynamic linker did when it was loaded.
#include "libinterpose/libraries/originals.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>

#include "libinterpose/system/next.h"
#include "libinterpose/system/own_memory.h"

namespace fathom::libraries {

constinit std::atomic<std::uint64_t> generation{1};
thread_local constinit Loaded* last_used __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

struct Pool {
    static constexpr std::size_t most = 8192;
    std::atomic<std::size_t> used;
    Binding binding[most];
};
constinit OnDemand<Pool> pool;

constinit Next<int(void*)> close_handle("dlclose");  // ours says that something was unloaded

FATHOM_LARGE constinit Loaded loaded[Loaded::most]{};

Binding* new_binding()
{
    Pool* const all = pool.make();
    if (all == nullptr) return nullptr;
    const std::size_t at = all->used.fetch_add(1, std::memory_order_relaxed);
    return at < Pool::most ? &all->binding[at] : nullptr;
}

Loaded* library_at(std::uintptr_t begin, const char* function)
{
    begin += *function == 'n' ? of_pnetcdf : *function == 'N' ? of_netcdf : 0;
    for (std::size_t at = 0; at < Loaded::most; ++at) {
        std::uintptr_t known = 0;
        if (loaded[at].key.compare_exchange_strong(known, begin, std::memory_order_acq_rel)) {
            loaded[at].number = static_cast<std::uint8_t>(at);
            return &loaded[at];
        }
        if (known == begin) return &loaded[at];
    }
    return nullptr;
}

bool is_ours(const void* function)
{
    static constinit std::atomic<std::uintptr_t> begin{}, end{};
    if (end.load(std::memory_order_acquire) == 0) {
        const Object own = Object::holding(&begin);
        begin.store(own.begin(), std::memory_order_relaxed);
        end.store(own.end(), std::memory_order_release);
    }
    const auto at = reinterpret_cast<std::uintptr_t>(function);
    return at >= begin.load(std::memory_order_relaxed) && at < end.load(std::memory_order_relaxed);
}

// With the version that the caller asks for: two HDF5s that are loaded side by side often differ in it.
void* look_up(void* where, const char* name, const char* version)
{
    void* const found = version == nullptr ? dlsym(where, name) : dlvsym(where, name, version);
    if (found == nullptr) dlerror();  // ours: nobody else is to find it
    return is_ours(found) ? nullptr : found;
}

void* in_scope_of(const Object& caller, const char* name, const char* version)
{
    if (void* const global = look_up(RTLD_NEXT, name, version)) return global;
    if (!caller || *caller.path() == 0) return nullptr;
    void* const handle = dlopen(caller.path(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return dlerror(), nullptr;
    void* const found = look_up(handle, name, version);
    close_handle(handle);
    return found;
}

// How many objects the process has loaded so far.
std::uint64_t loads_so_far()
{
    std::uint64_t loads = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            *static_cast<std::uint64_t*>(data) = info->dlpi_adds;
            return 1;
        },
        &loads);
    return loads;
}

// A caller that sees no such function has the address from somebody who does: from a last call that became a
// jump, from dlsym in the scope of all. Where only one library defines it, that one is meant; of several,
// most likely the one that was called last.
void* likely_definition(const char* name, bool& is_only)
{
    void* found = nullptr;
    bool several = false;
    each_object([&](const Object& one) {
        void* const here = one.defined(name);
        if (here == nullptr || is_ours(here)) return false;
        several = found != nullptr;
        found = here;
        return several;
    });
    is_only = !several;
    if (is_only) return found;
    const Object last = last_used == nullptr ? Object() : last_used->object();
    return last ? last.defined(name) : nullptr;
}

}  // namespace

Object Loaded::object() const
{
    const std::uintptr_t begin = key.load(std::memory_order_relaxed) & ~(of_pnetcdf | of_netcdf);
    Object found;
    each_object([&](const Object& one) {
        if (one.begin() == begin) found = one;
        return static_cast<bool>(found);
    });
    return found;
}

void Loaded::find_all(std::span<const char* const> names)
{
    const Object found = object();
    is_whole = static_cast<bool>(found);
    std::size_t at = 0;
    for (const char* const name : names) {
        functions[at] = found ? found.defined(name) : nullptr;
        is_whole = is_whole && functions[at++] != nullptr;
    }
}

Original Function::find(const char* name, std::uintptr_t caller)
{
    const std::uint64_t now = generation.load(std::memory_order_acquire);
    Binding* const first = first_.load(std::memory_order_acquire);
    for (const Binding* one = first; one != nullptr; one = one->next)
        if (caller - one->begin < one->end - one->begin &&
            one->generation.load(std::memory_order_relaxed) == now &&
            (one->loads == 0 || one->loads == loads_so_far()))
            return last_used = one->original.library, one->original;

    const int error = errno;
    const Object object = Object::holding(reinterpret_cast<const void*>(caller));
    const char* const version = object ? object.version_needed(name) : nullptr;
    Original original;
    original.function = in_scope_of(object, name, version);
    const bool certain = original.function != nullptr;
    bool is_only = false;
    if (!certain) original.function = likely_definition(name, is_only);
    if (original.function != nullptr) {
        const Object where = Object::holding(original.function);
        if (where) original.library = library_at(where.begin(), name);
    }
    errno = error;
    last_used = original.library;
    // One of several may be another one the next time, and one that is not there may be loaded later.
    if (original.function == nullptr || (!certain && !is_only)) return original;
    const std::uint64_t loads = certain ? 0 : loads_so_far();
    for (Binding* one = first; one != nullptr; one = one->next)
        if (one->begin == object.begin() && one->end == object.end() &&
            one->original.function == original.function && one->loads == loads) {
            one->generation.store(now, std::memory_order_relaxed);
            return original;
        }
    Binding* const kept = object ? new_binding() : nullptr;
    if (kept == nullptr) return original;
    kept->begin = object.begin();
    kept->end = object.end();
    kept->generation.store(now, std::memory_order_relaxed);
    kept->loads = loads;
    kept->original = original;
    Binding* head = first_.load(std::memory_order_relaxed);
    do kept->next = head;
    while (!first_.compare_exchange_weak(head, kept, std::memory_order_acq_rel));
    return original;
}

}  // namespace fathom::libraries
