// The density clusters of durations, and what each cluster amounts to: from the durations themselves, or from
// a histogram of them.
//
// Source: METHODS section 5 (Kunkel 2015, see density.h), on log10 of the seconds. The bandwidth is no less
// than two steps of the scale that the durations come from, so that its steps are not taken for clusters: two
// bins of a histogram, each bin's middle standing for all in it; two ticks of a clock.
//
// Defined for all there is: a duration of 0 counts as 1 ns, since a clock showed no more; durations that are
// all equal, and a single one, are one cluster without outliers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/methods/density.h"
#include "analyzer/methods/quantiles.h"

namespace fathom {

struct DurationGroup {
    std::uint64_t operations = 0;
    double time = 0, median = 0;  // seconds: of all of them; the ceil(n/2)-th shortest

    double mean() const { return operations > 0 ? time / static_cast<double>(operations) : 0; }
};

struct DurationGroups {
    Clusters found;                       // of log10 of the seconds
    std::vector<DurationGroup> clusters;  // the quickest first; at least one
    DurationGroup outliers;               // beyond the cutoff of the last cluster
    DurationGroup all, kept;              // kept: without the outliers
    // Around the cluster with most operations: what is quicker than that, that and the quicker ones, and what
    // is slower.
    DurationGroup quick, usual, slow;
};

// log10 of seconds, of 1 ns where it is no more.
double log_of_duration(double seconds);

// `bins` ascend; `time` and `longest` are those of all operations, in ns, and exact. The time of a group is
// the sum of its bins' middles, in proportion to `time`: right to 3.2 % where groups differ. Nothing where
// the bins are empty.
std::optional<DurationGroups> groups_of(std::span<const HistogramBin> bins, std::uint64_t time,
                                        std::uint64_t longest);

// Of each duration, in any order: everything exact. `step` is the part of a duration by which it differs from
// the next that the scale has, 0 where that is not known; where durations are whole numbers of ticks, the
// tick follows from them. Nothing where there are none, or one is negative or not finite. Takes time n log n.
std::optional<DurationGroups> groups_of(std::span<const double> seconds, double step = 0);

}  // namespace fathom
