// What each rank did, side by side, and why the slowest one was slow.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/methods/spread.h"

namespace fathom {

// The ranks that are compared, by index: all ranks of an MPI job; else the processes that moved data of
// files, since those that only started others share nothing.
std::vector<std::size_t> compared_ranks(const Job& job);

// Of one quantity over the ranks.
struct Balance {
    Spread spread;             // where: the place among those that are compared
    std::uint64_t median = 0;  // of an even number the lower one in the middle
    double gini = 0;

    double over_mean() const
    {
        return spread.mean > 0 ? static_cast<double>(spread.largest) / spread.mean : 0;
    }
};
Balance balance_of(const std::vector<std::uint64_t>& of_ranks);

// The rank with most time in I/O against the mean of all. Its excess is what is left of its time when the
// mean is taken off, in seconds, and has three parts: it moved more bytes (at the mean rate), it moved its
// bytes at a lower rate, it spent longer in metadata calls. A part may be below 0.
struct SlowRank {
    std::size_t rank = 0;  // index
    double time = 0, over_mean = 0, over_median = 0;
    double by_bytes = 0, by_rate = 0, by_metadata = 0;
    double bytes = 0, mean_bytes = 0, rate = 0, mean_rate = 0;  // bytes and bytes/s while it reads or writes
};
SlowRank slow_rank_of(const Job& job, const std::vector<std::size_t>& compared);

// Bytes that the rank asked to read and write.
std::uint64_t bytes_of(const Member& rank);

}  // namespace fathom
