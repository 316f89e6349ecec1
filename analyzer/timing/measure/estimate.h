// How much a grid moves, and how long it takes: a guess before, and a better one with each run that is done.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyzer/timing/measure/grid.h"

namespace fathom::measure {

// What an operation is assumed to take before any was measured: on a common disk, memory and processor.
struct Pace {
    double seconds;           // each
    double bytes_per_second;  // beyond that
};
Pace assumed_pace(State state, Operation operation);

// Operations that a thread is expected to make within the limits, and seconds that the run takes.
struct Expectation {
    std::uint64_t operations = 0;
    double seconds = 0;
};
Expectation expected(const Configuration& one, const Limits& limits);

// Seconds until the files are written, or read once.
double seconds_to_fill(std::uint64_t bytes);
double seconds_to_read(std::uint64_t bytes);

// The time that is left, from the runs that were done: one of the same state, operation, size and threads is
// taken to last as long as the mean of those.
class Outlook {
  public:
    Outlook(std::span<const Configuration> all, const Limits& limits);

    void done(const Configuration& one, double seconds);
    double seconds_left() const;

  private:
    struct Kind {
        std::uint64_t left = 0, done = 0;
        double expected = 0, taken = 0;  // seconds: of one, of those done
    };
    using Key = std::tuple<State, Operation, std::uint64_t, unsigned>;
    static Key key_of(const Configuration& one);

    std::map<Key, Kind> kinds_;
};

}  // namespace fathom::measure
