// The density clusters of durations of which a log has the histogram, and what each cluster amounts to.
//
// Source: METHODS section 5 (Kunkel 2015, see density.h), on log10 of the seconds, each bin's middle for all
// in it. The bandwidth is no less than two bins are wide, so that bins are not taken for clusters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/methods/quantiles.h"

namespace fathom {

struct DurationGroup {
    std::uint64_t operations = 0;
    double time = 0;           // ns, of all of them
    std::uint64_t median = 0;  // ns

    double mean() const { return operations > 0 ? time / static_cast<double>(operations) : 0; }
};

struct DurationGroups {
    std::vector<DurationGroup> clusters;  // the quickest first; at least one
    DurationGroup outliers;               // beyond the cutoff of the last cluster
    DurationGroup all, kept;              // kept: without the outliers
    // Around the cluster with most operations: what is quicker than that, that and the quicker ones, and what
    // is slower.
    DurationGroup quick, usual, slow;
};

// `bins` ascend; `time` and `longest` are those of all operations, in ns, and exact. The time of a group is
// the sum of its bins' middles, in proportion to `time`: right to 3.2 % where groups differ. Nothing where
// the bins are empty.
std::optional<DurationGroups> groups_of(std::span<const HistogramBin> bins, std::uint64_t time,
                                        std::uint64_t longest);

}  // namespace fathom
