// How long methods take on a million samples: they must need less than 2 s in a release build. Tests run in
// builds that are optimized less, under sanitizers and beside others, so they allow more; `scripts/bench
// methods` tells.
#pragma once

#include <ctime>

namespace fathom::testing {

inline constexpr double good_time = 40;  // seconds

// Of the processor, which is less disturbed by what else runs.
template <class Work>
double seconds_of(Work work)
{
    const std::clock_t before = std::clock();
    work();
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

}  // namespace fathom::testing
