// The sizes, layouts and limits of both grids, and their product.
#include "analyzer/timing/measure/grid.h"

#include <algorithm>

namespace fathom::measure {
namespace {

// Powers of two: by four up to 256, and by `ratio` from there to 16 MiB.
std::vector<std::uint64_t> sizes_by(std::uint64_t ratio)
{
    std::vector<std::uint64_t> sizes = {1, 4, 16, 64, 256};
    for (std::uint64_t size = kib; size <= 16 * mib; size *= ratio) sizes.push_back(size);
    return sizes;
}

}  // namespace

Grid quick_grid()
{
    return {.sizes = sizes_by(4),
            .memory = {Layout::off0, Layout::rnd},
            .file = {Layout::off0, Layout::seq, Layout::rnd},
            .file_of_discard = {Layout::off0},
            .states = {State::discard, State::cached, State::uncached},
            .operations = {Operation::read, Operation::write},
            .threads = {1},
            .repeats = 3,
            .limits = {.count = 400, .bytes = 128 * mib, .seconds = 0.2, .least = 10}};
}

Grid full_grid()
{
    const std::vector<Layout> every = {Layout::off0,    Layout::seq, Layout::stride8MiB,
                                       Layout::reverse, Layout::rnd, Layout::rnd8MiB};
    return {.sizes = sizes_by(2),
            .memory = every,
            .file = every,
            .file_of_discard = every,
            .states = {State::discard, State::cached, State::uncached},
            .operations = {Operation::read, Operation::write},
            .threads = {1, 20},
            .repeats = 3,
            .limits = {.count = 10'000, .bytes = 10'240 * mib, .least = 10}};
}

std::vector<Configuration> configurations_of(const Grid& grid)
{
    std::vector<Configuration> all;
    for (const unsigned threads : grid.threads)
        for (unsigned repeat = 0; repeat < grid.repeats; ++repeat)
            for (const State state : grid.states)
                for (const Operation operation : grid.operations)
                    for (const std::uint64_t size : grid.sizes)
                        for (const Layout file : state == State::discard ? grid.file_of_discard : grid.file)
                            for (const Layout memory : grid.memory)
                                all.push_back({state, operation, memory, file, size, threads, repeat});
    return all;
}

std::uint64_t planned_operations(const Configuration& one, const Limits& limits)
{
    std::uint64_t planned = limits.count;
    if (limits.bytes > 0) planned = std::min(planned, limits.bytes / one.size / one.threads);
    return std::max({planned, std::min(limits.least, limits.count), std::uint64_t{1}});
}

}  // namespace fathom::measure
