// The time in I/O of a job's slowest rank where a log has of some files only what several ranks did
// together: between which bounds it lies, and the rate that follows from it.
//
// Source: Darshan's agg_perf_by_slowest (darshan-parser), on which Carns et al., "Understanding and Improving
// Computational Science Storage Access through Continuous Characterization" (ACM TOS 2011), build section 2.4:
//     T = max over ranks of (sum of the times of its own records)
//         + sum over shared records of (the time of the record's slowest rank)
#pragma once

#include <cstdint>
#include <span>

namespace fathom {

// What one record of a file has of time in I/O, in nanoseconds.
struct RecordTime {
    std::int64_t rank = -1;     // -1: several ranks together
    std::uint64_t bytes = 0;    // read and written
    std::uint64_t time = 0;     // of the rank, or of all of them together
    std::int64_t slowest = -1;  // of several: the one with most time in it; -1: not known
    std::uint64_t slowest_time = 0, fastest_time = 0;  // of several: the most and the least of one rank
};

struct SlowestTime {
    std::uint64_t bytes = 0, records = 0;
    std::uint64_t unique = 0;       // ns: the most of one rank in records of its own
    std::int64_t unique_rank = -1;  // which rank that was; -1: no rank has any
    std::uint64_t shared = 0;       // ns: of the slowest rank of each shared record, added up
    std::uint64_t least = 0;        // ns: so long the slowest rank took at least
    std::int64_t least_rank = -1;  // the rank that certainly took so long; -1: it follows from the mean alone
    double mean = 0;               // ns: over all ranks

    // No rank took longer than this.
    std::uint64_t most() const { return unique + shared; }
    // Whether it is known, rather than between `least` and `most`.
    bool exact() const { return least >= most(); }
};

// `ranks`: of the job. A rank took at least its own time, that of the fastest in each shared record, and that
// of the slowest where it was the slowest; the slowest of all took no less than the mean.
SlowestTime slowest_time(std::span<const RecordTime> records, std::uint64_t ranks);

}  // namespace fathom
