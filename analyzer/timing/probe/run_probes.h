// Probes all paths at the instants of a grid, each in its own thread, until time is up or somebody says stop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timing/probe/probe_target.h"
#include "logformat/log/tick.h"

namespace fathom {

struct ProbePlan {
    std::vector<std::string> paths;
    std::uint64_t every = 0;              // ns
    std::optional<std::uint64_t> length;  // ns; nothing: until it is stopped
    ProbeCalls calls = system_calls();
};

// What is around: the clock, the CSV, whoever watches. All is called from one thread but `add`.
struct ProbeWorld {
    std::function<std::uint64_t()> now;  // ns of a clock that nobody sets
    // Sleeps until that instant; false: stop, at once.
    std::function<bool(std::uint64_t instant)> sleep;
    std::function<void(std::string lines)> add;
    std::function<bool()> closed;  // nobody reads the rows any more
    std::function<void(std::string_view)> say;
    Tick tick;
};

struct ProbeOutcome {
    std::uint64_t operations = 0;      // that were timed
    std::vector<std::string> summary;  // a line each path
};

// Throws std::runtime_error where a path cannot be probed from the start; then none is.
ProbeOutcome run_probes(const ProbePlan& plan, const ProbeWorld& world);

}  // namespace fathom
