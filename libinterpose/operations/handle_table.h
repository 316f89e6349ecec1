// Slots for what is known of MPI's handles, found by handle: no locks, no memory but its own. What a slot
// stands for lies beside it, in arrays of the user's.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fathom {

class HandleTable {
  public:
    static constexpr std::size_t size = 4096;
    static constexpr std::size_t none = size;

    // A free slot near where this handle points, taken from now on; none where there is no room.
    std::size_t reserve(std::uintptr_t handle) { return change(handle, free, taken); }
    // The slot can be found by this handle.
    void publish(std::size_t slot, std::uintptr_t handle)
    {
        slots_[slot].store(handle, std::memory_order_release);
    }
    // A handle may have several slots: MPI gives some requests that are complete the same one.
    std::size_t find(std::uintptr_t handle) const
    {
        for (std::size_t at = 0; at < window; ++at)
            if (slots_[near(handle, at)].load(std::memory_order_acquire) == handle) return near(handle, at);
        return none;
    }
    // The same, and nobody else finds that slot any more until it is published again.
    std::size_t take(std::uintptr_t handle) { return change(handle, handle, taken); }
    void release(std::size_t slot) { slots_[slot].store(free, std::memory_order_release); }

  private:
    static constexpr std::uintptr_t free = 0, taken = 1;  // no handle of any MPI
    static constexpr std::size_t window = 32;  // a look-up looks at no more: four lines of the cache

    static std::size_t near(std::uintptr_t handle, std::size_t at)
    {
        return (static_cast<std::size_t>(handle * 0x9e3779b97f4a7c15 >> 52) + at) % size;
    }
    std::size_t change(std::uintptr_t handle, std::uintptr_t from, std::uintptr_t to)
    {
        for (std::size_t at = 0; at < window; ++at) {
            const std::size_t slot = near(handle, at);
            std::uintptr_t expected = slots_[slot].load(std::memory_order_relaxed);
            if (expected == from &&
                slots_[slot].compare_exchange_strong(expected, to, std::memory_order_acq_rel))
                return slot;
        }
        return none;
    }

    std::array<std::atomic<std::uintptr_t>, size> slots_{};
};

}  // namespace fathom
