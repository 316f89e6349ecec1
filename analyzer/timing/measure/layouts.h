// Where one access after the other lies in a span of bytes: a file, or the buffer in memory.
#pragma once

#include <cstdint>
#include <random>

#include "analyzer/timing/measure/axes.h"

namespace fathom::measure {

// Accesses of `size` bytes, all within [0, span), by Kunkel 2015, section 5.2:
//   off0        always at 0
//   seq         each after the last; at the start again where the next would not fit
//   stride8MiB  as seq, but 8 MiB are skipped after each; the span is a ring
//   reverse     from back to front; at the back again once the front is reached
//   rnd         anywhere
//   rnd8MiB     8 MiB further from the end of the last, more or less by up to 8 MiB; the span is a ring
// What is random is uniform over the multiples of `align`, and the same for the same seed. `size` is at least
// 1 and at most `span`; with an `align` above 1, both are multiples of it.
class Places {
  public:
    Places(Layout layout, std::uint64_t size, std::uint64_t span, std::uint64_t align, std::uint64_t seed);

    std::uint64_t next();

  private:
    std::uint64_t anywhere(std::uint64_t steps);  // 0 to steps - 1

    Layout layout_;
    std::uint64_t size_, span_, align_;
    std::uint64_t at_ = 0;  // where the next lies, if nothing is random
    std::mt19937_64 random_;
};

}  // namespace fathom::measure
