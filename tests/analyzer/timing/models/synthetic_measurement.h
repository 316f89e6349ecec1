// A measurement that never was: durations about known lines, the same for the same seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace fathom::testing {

// One that comes along with Fathom.
inline constexpr const char* example_model = FATHOM_SOURCES "/analyzer/timing/models/examples/mistral-lustre.json";

// The usual time of an operation of a size is first + each * size, in seconds.
struct MadeState {
    std::string state, operation, memory, file;
    double first, each;
};

// Apart by enough that no rule need confuse them, but discard rnd and cached rnd, which are alike.
inline std::vector<MadeState> made_states()
{
    return {
        {"discard", "read", "off0", "off0", 2e-7, 1e-11}, {"discard", "read", "rnd", "off0", 8e-7, 4e-11},
        {"cached", "read", "off0", "off0", 6e-7, 3e-11},  {"cached", "read", "rnd", "off0", 2.4e-6, 1.2e-10},
        {"uncached", "read", "off0", "rnd", 1e-4, 5e-10}, {"uncached", "read", "rnd", "rnd", 1e-4, 5e-10},
        {"discard", "write", "off0", "off0", 2e-7, 0},    {"discard", "write", "rnd", "off0", 2e-7, 0},
        {"cached", "write", "off0", "off0", 1e-6, 5e-11}, {"cached", "write", "rnd", "off0", 2e-6, 1e-10},
        {"uncached", "write", "off0", "rnd", 1e-4, 1e-9}, {"uncached", "write", "rnd", "rnd", 1e-4, 1e-9}};
}

inline void write_measurement(const std::string& path, std::uint64_t seed, int operations = 60,
                              const std::vector<MadeState>& states = made_states())
{
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> about(0, 0.05);
    std::ofstream out(path);
    out << "state,operation,memory,file,size,threads,thread,repeat,number,offset,start_s,duration_s\n";
    double start = 0;
    for (const MadeState& one : states)
        for (std::uint64_t size = 1; size <= 1048576; size *= 4)
            for (int number = 0; number < operations; ++number) {
                const double took = (one.first + one.each * static_cast<double>(size)) * about(random);
                out << fmt::format("{},{},{},{},{},1,0,0,{},0,{:.9f},{:.9f}\n", one.state, one.operation,
                                   one.memory, one.file, size, number, start, took);
                start += took;
            }
}

}  // namespace fathom::testing
