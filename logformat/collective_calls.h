// A sample of a thread's collective MPI-IO calls that is the same on all ranks (docs/METHODS.md, section 12).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fathom {

// One collective read or write, as one rank saw it. Times are in ticks until rows are made of it.
struct SampledCollective {
    std::uint64_t file = 0;       // id of its name
    std::uint64_t call = 0;       // its number among this rank's collective calls on the file, from 0
    std::uint64_t ranks = 0;      // that opened the file together
    std::uint64_t direction = 0;  // 0 read, 1 write
    std::uint64_t before = 0;     // when this rank's last call on the file had returned; 0: none
    std::uint64_t start = 0, end = 0;
    std::uint64_t beneath = 0;  // in POSIX
};

// Every 2^k-th call of each file; k grows whenever the room is used up. Which calls these are follows from
// the file and the number of the call alone, so that ranks with different k have those of the larger k in
// common. Files begin at different places, or else the first call on each of many files would always be kept.
// Only one thread writes here; the process may end at any moment.
struct CollectiveSample {
    static constexpr std::size_t most = 256;

    std::uint32_t halvings = 0;  // k
    std::uint32_t used = 0;
    std::array<SampledCollective, most> calls;

    // All ranks together keep about 65,536 calls, but each at least 8.
    static std::size_t room(std::uint64_t ranks)
    {
        constexpr std::uint64_t all_ranks = 65'536, least = 8;
        return static_cast<std::size_t>(
            std::clamp<std::uint64_t>(all_ranks / std::max<std::uint64_t>(ranks, 1), least, most));
    }

    bool has(std::uint64_t file, std::uint64_t call) const
    {
        const std::uint64_t mask = (std::uint64_t{1} << halvings) - 1;
        return ((file + call) & mask) == 0;
    }

    void add(const SampledCollective& one, std::size_t room)
    {
        if (!has(one.file, one.call)) return;
        while (used >= room) halve();
        if (!has(one.file, one.call)) return;
        calls[used] = one;
        std::atomic_ref(used).store(used + 1, std::memory_order_release);
    }

  private:
    // Beyond so many calls to a file nobody counts.
    static constexpr std::uint32_t most_halvings = 63;

    void halve()
    {
        if (halvings == most_halvings) {
            used = 0;
            return;
        }
        ++halvings;
        std::uint32_t kept = 0;
        for (std::uint32_t at = 0; at < used; ++at)
            if (has(calls[at].file, calls[at].call)) calls[kept++] = calls[at];
        std::atomic_ref(used).store(kept, std::memory_order_release);
    }
};

}  // namespace fathom
