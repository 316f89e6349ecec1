// Servers that serve a job much more slowly than others of their kind.
#pragma once

#include <span>
#include <vector>

#include "analyzer/job/system_load.h"
#include "analyzer/series/bins.h"

namespace fathom {

// What a server moved while the job was in I/O, and how long that takes at the best that it gave meanwhile:
// for each direction with a twentieth of its bytes, these over the mean of its best bins (one in a hundred,
// two at least).
struct AtBest {
    double seconds = 0, bytes = 0;
    double rate() const { return seconds > 0 ? bytes / seconds : 0; }
};
// `read` and `written`: as many as the group has bins.
AtBest at_best(const LoadGroup& group, std::span<const series::Bin> read,
               std::span<const series::Bin> written);

// Those of a group that were at their best for half of the job's time in I/O or more, three bins at least,
// and 1.3 times as long as the median of the others, with less than 60 % of these' best rate. (Ranks that
// wait for one server ask the others for less: what those can do shows in their best moments, not in their
// mean.) Of fewer than three servers nobody says which one is ill; one with less than a third of the others'
// bytes, or for which hardly a process waited, may just have had little to do.
std::vector<IllServer> ill_servers(const SystemLoad& load);

}  // namespace fathom
