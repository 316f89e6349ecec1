// The I/O phases of a job: stretches in which it moved data, what was done in each and who did it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/job/slices.h"
#include "analyzer/methods/bursts.h"
#include "analyzer/methods/modes.h"

namespace fathom {

// Who did the I/O of a phase. Times are those of the layer that each rank spent most in: MPI-IO, or POSIX and
// stdio.
struct PhaseRanks {
    std::uint64_t movers = 0;        // ranks that moved data
    std::uint64_t active = 0;        // ranks with any I/O in it
    std::size_t slowest = 0;         // index of the rank with most time in I/O
    std::uint64_t slowest_time = 0;  // ns
    double mean_time = 0;            // ns: over those that were active
    // Of the direction with more bytes, from the files that were read or written at the time; none where no
    // such file is known. Exact where those files were not used in other phases too.
    Mode mode = Mode::none;
    Direction direction = Direction::write;
    bool mode_exact = false;
};

struct Phase {
    Stretch slices;
    std::uint64_t start = 0,
                  end = 0;            // ns of UNIX time: of the first and last operation, where that is known
    Activity done;                    // each byte once (slices.h)
    double peak = 0;                  // bytes in the slice with most
    std::optional<PhaseRanks> ranks;  // of the phases with most bytes

    double seconds() const { return static_cast<double>(end - start) / 1e9; }
};

struct JobPhases {
    TimeGrid grid;
    double slice_seconds = 0;
    std::vector<Phase> phases;  // in the order of time
    double bytes = 0;           // of the job, in phases and outside
    std::optional<Period> period;
};

// METHODS section 8: bursts of all ranks' bytes over time. Ranks are given for the `detailed` phases with
// most bytes. Memory: ranks times detailed.
JobPhases phases_of(const Job& job, std::size_t detailed);

}  // namespace fathom
