// Which configurations a measurement goes through, in which order, and how much is done in each.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/timing/measure/axes.h"

namespace fathom::measure {

struct Configuration {
    State state = State::discard;
    Operation operation = Operation::read;
    Layout memory = Layout::off0, file = Layout::off0;
    std::uint64_t size = 0;  // bytes of an access
    unsigned threads = 1;    // each with a file of its own
    unsigned repeat = 0;     // the how-manieth run of all configurations

    bool operator==(const Configuration&) const = default;
};

// When a run of a configuration ends: after `count` operations of each thread, or sooner where these would
// move more than `bytes` in all or take longer than `seconds`; but not before `least` of them. 0: no limit.
struct Limits {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;
    std::uint64_t least = 0;
};

struct Grid {
    std::vector<std::uint64_t> sizes;
    std::vector<Layout> memory, file;
    std::vector<Layout> file_of_discard;  // /dev/zero and /dev/null have no places
    std::vector<State> states;
    std::vector<Operation> operations;
    std::vector<unsigned> threads;
    unsigned repeats = 0;
    Limits limits;
};

// What trains a model in a few minutes: layouts off0, seq and rnd, 1,200 operations of small sizes.
Grid quick_grid();

// All of Kunkel 2015, section 5.2: 20 sizes, 6 x 6 layouts, 1 and 20 threads, 3 repeats of 10,000 operations;
// but that a run moves at most 10 GiB, the size of the file there, which takes operations from those above 1
// MiB.
Grid full_grid();

// For each number of threads the repeats outermost, as in the paper: what disturbs one of them does not
// disturb the others. In each, all configurations of a state follow one another, so that the files are read
// once.
std::vector<Configuration> configurations_of(const Grid& grid);

// Operations of each thread that `limits` ask for, time aside.
std::uint64_t planned_operations(const Configuration& one, const Limits& limits);

}  // namespace fathom::measure
