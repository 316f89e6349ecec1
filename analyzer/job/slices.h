// The slices of all ranks on one grid: what the job did in each stretch of time, and which ranks did it.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/methods/time_grid.h"

namespace fathom {

// On files, in one slice of the grid. Doubles, since nobody vouches for the sums.
struct Activity {
    double bytes_read = 0, bytes_written = 0;
    double transfers = 0, metadata = 0;           // calls that began in it
    double transfer_time = 0, metadata_time = 0;  // ns, of all threads

    double bytes() const { return bytes_read + bytes_written; }
    double time() const { return transfer_time + metadata_time; }
    bool any() const { return bytes() + transfers + metadata + time() > 0; }

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using A = Activity;
        visit(Field{"bytes_read", &A::bytes_read, Rule::sum, Unit::bytes, "bytes read"});
        visit(Field{"bytes_written", &A::bytes_written, Rule::sum, Unit::bytes, "bytes written"});
        visit(Field{"transfers", &A::transfers, Rule::sum, Unit::count, "reads and writes"});
        visit(Field{"metadata", &A::metadata, Rule::sum, Unit::count, "other calls"});
        visit(
            Field{"transfer_time", &A::transfer_time, Rule::sum, Unit::duration, "time in reads and writes"});
        visit(Field{"metadata_time", &A::metadata_time, Rule::sum, Unit::duration, "time in other calls"});
    }
};
using Activities = std::vector<Activity>;  // as many as the grid has slices

// Neighbouring ranks, by index.
struct RankBand {
    std::size_t from = 0, to = 0;  // to: the first behind it
    Activities lowest;

    std::size_t members() const { return to - from; }
};

struct JobSlices {
    TimeGrid grid;
    std::uint64_t recorded =
        0;                   // ns: the longest slices that a rank kept; nothing shorter can be distinguished
    Activities lowest;       // each byte once: POSIX and stdio, and MPI-IO where nothing was seen beneath it
    Activities mpiio;        // what was asked of MPI-IO
    std::vector<bool> busy;  // something was done in some layer
    std::vector<RankBand> bands;
    std::array<bool, 2> mpiio_is_lowest{};  // by direction

    // Seconds that the rate of a slice divides by: its length, or the job's run time where that is shorter.
    double seconds = 0;
};

// Calls visit(slice, index of its rank) for each slice of a rank's operations on files.
template <class Visit>
void each_rank_slice(const Job& job, Visit visit)
{
    std::unordered_map<std::int64_t, std::size_t> index;
    for (const Slice& slice : job.log.rows<Slice>()) {
        if (slice.streams != 0 || slice.layer >= layers) continue;
        // MPI ranks have the places of their numbers.
        const auto likely = static_cast<std::size_t>(slice.process);
        if (likely < job.ranks.size() && job.ranks[likely].process.process == slice.process) {
            visit(slice, likely);
            continue;
        }
        if (index.empty())
            for (std::size_t at = 0; at < job.ranks.size(); ++at) index[job.ranks[at].process.process] = at;
        const auto found = index.find(slice.process);
        if (found != index.end()) visit(slice, found->second);
    }
}

// True where some rank has a slice of operations on files.
bool has_slices(const Job& job);

// At most `most_slices` (at least 2) and `most_bands`; neighbours are put together until there are no more.
JobSlices slices_of(const Job& job, std::size_t most_slices, std::size_t most_bands);

}  // namespace fathom
