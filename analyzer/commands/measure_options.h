// The options of `fathom measure`, and the measurement that they ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/commands/report_output.h"
#include "analyzer/timing/measure/measurement.h"
#include "analyzer/timing/measure/refusal.h"

namespace fathom {

struct MeasureOptions {
    std::string folder = ".", output = "measurement.csv", summary_of;
    OutputOptions report;  // of the summary
    bool full = false, dry_run = false, overwrite = false, drop_caches = false;
    std::vector<std::string> sizes, memory, file, states, operations;
    std::vector<unsigned> threads;
    unsigned repeats = 0;
    std::uint64_t count = 0, seed = 1;
    std::string file_size, buffer_size, bytes_limit, uncached = "direct", most_written = "1T";
    double time_limit = 0, most_of_disk = 50;
    bool has_time_limit = false;
};

// All of them; they fill `options`.
std::vector<CommandOption> measure_options(MeasureOptions& options);

// Of the quick grid or the full one, with what was asked for. Throws BadUsage: the option, what is wrong with
// it.
measure::Settings settings_of(const MeasureOptions& options, std::uint64_t free_on_disk,
                              std::uint64_t free_memory);

measure::Allowances allowances_of(const MeasureOptions& options);

}  // namespace fathom
