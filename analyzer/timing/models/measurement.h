// The rows of a measurement that fathom measure wrote: operations of which it is known what served them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/tick.h"

namespace fathom {

struct MeasuredOperation {
    std::string_view state, operation, memory, file;  // valid while it is handed out
    std::uint64_t size = 0, threads = 1;
    double start = 0, duration = 0;  // seconds
};

struct MeasurementNotes {
    std::uint64_t rows = 0;
    std::uint64_t not_as_asked = 0;  // left out: in another state than asked for, by NAME.checks.csv
};

// Whether a CSV has a column `state`. Throws what CsvFile throws.
bool is_measurement(const std::string& path);

// Hands out the rows of reads and writes in order. Columns state, operation, size and duration_s must be
// there; memory and file are off0, threads is 1 and start_s 0 where the file has no such column. Where
// NAME.checks.csv lies beside NAME.csv, configurations of which it says that they were not as asked are left
// out. Throws std::runtime_error: file, line, what is wrong and what to do. Memory is that of the checks.
MeasurementNotes each_measured(const std::string& path,
                               const std::function<void(const MeasuredOperation&)>& use,
                               const Tick& tick = {});

}  // namespace fathom
