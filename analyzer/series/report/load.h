// What a pool of devices or servers moved over time.
//
// Source: Carns et al. (ACM TOS 2011), section 4: read and written by all devices together, in bins of a
// minute.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/series/bins.h"
#include "analyzer/series/report/choice.h"
#include "analyzer/series/report/pools.h"

namespace fathom::series {

// Neighbouring bins.
struct Run {
    std::size_t first = 0, bins = 0;
};

struct Load {
    Grid grid;  // bins that the time from the first sample to the last covers by half or more
    // Bytes a second in each bin, NaN where samples of all members cover less than half of it. Empty: there
    // is no such series. `both`: read and written; a series that is not there yet, or gone, is not missing in
    // it.
    std::vector<double> read, written, both;
    double bytes_read = 0, bytes_written = 0;  // of all samples
    // Of these bytes, those of gaps: samples that are longer than a bin, and than usual. They are in no bin.
    double untimed = 0;
    std::size_t known = 0;      // bins of `both`
    double mean = 0, peak = 0;  // of the known bins of `both`
    std::size_t peak_bin = 0;   // the first of several

    double bytes() const { return bytes_read + bytes_written; }
};

// No samples of bytes_read and bytes_written: a load without bins.
Load load_of(const Pools& pools, const Pool& pool, const Choice& choice);

// A minute; of a window shorter than an hour less, but no less than a second.
Nanoseconds usual_bin(const Window& window);

// `bin`, or its smallest multiple that is no shorter than a usual interval (a hundredth of it aside).
Nanoseconds bin_length(Nanoseconds bin, Nanoseconds usual);

// This share of a bin must be covered for it to be known.
inline constexpr double least_covered = 0.5;

// Sums of series as rates, in the unit a second; NaN as above.
std::vector<double> rates_of(std::span<const Series* const> all, const Grid& grid);
// From the first sample to the last: without a first or last bin that is not half in it.
Grid grid_of(std::span<const Series* const> all, const Choice& choice);
// The median over series; where each has one sample alone, that of their lengths. 0: no samples.
Nanoseconds usual_interval_of(std::span<const Series* const> all);

// Longest stretches in which `is` holds.
template <class Values, class Is>
std::vector<Run> runs_where(const Values& values, const Is& is)
{
    std::vector<Run> runs;
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (!is(values[at])) continue;
        if (!runs.empty() && runs.back().first + runs.back().bins == at)
            ++runs.back().bins;
        else
            runs.push_back({at, 1});
    }
    return runs;
}

// The ceil(p n)-th smallest of ascending values (type 1 of Hyndman and Fan); 0 without values.
double quantile_of(std::span<const double> ascending, double p);

constexpr double seconds_in(Nanoseconds time)
{
    return static_cast<double>(time) / static_cast<double>(one_second);
}

}  // namespace fathom::series
