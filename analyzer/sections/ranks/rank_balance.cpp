// Compares the totals of the ranks.
#include "analyzer/sections/ranks/rank_balance.h"

#include <algorithm>

#include "analyzer/methods/gini.h"

namespace fathom {

std::vector<std::size_t> compared_ranks(const Job& job)
{
    std::vector<std::size_t> compared;
    for (std::size_t at = 0; at < job.ranks.size(); ++at)
        if (job.mpi || bytes_of(job.ranks[at]) > 0) compared.push_back(at);
    return compared;
}

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

SlowRank slow_rank_of(const Job& job, const std::vector<std::size_t>& compared)
{
    SlowRank slow;
    if (compared.empty()) return slow;
    std::vector<std::uint64_t> times;
    double bytes = 0, transfer = 0, metadata = 0;
    for (const std::size_t at : compared) {
        const Member& rank = job.ranks[at];
        const TimeSplit split = rank.time();
        times.push_back(split.total());
        bytes += static_cast<double>(bytes_of(rank));
        transfer += static_cast<double>(split.read + split.write) / 1e9;
        metadata += static_cast<double>(split.metadata) / 1e9;
    }
    const Balance all = balance_of(times);
    const auto ranks = static_cast<double>(compared.size());
    slow.rank = compared[all.spread.where];
    const Member& rank = job.ranks[slow.rank];
    const TimeSplit split = rank.time();
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
