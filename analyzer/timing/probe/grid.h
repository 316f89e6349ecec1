// When to probe: at instants that lie a fixed time apart, whatever each probe takes.
#pragma once

#include <cstdint>

namespace fathom {

// Instants in nanoseconds of any one clock. Slot 0 is at `begin`.
struct Grid {
    std::uint64_t begin = 0, every = 1;

    std::uint64_t at(std::uint64_t slot) const { return begin + slot * every; }
    // The first slot that is not over yet.
    std::uint64_t next(std::uint64_t now) const
    {
        return now <= begin ? 0 : (now - begin + every - 1) / every;
    }
    // How many begin within so long a time.
    std::uint64_t slots_in(std::uint64_t length) const
    {
        return length / every + (length % every > 0 ? 1 : 0);
    }
};

}  // namespace fathom
