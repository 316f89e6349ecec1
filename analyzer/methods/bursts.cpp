// Finds the threshold, the stretches above it, and closes the gaps.
#include "analyzer/methods/bursts.h"

#include <algorithm>
#include <cmath>

#include "analyzer/methods/wavelet.h"

namespace fathom {
namespace {

constexpr double above_idle = 0.05, no_contrast = 0.5, idle_share = 0.1;
constexpr std::size_t gap_closed = 1;  // slices

// Between the neighbours where p (n - 1) is no whole number (type 7). `values` are not empty.
double quantile_of(std::vector<double> values, double p)
{
    std::sort(values.begin(), values.end());
    const double place = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

// The amount of the slice in which half of all is reached, when slices with less come first.
double typical_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    double all = 0, passed = 0;
    for (const double value : values) all += value;
    for (const double value : values) {
        passed += value;
        if (passed >= all / 2) return value;
    }
    return 0;
}

std::vector<Stretch> above(const std::vector<double>& values, double threshold)
{
    std::vector<Stretch> all;
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (values[at] <= threshold) continue;
        if (!all.empty() && at - all.back().to <= gap_closed)
            all.back().to = at + 1;
        else
            all.push_back({at, at + 1});
    }
    return all;
}

}  // namespace

std::vector<Stretch> bursts_of(std::span<const double> amounts)
{
    std::vector<double> series;
    for (const double amount : amounts) series.push_back(std::isfinite(amount) && amount > 0 ? amount : 0);
    std::vector<double> smooth = without_noise(series);
    for (double& value : smooth) value = std::max(value, 0.0);
    const double typical = typical_of(smooth);
    if (typical <= 0) return {};
    const double idle = quantile_of(smooth, idle_share);
    const double threshold =
        idle > no_contrast * typical ? above_idle * typical : idle + above_idle * (typical - idle);
    std::vector<Stretch> bursts = above(smooth, threshold);
    for (Stretch& one : bursts) {
        while (one.from < one.to && series[one.from] <= threshold) ++one.from;
        while (one.from < one.to && series[one.to - 1] <= threshold) --one.to;
    }
    std::erase_if(bursts, [](const Stretch& one) { return one.length() == 0; });
    return bursts;
}

std::optional<Period> period_of(std::span<const double> starts, std::span<const double> amounts)
{
    constexpr std::size_t fewest = 3;
    constexpr double alike = 2, regular = 0.5;
    if (starts.size() < fewest || starts.size() != amounts.size()) return std::nullopt;
    const double median = quantile_of({amounts.begin(), amounts.end()}, 0.5);
    std::vector<double> resembling;
    for (std::size_t at = 0; at < starts.size(); ++at)
        if (amounts[at] >= median / alike && amounts[at] <= median * alike) resembling.push_back(starts[at]);
    if (resembling.size() < fewest || 2 * resembling.size() <= starts.size()) return std::nullopt;
    std::vector<double> distances;
    for (std::size_t at = 1; at < resembling.size(); ++at)
        distances.push_back(resembling[at] - resembling[at - 1]);
    const Period period{resembling.size(), quantile_of(distances, 0.5), quantile_of(distances, 0.25),
                        quantile_of(distances, 0.75)};
    if (period.high - period.low > regular * period.median) return std::nullopt;
    return period;
}

}  // namespace fathom
