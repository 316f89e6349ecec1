// How far the clocks of a job's nodes are apart. In the exchange of MPI_Finalize no rank goes on before the
// last one has come: between when a rank came and when it went on, by its own clock, lies one moment that is
// the same for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "analyzer/job/job.h"

namespace fathom {

struct NodeClocks {
    std::size_t nodes = 0;         // whose clocks are compared; less than 2: the log does not say
    std::string_view first, last;  // the nodes whose clocks are furthest ahead, and furthest behind
    std::uint64_t apart = 0;       // nanoseconds between those two…
    std::uint64_t error = 0;       // …give or take so many

    bool known() const { return nodes > 1; }
    // What they are apart at least.
    std::uint64_t surely() const { return apart > error ? apart - error : 0; }
    // Operations of one moment are in different slices of time.
    bool mix_up_slices(const Job& job) const;
};

// By how many nanoseconds the clock of each node is ahead of that of the first, by when the ranks went on
// from the exchange: a guess that is as good as they went on together. Of a job on one node it is known.
// Empty: not known.
std::map<std::string_view, std::int64_t> clock_leads_of(const Job& job);

// Of one launch of MPI whose ranks gathered: logs of several that were merged do not say.
NodeClocks node_clocks_of(const Job& job);

}  // namespace fathom
