// Which share of a file system jobs really got when they ran side by side: by processes, or by nodes.
//
// METHODS section 18, ours. The study gives each process the same share, and each node where a server does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/neighbours/beside.h"

namespace fathom::neighbours {

// One pair may have stood still for a reason of its own.
inline constexpr std::size_t least_pairs = 2;

struct Evidence {
    enum class For : std::uint8_t { neither, processes, nodes };

    std::size_t pairs = 0;            // of which both say something else
    double processes = 0, nodes = 0;  // median over pairs of the larger relative error of the two jobs

    For side() const
    {
        if (pairs < least_pairs) return For::neither;
        return nodes < processes ? For::nodes : For::processes;
    }
};

// How far both are off in a pair; nothing is added where one is not known or both say the same.
struct PairErrors {
    double processes = 0, nodes = 0;
};
bool tells(const ModelledPair& model, PairErrors& errors);
Evidence evidence_of(std::span<const PairErrors> pairs);

// Of pairs on the file system that has most of the bytes of these jobs, in which one was a run like one of
// them, the last ones first and no more than a few. Throws DatabaseError.
Evidence find_evidence(jobs::Database& database, std::span<const RunningJob> like);

}  // namespace fathom::neighbours
