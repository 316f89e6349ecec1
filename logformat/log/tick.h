// How long work reports to whoever waits for it how far it is.
#pragma once

#include <cstdint>
#include <functional>

namespace fathom {

// Called now and then with how much is done and how much there is; empty where nobody asks. Must not throw.
using Tick = std::function<void(std::uint64_t done, std::uint64_t all)>;

inline void tell_progress(const Tick& tick, std::uint64_t done, std::uint64_t all)
{
    if (tick) tick(done, all);
}

}  // namespace fathom
