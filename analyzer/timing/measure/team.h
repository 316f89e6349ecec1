// Runs one loop a thread, all at the same time.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/timing/measure/layouts.h"
#include "analyzer/timing/measure/timed_loop.h"

namespace fathom::measure {

struct Task {
    Loop loop;
    Places file, memory;
    std::span<Sample> samples;
};

// Each task in a thread of its own, which computes where all accesses lie, waits for the others, and begins.
// Meanwhile `waiting` is called ten times a second. Signals go to the caller alone.
std::vector<LoopEnd> run_together(std::span<Task> tasks, const std::atomic<bool>& stop,
                                  const std::function<void()>& waiting);

}  // namespace fathom::measure
