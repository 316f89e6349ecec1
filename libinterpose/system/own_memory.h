// Memory of the library's own, away from what the program maps: where a stack of the program's may grow into
// an address, or the program takes one for free, nothing of ours may lie.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "libinterpose/system/sys.h"

// Of a large table: it lies behind all smaller variables, so that what every process needs is in a few pages.
// Each page that is touched takes a microsecond.
#define FATHOM_LARGE __attribute__((section(".lbss.fathom")))

namespace fathom {

// Maps so many bytes, to read and write, where no other mapping is near and there is room to grow in place up
// to `room`. `how` and `fd` as mmap takes them. nullptr where that does not work.
void* map_apart(std::size_t bytes, std::size_t room, int how, int fd);

// Zeroed memory of this process, apart if possible. nullptr: there is none.
void* own_memory(std::size_t bytes);

// A table that few programs need, and that takes no memory until one does. All its bytes are 0 at first.
template <class T>
class OnDemand {
    static_assert(std::is_trivially_destructible_v<T>);

  public:
    // nullptr: nobody has needed it yet.
    T* get() const { return at_.load(std::memory_order_acquire); }
    // nullptr: there is no memory. `advice` as madvise takes it.
    T* make(int advice = MADV_NORMAL)
    {
        if (T* const known = get()) return known;
        void* const memory = own_memory(sizeof(T));
        if (memory == nullptr) return nullptr;
        sys::advise(memory, sizeof(T), advice);
        T* none = nullptr;
        if (at_.compare_exchange_strong(none, static_cast<T*>(memory), std::memory_order_acq_rel))
            return static_cast<T*>(memory);
        sys::unmap(memory, sizeof(T));  // another thread was faster
        return none;
    }

  private:
    std::atomic<T*> at_{};
};

}  // namespace fathom
