// What each server or device of a pool moved: how evenly, how close to its peak, and which one lags.
//
// Source: Yang et al. (NSDI 2019), figure 5 (load by hour in four classes of the peak), section 4.2 and
// table 2 (servers whose measured maximum stays under 30 % of the known peak for at least 60 minutes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/series/report/load.h"

namespace fathom::series {

struct ServerLoad {
    std::uint32_t component = 0;
    double bytes_read = 0, bytes_written = 0;  // of all samples
    double peak = 0;                           // bytes/s, the highest rate of a bin

    double bytes() const { return bytes_read + bytes_written; }
};

// A stretch of time in which a server stayed below a share of the peak while others reached it. It ends where
// the server reaches it, or where nothing is known of it for longer than Choice::lag_for.
struct Lag {
    std::size_t server = 0;          // ServerLoads::servers
    Nanoseconds begin = 0, end = 0;  // of the first and last bin in which others reached it
    double served = 0;               // seconds of these bins
    double highest = 0;              // bytes/s, the server's in these bins
    double others = 0;               // bytes/s, the mean of the others in these bins
};

// From how much of the peak on a cell of figure 5 is low, mid, high; idle before.
inline constexpr std::array<double, 4> load_classes = {0, 0.1, 0.5, 0.9};
// A server with less than that of the peak, in most of the time in which others reached `lag_below`, had
// nothing to do, or stood still.
inline constexpr double least_work = 0.01;

// Fewer are not compared: one of two is always the slower one.
inline constexpr std::size_t least_servers = 3;

struct ServerLoads {
    std::vector<ServerLoad> servers;  // as Pool::members
    double largest_to_mean = 0;       // of bytes(); 0: nothing was moved
    double variation = 0;             // standard deviation / mean of bytes()
    double peak = 0;                  // bytes/s: Choice::server_peak, or the highest of all servers
    // The highest rate of neighbouring servers within each slot of time; NaN: nothing known.
    Grid slots;
    std::vector<Run> bands;                // of servers
    std::vector<std::vector<double>> map;  // a row a band
    // How many cells (server, slot) are in each class.
    std::array<std::uint64_t, load_classes.size()> cells{};
    // With `served` of Choice::lag_for or more. Quiet ones moved less than `least_work` of the peak in more
    // than half of `served`: that is no proof of anything.
    std::vector<Lag> lagging, quiet;
};

// Rates are held for a part of the time: memory does not grow with servers times bins.
ServerLoads server_loads(const Pools& pools, const Pool& pool, const Load& load, const Choice& choice);

}  // namespace fathom::series
