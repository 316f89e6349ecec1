// Goes through all configurations of a grid, and hands on every access.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "analyzer/output/progress.h"
#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/grid.h"
#include "analyzer/timing/measure/manner.h"
#include "analyzer/timing/measure/timed_loop.h"

namespace fathom::measure {

struct Settings {
    std::string folder;
    Grid grid;
    std::uint64_t file_size = 0, buffer_size = 0;  // bytes, of all threads together
    std::uint64_t seed = 0;
    Uncached uncached = Uncached::direct;
    bool drop_caches_of_machine = false;
};

// Who takes what was measured, after each run of a configuration.
struct Results {
    // `samples` have times of measure::now().
    std::function<void(const Configuration&, unsigned thread, std::span<const Sample> samples)> samples;
    std::function<void(const Check&)> check;
};

// Throws std::runtime_error where a file cannot be made, and where an access fails or is cut short. Once
// `stop` is set, it hands on what was measured until then, and returns.
void measure(const Settings& settings, const Results& results, const std::atomic<bool>& stop,
             Progress& progress);

}  // namespace fathom::measure
