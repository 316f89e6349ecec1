// Sorted samples, walked side by side.
#include "analyzer/methods/empirical.h"

#include <algorithm>
#include <cmath>

#include "analyzer/methods/not_finite.h"

namespace fathom {
namespace {

// Empty where a sample has no place in an order.
std::vector<double> sorted_of(std::span<const double> samples)
{
    std::vector<double> sorted(samples.begin(), samples.end());
    if (std::any_of(sorted.begin(), sorted.end(), [](double one) { return std::isnan(one); })) return {};
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// The middle of the i-th of n equal parts of [0, 1].
double share_at(std::size_t i, std::size_t n)
{
    return (static_cast<double>(i) + 0.5) / static_cast<double>(n);
}

}  // namespace

double distance_from(std::span<const double> samples, const std::function<double(double)>& share)
{
    const std::vector<double> sorted = sorted_of(samples);
    if (sorted.empty()) return nan;
    const double n = static_cast<double>(sorted.size());
    double furthest = 0;
    for (std::size_t at = 0; at < sorted.size(); ++at) {
        const double expected = share(sorted[at]), below = static_cast<double>(at) / n;
        furthest = std::max({furthest, expected - below, below + 1 / n - expected});
    }
    return furthest;
}

double distance_between(std::span<const double> some, std::span<const double> others)
{
    const std::vector<double> a = sorted_of(some), b = sorted_of(others);
    if (a.empty() || b.empty()) return nan;
    double furthest = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const double x = std::min(a[i], b[j]);
        while (i < a.size() && a[i] == x) ++i;
        while (j < b.size() && b[j] == x) ++j;
        furthest = std::max(furthest, std::fabs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                                static_cast<double>(j) / static_cast<double>(b.size())));
    }
    return furthest;
}

double quantile_of_sorted(std::span<const double> sorted, double p)
{
    const double last = static_cast<double>(sorted.size() - 1);
    const double place = std::clamp(p * static_cast<double>(sorted.size()) - 0.5, 0.0, last);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 >= sorted.size()) return sorted.back();
    const double low = sorted[below], rest = place - static_cast<double>(below);
    return rest == 0 ? low : low + rest * (sorted[below + 1] - low);
}

std::vector<QuantilePair> quantile_pairs(const std::function<double(double)>& quantile,
                                         std::span<const double> samples, std::size_t most)
{
    const std::vector<double> sorted = sorted_of(samples);
    const std::size_t points = std::min(most, sorted.size());
    std::vector<QuantilePair> pairs;
    for (std::size_t at = 0; at < points; ++at) {
        const double p = share_at(at, points);
        pairs.push_back({quantile(p), quantile_of_sorted(sorted, p)});
    }
    return pairs;
}

std::vector<QuantilePair> quantile_pairs(std::span<const double> first, std::span<const double> second,
                                         std::size_t most)
{
    const std::vector<double> a = sorted_of(first);
    if (a.empty()) return {};
    return quantile_pairs([&](double p) { return quantile_of_sorted(a, p); }, second,
                          std::min(most, a.size()));
}

}  // namespace fathom
