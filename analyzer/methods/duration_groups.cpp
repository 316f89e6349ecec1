// Clusters of the bins' middles, then sums over the bins of each.
#include "analyzer/methods/duration_groups.h"

#include <algorithm>
#include <cmath>

#include "analyzer/methods/density.h"

namespace fathom {
namespace {

constexpr double widest_bin = 33.0 / 32, bins_of_bandwidth = 2;

double log_seconds(std::uint64_t duration)
{
    return std::log10(static_cast<double>(std::max<std::uint64_t>(duration, 1)) / 1e9);
}

// Two bins as wide as the one of the median: below 32 ns they are wider than elsewhere.
double finest_bandwidth(std::span<const HistogramBin> bins, std::uint64_t median)
{
    double ratio = widest_bin;
    for (const HistogramBin& bin : bins)
        if (bin.at_least > 0 && bin.at_least <= median && median < bin.below)
            ratio = std::max(ratio, static_cast<double>(bin.below) / static_cast<double>(bin.at_least));
    return bins_of_bandwidth * std::log10(ratio);
}

DurationGroup group_of(std::span<const HistogramBin> bins, double scale, std::uint64_t longest)
{
    DurationGroup group;
    for (const HistogramBin& bin : bins) {
        group.operations += bin.operations;
        group.time += scale * static_cast<double>(middle_of(bin)) * static_cast<double>(bin.operations);
    }
    group.median = quantile(bins, longest, 500).value_or(0);
    return group;
}

}  // namespace

std::optional<DurationGroups> groups_of(std::span<const HistogramBin> bins, std::uint64_t time,
                                        std::uint64_t longest)
{
    std::vector<HistogramBin> used(bins.begin(), bins.end());
    std::erase_if(used, [](const HistogramBin& bin) { return bin.operations == 0; });
    std::vector<Weighted> sorted;
    double middles = 0;
    for (const HistogramBin& bin : used) {
        sorted.push_back({log_seconds(middle_of(bin)), static_cast<double>(bin.operations)});
        middles += static_cast<double>(middle_of(bin)) * static_cast<double>(bin.operations);
    }
    const auto clusters =
        clusters_of(sorted, finest_bandwidth(used, quantile(used, longest, 500).value_or(0)));
    if (!clusters) return std::nullopt;

    const double scale = middles > 0 ? static_cast<double>(time) / middles : 0;
    const std::size_t count = clusters->peaks.size();
    // Bins ascend, so that each cluster is a stretch of them.
    std::vector<std::size_t> ends(count + 1);
    for (std::size_t at = 0; at < used.size(); ++at) ends[clusters->of(sorted[at].value)] = at + 1;
    for (std::size_t one = 1; one <= count; ++one) ends[one] = std::max(ends[one], ends[one - 1]);
    const std::span<const HistogramBin> all = used;
    const auto between = [&](std::size_t from, std::size_t to) {
        const std::uint64_t last =
            to > from && to < all.size() ? std::min(longest, middle_of(all[to - 1])) : longest;
        return group_of(all.subspan(from, to - from), scale, last);
    };
    DurationGroups groups;
    std::size_t largest = 0;
    for (std::size_t one = 0; one < count; ++one) {
        groups.clusters.push_back(between(one == 0 ? 0 : ends[one - 1], ends[one]));
        if (groups.clusters[one].operations > groups.clusters[largest].operations) largest = one;
    }
    groups.outliers = between(ends[count - 1], used.size());
    groups.all = between(0, used.size());
    groups.kept = between(0, ends[count - 1]);
    groups.quick = between(0, largest == 0 ? 0 : ends[largest - 1]);
    groups.usual = between(0, ends[largest]);
    groups.slow = between(ends[largest], used.size());
    return groups;
}

}  // namespace fathom
