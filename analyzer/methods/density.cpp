// The kernel's width from spread and quartiles, the density as a sum over near samples, then its hills.
#include "analyzer/methods/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom {
namespace {

constexpr std::size_t grid_points = 512;
constexpr double margin = 3, least_share = 0.05;
// Samples this much of a bandwidth apart count as one at their mean: an error of (1/64)^2 / 2 of the peak.
constexpr double together = 1.0 / 32;
// The kernel is below 1e-13 of its middle beyond so many bandwidths.
constexpr double reach = 8;

bool usable(std::span<const Weighted> sorted)
{
    double before = -std::numeric_limits<double>::infinity();
    for (const Weighted& one : sorted) {
        if (!std::isfinite(one.value) || !std::isfinite(one.weight) || one.weight <= 0 || one.value < before)
            return false;
        before = one.value;
    }
    return !sorted.empty();
}

// The sample of number `place` (0 is the first), where it is whole, and between two of them what lies
// between.
double at_place(std::span<const Weighted> sorted, double place)
{
    const double below = std::floor(place);
    double passed = 0, low = sorted.back().value;
    bool found = false;
    for (const Weighted& one : sorted) {
        passed += one.weight;
        if (!found && passed > below) {
            low = one.value;
            found = true;
        }
        if (found && passed > below + 1) return low + (place - below) * (one.value - low);
    }
    return low;
}

double bandwidth_of(std::span<const Weighted> sorted, double n, double adjust)
{
    double sum = 0, squares = 0;
    for (const Weighted& one : sorted) sum += one.weight * one.value;
    const double mean = sum / n;
    for (const Weighted& one : sorted) squares += one.weight * (one.value - mean) * (one.value - mean);
    // Samples that are equal have a mean that differs from them in its last digit.
    const bool equal = sorted.front().value == sorted.back().value;
    const double sd = n > 1 && !equal ? std::sqrt(squares / (n - 1)) : 0;
    const double quartiles = n > 1 ? at_place(sorted, 0.75 * (n - 1)) - at_place(sorted, 0.25 * (n - 1)) : 0;
    double spread = std::min(sd, quartiles / 1.34);
    if (spread == 0) spread = sd;
    if (spread == 0) spread = std::fabs(sorted.front().value);
    if (spread == 0) spread = 1;
    return adjust * 0.9 * spread * std::pow(n, -0.2);
}

std::vector<Weighted> thinned(std::span<const Weighted> sorted, double apart)
{
    std::vector<Weighted> all;
    double first = 0;
    for (const Weighted& one : sorted) {
        if (all.empty() || one.value - first > apart) {
            all.push_back(one);
            first = one.value;
            continue;
        }
        Weighted& into = all.back();
        into.weight += one.weight;
        into.value += (one.value - into.value) * one.weight / into.weight;
    }
    return all;
}

// Indices of local maxima, of a flat top the middle. The density falls towards both ends.
std::vector<std::size_t> hills_of(const std::vector<double>& is)
{
    std::vector<std::size_t> hills;
    std::size_t risen = 0;  // where the density last came to its present height, and from below
    bool rising = true;
    for (std::size_t at = 1; at < is.size(); ++at) {
        if (is[at] > is[at - 1]) {
            risen = at;
            rising = true;
        } else if (is[at] < is[at - 1] && rising) {
            hills.push_back((risen + at - 1) / 2);
            rising = false;
        }
    }
    if (rising) hills.push_back((risen + is.size() - 1) / 2);
    return hills;
}

}  // namespace

double Density::highest() const
{
    return is.empty() ? 0 : *std::max_element(is.begin(), is.end());
}

std::optional<Density> density_of(std::span<const Weighted> sorted, double finest, double adjust)
{
    if (!usable(sorted)) return std::nullopt;
    Density density;
    for (const Weighted& one : sorted) density.samples += one.weight;
    density.bandwidth = std::max(bandwidth_of(sorted, density.samples, adjust), finest);
    const double width = density.bandwidth;
    const double from = sorted.front().value - margin * width, to = sorted.back().value + margin * width;
    if (!std::isfinite(to - from) || !std::isfinite(width) || width <= 0) return std::nullopt;

    const std::vector<Weighted> near = thinned(sorted, together * width);
    const double scale = 1 / (density.samples * width * std::sqrt(2 * std::numbers::pi));
    std::size_t first = 0;
    for (std::size_t point = 0; point < grid_points; ++point) {
        const double at = from + (to - from) * static_cast<double>(point) / (grid_points - 1);
        while (first < near.size() && near[first].value < at - reach * width) ++first;
        double sum = 0;
        for (std::size_t one = first; one < near.size() && near[one].value <= at + reach * width; ++one) {
            const double away = (at - near[one].value) / width;
            sum += near[one].weight * std::exp(-away * away / 2);
        }
        density.at.push_back(at);
        density.is.push_back(sum * scale);
    }
    return density;
}

std::optional<Clusters> clusters_of(std::span<const Weighted> sorted, double finest, double adjust)
{
    std::optional<Density> density = density_of(sorted, finest, adjust);
    if (!density) return std::nullopt;
    Clusters clusters{.density = std::move(*density), .peaks = {}, .splits = {}};
    const auto& [samples, bandwidth, at, is] = clusters.density;
    const double least = least_share * clusters.density.highest();
    std::size_t last = grid_points;
    for (const std::size_t hill : hills_of(is)) {
        if (is[hill] < least) continue;
        if (last < grid_points) {
            const auto lowest = std::min_element(is.begin() + static_cast<std::ptrdiff_t>(last),
                                                 is.begin() + static_cast<std::ptrdiff_t>(hill));
            clusters.splits.push_back(at[static_cast<std::size_t>(lowest - is.begin())]);
        }
        clusters.peaks.push_back(at[hill]);
        last = hill;
    }
    for (std::size_t point = last; point < grid_points; ++point)
        if (is[point] < least_share * is[last]) {
            clusters.cutoff = at[point];
            break;
        }
    return clusters;
}

std::optional<Clusters> clusters_of(std::span<const double> samples, double finest)
{
    std::vector<Weighted> sorted;
    for (const double sample : samples) {
        if (!std::isfinite(sample)) return std::nullopt;  // has no place in an order
        sorted.push_back({sample, 1});
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    return clusters_of(sorted, finest);
}

std::size_t Clusters::of(double value) const
{
    if (value > cutoff) return peaks.size();
    // A split belongs to the cluster below it.
    return static_cast<std::size_t>(std::lower_bound(splits.begin(), splits.end(), value) - splits.begin());
}

}  // namespace fathom
