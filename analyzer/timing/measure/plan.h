// What a measurement would do, before it does.
#pragma once

#include <cstdint>

#include "analyzer/document/document.h"
#include "analyzer/timing/measure/grid.h"

namespace fathom::measure {

struct Plan {
    std::uint64_t runs = 0, operations = 0;
    std::uint64_t bytes_written = 0;  // to the device, files included, at most
    double seconds = 0;
};
Plan plan_of(const Grid& grid, std::uint64_t file_size);

// The plan in all, and by state and operation, with the assumptions behind its times.
report::Section plan_section(const Grid& grid, std::uint64_t file_size, std::uint64_t buffer_size);

}  // namespace fathom::measure
