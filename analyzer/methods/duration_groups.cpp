// Clusters of the durations or of the bins' middles, then sums over the stretch of them that each one is.
#include "analyzer/methods/duration_groups.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

constexpr double shortest = 1e-9;
constexpr double widest_bin = 1.0 / 32, steps_of_bandwidth = 2;
// Of durations that are far apart the distance says nothing of a clock's ticks.
constexpr double widest_tick = 1.0 / 16;

double finest_bandwidth(double step)
{
    return steps_of_bandwidth * std::log10(1 + step);
}

// The width of the median's bin: below 32 ns bins are wider than elsewhere.
double step_of(std::span<const HistogramBin> bins, std::uint64_t median)
{
    double step = widest_bin;
    for (const HistogramBin& bin : bins)
        if (bin.at_least > 0 && bin.at_least <= median && median < bin.below)
            step = std::max(
                step, static_cast<double>(bin.below - bin.at_least) / static_cast<double>(bin.at_least));
    return step;
}

// The smallest difference between two durations, as a part of the median: a tick of the clock at least.
double step_of(std::span<const double> ascending)
{
    double tick = std::numeric_limits<double>::infinity();
    for (std::size_t at = 1; at < ascending.size(); ++at)
        if (ascending[at] > ascending[at - 1]) tick = std::min(tick, ascending[at] - ascending[at - 1]);
    const double median = std::max(ascending[(ascending.size() - 1) / 2], shortest);
    return std::isfinite(tick) ? std::min(tick / median, widest_tick) : 0;
}

// The groups, where clusters are stretches of `sorted` and sum(from, to) says what one of them amounts to.
template <class Sum>
DurationGroups groups_around(Clusters&& found, std::span<const Weighted> sorted, Sum sum)
{
    const std::size_t count = found.peaks.size();
    std::vector<std::size_t> ends(count + 1);
    for (std::size_t at = 0; at < sorted.size(); ++at) ends[found.of(sorted[at].value)] = at + 1;
    for (std::size_t one = 1; one <= count; ++one) ends[one] = std::max(ends[one], ends[one - 1]);
    DurationGroups groups;
    groups.found = std::move(found);
    std::size_t largest = 0;
    for (std::size_t one = 0; one < count; ++one) {
        groups.clusters.push_back(sum(one == 0 ? 0 : ends[one - 1], ends[one]));
        if (groups.clusters[one].operations > groups.clusters[largest].operations) largest = one;
    }
    groups.outliers = sum(ends[count - 1], sorted.size());
    groups.all = sum(0, sorted.size());
    groups.kept = sum(0, ends[count - 1]);
    groups.quick = sum(0, largest == 0 ? 0 : ends[largest - 1]);
    groups.usual = sum(0, ends[largest]);
    groups.slow = sum(ends[largest], sorted.size());
    return groups;
}

DurationGroup group_of(std::span<const HistogramBin> bins, double scale, std::uint64_t longest)
{
    DurationGroup group;
    for (const HistogramBin& bin : bins) {
        group.operations += bin.operations;
        group.time += scale * static_cast<double>(middle_of(bin)) * static_cast<double>(bin.operations) / 1e9;
    }
    group.median = static_cast<double>(quantile(bins, longest, 500).value_or(0)) / 1e9;
    return group;
}

}  // namespace

double log_of_duration(double seconds)
{
    return std::log10(std::max(seconds, shortest));
}

std::optional<DurationGroups> groups_of(std::span<const HistogramBin> bins, std::uint64_t time,
                                        std::uint64_t longest)
{
    std::vector<HistogramBin> used(bins.begin(), bins.end());
    std::erase_if(used, [](const HistogramBin& bin) { return bin.operations == 0; });
    std::vector<Weighted> sorted;
    double middles = 0;
    for (const HistogramBin& bin : used) {
        sorted.push_back({log_of_duration(static_cast<double>(middle_of(bin)) / 1e9),
                          static_cast<double>(bin.operations)});
        middles += static_cast<double>(middle_of(bin)) * static_cast<double>(bin.operations);
    }
    const double step = step_of(used, quantile(used, longest, 500).value_or(0));
    auto found = clusters_of(sorted, finest_bandwidth(step));
    if (!found) return std::nullopt;

    const double scale = middles > 0 ? static_cast<double>(time) / middles : 0;
    const std::span<const HistogramBin> all = used;
    return groups_around(std::move(*found), sorted, [&](std::size_t from, std::size_t to) {
        const std::uint64_t last =
            to > from && to < all.size() ? std::min(longest, middle_of(all[to - 1])) : longest;
        return group_of(all.subspan(from, to - from), scale, last);
    });
}

std::optional<DurationGroups> groups_of(std::span<const double> seconds, double step)
{
    if (seconds.empty() || !std::all_of(seconds.begin(), seconds.end(),
                                        [](double one) { return std::isfinite(one) && one >= 0; }))
        return std::nullopt;
    std::vector<double> ascending(seconds.begin(), seconds.end());
    std::sort(ascending.begin(), ascending.end());
    std::vector<Weighted> sorted;
    sorted.reserve(ascending.size());
    for (const double one : ascending) sorted.push_back({log_of_duration(one), 1});
    auto found = clusters_of(sorted, finest_bandwidth(std::max(step, step_of(ascending))));
    if (!found) return std::nullopt;

    return groups_around(std::move(*found), sorted, [&](std::size_t from, std::size_t to) {
        DurationGroup group;
        group.operations = to - from;
        for (std::size_t at = from; at < to; ++at) group.time += ascending[at];
        if (to > from) group.median = ascending[from + (to - from - 1) / 2];
        return group;
    });
}

}  // namespace fathom
