#include "analyzer/system/ill_servers.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "analyzer/methods/quartiles.h"

namespace fathom {
namespace {

constexpr std::size_t least_servers = 3;
constexpr double ill_rate = 0.6, longer = 1.3, least_bins = 3, least_of_io = 0.5, least_bytes = 1.0 / 3;
// Of a process, on the mean.
constexpr double least_waiting = 0.5;

// Of two, the mean: so many others are there most of the time.
double median_of(std::vector<double> values)
{
    const auto numbers = five_numbers_of(std::move(values));
    return numbers ? numbers->median : 0;
}

AtBest best_of_direction(const LoadGroup& group, std::span<const series::Bin> bins)
{
    constexpr std::size_t least_best = 2, one_in = 100;
    std::vector<double> rates;
    double bytes = 0;
    for (std::size_t at = 0; at < group.bins.size(); ++at) {
        if (!group.bins[at].job_active() || bins[at].covered <= 0) continue;
        rates.push_back(bins[at].rate());
        bytes += bins[at].amount;
    }
    if (bytes <= 0) return {};
    const std::size_t count = std::min(rates.size(), std::max(least_best, rates.size() / one_in));
    const auto end = rates.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(rates.begin(), end, rates.end(), std::greater());
    return {bytes * static_cast<double>(count) / std::accumulate(rates.begin(), end, 0.0), bytes};
}

// s that processes of the job were in I/O, added up.
double waited(const LoadGroup& group)
{
    return std::accumulate(group.bins.begin(), group.bins.end(), 0.0,
                           [](double sum, const LoadGroup::Bin& bin) { return sum + bin.job_time; });
}

}  // namespace

AtBest at_best(const LoadGroup& group, std::span<const series::Bin> read,
               std::span<const series::Bin> written)
{
    // A few bytes say nothing of what a server can do.
    constexpr double least_part = 0.05;
    const AtBest reading = best_of_direction(group, read), writing = best_of_direction(group, written);
    AtBest sum;
    for (const AtBest& one : {reading, writing}) {
        if (one.bytes < least_part * (reading.bytes + writing.bytes)) continue;
        sum.bytes += one.bytes;
        sum.seconds += one.seconds;
    }
    sum.seconds = std::min(sum.seconds, group.known);
    return sum;
}

std::vector<IllServer> ill_servers(const SystemLoad& load)
{
    std::vector<IllServer> ill;
    for (std::size_t at = 0; at < load.groups.size(); ++at) {
        const LoadGroup& group = load.groups[at];
        if (!group.serves_files || group.members.size() < least_servers) continue;
        const double bin = static_cast<double>(group.length) / 1e9;
        if (waited(group) < least_waiting * group.job_io) continue;
        for (std::size_t one = 0; one < group.members.size(); ++one) {
            const LoadMember& member = group.members[one];
            std::vector<double> rates, times, bytes;
            for (std::size_t other = 0; other < group.members.size(); ++other) {
                if (other == one || group.members[other].bytes() <= 0) continue;
                rates.push_back(group.members[other].best_rate);
                times.push_back(group.members[other].at_best);
                bytes.push_back(group.members[other].bytes());
            }
            if (rates.size() + 1 < least_servers || member.bytes() <= 0) continue;
            const double usual = median_of(rates);
            if (member.best_rate >= ill_rate * usual || member.at_best < longer * median_of(times) ||
                member.at_best < least_bins * bin || member.at_best < least_of_io * group.job_io ||
                member.bytes() < least_bytes * median_of(bytes))
                continue;
            ill.push_back({at, one, member.at_best, member.best_rate / usual, usual,
                           member.at_best - member.bytes() / usual});
        }
    }
    return ill;
}

}  // namespace fathom
