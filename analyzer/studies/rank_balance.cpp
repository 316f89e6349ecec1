// Compares the totals of the ranks.
#include "analyzer/studies/rank_balance.h"

#include <algorithm>

#include "analyzer/methods/gini.h"

namespace fathom {

Balance balance_of(const std::vector<std::uint64_t>& of_ranks)
{
    Balance balance{spread_of(of_ranks), 0, gini_of(of_ranks)};
    if (of_ranks.empty()) return balance;
    std::vector<std::uint64_t> sorted = of_ranks;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    balance.median = *middle;
    return balance;
}

std::uint64_t bytes_of(const Member& rank)
{
    return rank.application_bytes(Direction::read) + rank.application_bytes(Direction::write);
}

SlowRank slow_rank_of(const Job& job)
{
    SlowRank slow;
    if (job.ranks.empty()) return slow;
    std::vector<std::uint64_t> times;
    double bytes = 0, transfer = 0, metadata = 0;
    for (const Member& rank : job.ranks) {
        const TimeSplit split = rank.time();
        times.push_back(split.total());
        bytes += static_cast<double>(bytes_of(rank));
        transfer += static_cast<double>(split.read + split.write) / 1e9;
        metadata += static_cast<double>(split.metadata) / 1e9;
    }
    const Balance all = balance_of(times);
    const auto ranks = static_cast<double>(job.ranks.size());
    const Member& rank = job.ranks[all.spread.where];
    const TimeSplit split = rank.time();
    slow.rank = all.spread.where;
    slow.time = static_cast<double>(split.total()) / 1e9;
    slow.over_mean = slow.time - all.spread.mean / 1e9;
    slow.over_median = slow.time - static_cast<double>(all.median) / 1e9;
    slow.bytes = static_cast<double>(bytes_of(rank));
    slow.mean_bytes = bytes / ranks;
    const double transferring = static_cast<double>(split.read + split.write) / 1e9;
    if (transferring > 0) slow.rate = slow.bytes / transferring;
    if (transfer > 0) slow.mean_rate = bytes / transfer;
    if (slow.mean_rate > 0) {
        slow.by_bytes = (slow.bytes - slow.mean_bytes) / slow.mean_rate;
        slow.by_rate = transferring - slow.bytes / slow.mean_rate;
    } else {
        slow.by_rate = transferring - transfer / ranks;
    }
    slow.by_metadata = static_cast<double>(split.metadata) / 1e9 - metadata / ranks;
    return slow;
}

}  // namespace fathom
