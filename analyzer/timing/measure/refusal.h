// What a measurement must not do to the machine that it runs on.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/timing/measure/measurement.h"

namespace fathom::measure {

struct Allowances {
    double most_of_disk = 0;         // 0 to 1, of what is free
    std::uint64_t most_written = 0;  // bytes to the device: flash memory wears
};

// Throws std::runtime_error (what, with numbers, and what to do) where the files, the buffer or the results
// in `csv` would take too much room, or too much would be written.
void refuse_too_much(const Settings& settings, const std::string& csv, const Allowances& allowed);

}  // namespace fathom::measure
