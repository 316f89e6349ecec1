#include "analyzer/system/ill_servers.h"

#include <algorithm>

namespace fathom {
namespace {

constexpr double active_part = 0.1;
constexpr std::size_t least_servers = 3;
constexpr double ill_rate = 0.3, longer = 2, least_bins = 3, least_of_io = 0.2, least_bytes = 0.2;

double median_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

ActiveTime active_time(const LoadGroup& group, std::span<const series::Bin> read,
                       std::span<const series::Bin> written)
{
    double best = 0;
    for (std::size_t at = 0; at < group.bins.size(); ++at)
        if (group.bins[at].job_active()) best = std::max(best, read[at].rate() + written[at].rate());
    ActiveTime active;
    for (std::size_t at = 0; at < group.bins.size(); ++at) {
        const double rate = read[at].rate() + written[at].rate();
        if (!group.bins[at].job_active() || rate <= 0 || rate < active_part * best) continue;
        active.seconds += std::max(read[at].covered, written[at].covered);
        active.bytes += read[at].amount + written[at].amount;
    }
    return active;
}

std::vector<IllServer> ill_servers(const SystemLoad& load)
{
    std::vector<IllServer> ill;
    for (std::size_t at = 0; at < load.groups.size(); ++at) {
        const LoadGroup& group = load.groups[at];
        if (!group.serves_files || group.members.size() < least_servers) continue;
        const double bin = static_cast<double>(group.length) / 1e9;
        for (std::size_t one = 0; one < group.members.size(); ++one) {
            const LoadMember& member = group.members[one];
            std::vector<double> rates, times, bytes;
            for (std::size_t other = 0; other < group.members.size(); ++other) {
                if (other == one || group.members[other].active <= 0) continue;
                rates.push_back(group.members[other].active_rate);
                times.push_back(group.members[other].active);
                bytes.push_back(group.members[other].bytes());
            }
            if (rates.size() + 1 < least_servers || member.active <= 0) continue;
            const double usual = median_of(rates);
            if (member.active_rate >= ill_rate * usual || member.active < longer * median_of(times) ||
                member.active < least_bins * bin || member.active < least_of_io * group.job_io ||
                member.bytes() < least_bytes * median_of(bytes))
                continue;
            ill.push_back({at, one, member.active, member.active_rate / usual, usual,
                           member.active - member.bytes() / usual});
        }
    }
    return ill;
}

}  // namespace fathom
