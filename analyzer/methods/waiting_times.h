// How long a process stayed in each of its states, as a path shows that names one at each instant.
//
// Source: METHODS section 7; Wan et al. (2017), section III.B.2: the times between changes of state.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace fathom {

struct Stays {
    // Of those whose beginning and end were both seen, in order, in the unit of the instants. A change is
    // taken to be in the middle between the samples beside it.
    std::vector<double> whole;
    std::size_t visits = 0;   // all, also those that were under way at the beginning or the end
    std::size_t samples = 0;  // instants in the state
};

// A state each. `times` ascend, `path` has a state below `states` for each; `stretches` has the index of each
// instant before which nobody looked (the first counts as one anyhow). Nothing where that does not hold.
std::optional<std::vector<Stays>> stays_of(std::span<const double> times, std::span<const std::size_t> path,
                                           std::size_t states, std::span<const std::size_t> stretches = {});

}  // namespace fathom
