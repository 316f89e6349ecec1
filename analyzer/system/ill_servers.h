// Servers that serve a job much more slowly than others of their kind.
#pragma once

#include <span>
#include <vector>

#include "analyzer/job/system_load.h"
#include "analyzer/series/bins.h"

namespace fathom {

// How long a server moved data while the job was in I/O: the bins with at least a tenth of what its best one
// has.
struct ActiveTime {
    double seconds = 0, bytes = 0;
    double rate() const { return seconds > 0 ? bytes / seconds : 0; }
};
// `read` and `written`: as many as the group has bins.
ActiveTime active_time(const LoadGroup& group, std::span<const series::Bin> read,
                       std::span<const series::Bin> written);

// Those of a group that, while they moved data, did so at less than 30 % of the median rate of the others,
// and were at it at least twice as long as their median, and for three bins and a fifth of the job's time in
// I/O. Of fewer than three servers nobody says which one is ill; one with less than a fifth of the others'
// bytes may just have had little to do.
std::vector<IllServer> ill_servers(const SystemLoad& load);

}  // namespace fathom
