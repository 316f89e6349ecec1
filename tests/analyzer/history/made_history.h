// Histories that tests make up: runs of one kind with noise, outliers and steps.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/history/phases.h"

namespace fathom::testing {

inline constexpr history::Number second_ns = 1'000'000'000, day_ns = 86400 * second_ns,
                                 first_day = 1'790'000'000 * second_ns;

// Times differ by lognormal factors; some runs take 1.5 to 4 times as long.
struct Noise {
    double sigma = 0.05, outliers = 0;
};

inline std::vector<double> noisy_factors(std::mt19937_64& random, std::size_t count, const Noise& noise)
{
    std::normal_distribution<double> normal(0, noise.sigma);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> factors;
    for (std::size_t at = 0; at < count; ++at) {
        double factor = std::exp(normal(random));
        if (uniform(random) < noise.outliers) factor *= 1.5 + 2.5 * uniform(random);
        factors.push_back(factor);
    }
    return factors;
}

inline history::KindRun run_at(history::Number id, double day, double io_seconds)
{
    history::KindRun run;
    run.id = id;
    run.program = "wrf.exe";
    run.user = "anna";
    run.processes = 64;
    run.files = 12;
    run.bytes_read = history::Number{1} << 32;
    run.bytes_written = history::Number{1} << 30;
    run.start = first_day + static_cast<history::Number>(day * static_cast<double>(day_ns));
    run.io_time = std::llround(io_seconds * 1e9);
    return run;
}

// A run a day.
inline history::Kind kind_with(const std::vector<double>& seconds)
{
    history::Kind kind;
    for (std::size_t at = 0; at < seconds.size(); ++at)
        kind.runs.push_back(
            run_at(static_cast<history::Number>(at + 1), static_cast<double>(at), seconds[at]));
    return kind;
}

// Three phases, which take a third of the time each but for noise of their own.
inline std::vector<history::RunPhase> phases_with(std::mt19937_64& random, double seconds, double sigma)
{
    std::normal_distribution<double> normal(0, sigma);
    std::vector<history::RunPhase> phases;
    for (int at = 0; at < 3; ++at)
        phases.push_back({at * 1000 * second_ns, seconds / 3 * std::exp(normal(random)), 0x1p30 * (at + 1)});
    return phases;
}

}  // namespace fathom::testing
