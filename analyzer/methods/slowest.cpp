// One pass over the records, with a sum for each rank that they name.
#include "analyzer/methods/slowest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace fathom {
namespace {

struct OfRank {
    std::uint64_t own = 0, over_fastest = 0;
    bool named = false;
};

// By rank: a place for each where records are as many, else one for those that are named.
class Ranks {
  public:
    Ranks(std::uint64_t ranks, std::size_t records)
    {
        constexpr std::size_t times_as_many = 8;
        if (ranks / times_as_many <= records) places_.resize(ranks);
    }
    OfRank& operator[](std::int64_t rank)
    {
        const auto at = static_cast<std::size_t>(rank);
        OfRank& one = at < places_.size() ? places_[at] : others_[rank];
        one.named = true;
        return one;
    }
    // Ascending: of equal ones the first counts.
    template <class Visit>
    void each(Visit visit) const
    {
        for (std::size_t at = 0; at < places_.size(); ++at)
            if (places_[at].named) visit(static_cast<std::int64_t>(at), places_[at]);
        for (const auto& [rank, one] : others_) visit(rank, one);
    }

  private:
    std::vector<OfRank> places_;
    std::map<std::int64_t, OfRank> others_;
};

}  // namespace

SlowestTime slowest_time(std::span<const RecordTime> records, std::uint64_t ranks)
{
    SlowestTime result;
    Ranks by_rank(ranks, records.size());
    std::uint64_t by_all = 0, all = 0;
    for (const RecordTime& record : records) {
        ++result.records;
        result.bytes += record.bytes;
        all += record.time;
        if (record.rank >= 0) {
            by_rank[record.rank].own += record.time;
            continue;
        }
        result.shared += record.slowest_time;
        const std::uint64_t fastest = std::min(record.fastest_time, record.slowest_time);
        by_all += fastest;
        if (record.slowest >= 0) by_rank[record.slowest].over_fastest += record.slowest_time - fastest;
    }
    by_rank.each([&](std::int64_t rank, const OfRank& sum) {
        if (sum.own > result.unique) {
            result.unique = sum.own;
            result.unique_rank = rank;
        }
        const std::uint64_t certain = sum.own + sum.over_fastest + by_all;
        if (certain <= result.least) return;
        result.least = certain;
        result.least_rank = rank;
    });
    if (ranks > 0) result.mean = static_cast<double>(all) / static_cast<double>(ranks);
    constexpr double most_ns = 9e18;  // of damaged logs sums may be anything
    const auto mean = static_cast<std::uint64_t>(std::floor(std::min(result.mean, most_ns)));
    // Rounded sums may lie a little above what no rank can exceed.
    if (mean > result.least) {
        result.least = std::min(mean, std::max(result.most(), result.least));
        result.least_rank = -1;
    }
    return result;
}

}  // namespace fathom
