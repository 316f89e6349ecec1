// One pass over the records, with a sum for each rank that they name.
#include "analyzer/methods/slowest.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fathom {
namespace {

struct OfRank {
    std::uint64_t own = 0, over_fastest = 0;
};

}  // namespace

SlowestTime slowest_time(std::span<const RecordTime> records, std::uint64_t ranks)
{
    SlowestTime result;
    std::map<std::int64_t, OfRank> by_rank;  // ascending: of equal ones the first counts
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
    for (const auto& [rank, sum] : by_rank) {
        if (sum.own > result.unique) {
            result.unique = sum.own;
            result.unique_rank = rank;
        }
        const std::uint64_t certain = sum.own + sum.over_fastest + by_all;
        if (certain <= result.least) continue;
        result.least = certain;
        result.least_rank = rank;
    }
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
