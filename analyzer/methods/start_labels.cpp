// Minima of ever finer densities; where they do not do, the best cuts between cells of values.
#include "analyzer/methods/start_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom {
namespace {

constexpr double first_adjust = 2, finer = 0.7, last_adjust = 0.45;
// A minimum that is higher than this part of the lower hill beside it is none.
constexpr double least_dip = 0.95;
constexpr std::size_t cells = 256;  // cuts are between them

// Takes away the shallowest of the splits until there are `wanted`, and all that are too shallow.
void keep_deepest(Clusters& clusters, std::size_t wanted)
{
    const Density& density = clusters.density;
    const auto height = [&](double x) {
        const auto at = std::lower_bound(density.at.begin(), density.at.end(), x) - density.at.begin();
        return density.is[std::min(static_cast<std::size_t>(at), density.is.size() - 1)];
    };
    std::vector<double>& splits = clusters.splits;
    std::vector<double>& peaks = clusters.peaks;
    while (!splits.empty()) {
        std::size_t shallowest = 0;
        double most = -1;
        for (std::size_t at = 0; at < splits.size(); ++at) {
            const double part = height(splits[at]) / std::min(height(peaks[at]), height(peaks[at + 1]));
            if (part <= most) continue;
            most = part;
            shallowest = at;
        }
        if (splits.size() <= wanted && most <= least_dip) return;
        const auto place = static_cast<std::ptrdiff_t>(shallowest);
        // Of the two hills beside it the higher one stays.
        const bool first_is_lower = height(peaks[shallowest]) < height(peaks[shallowest + 1]);
        peaks.erase(peaks.begin() + place + (first_is_lower ? 0 : 1));
        splits.erase(splits.begin() + place);
    }
}

struct Cell {
    double last = 0;  // the largest value in it
    double weight = 0, sum = 0, squares = 0;
};

// Sums up to each of at most so many cells with as many values each.
std::vector<Cell> sums_of(std::span<const Weighted> sorted, std::size_t most)
{
    const double first = sorted.front().value;  // what is relative to it has squares that can be subtracted
    const std::size_t many = std::min(most, sorted.size());
    std::vector<Cell> sums{{}};
    for (std::size_t cell = 0, at = 0; cell < many; ++cell) {
        sums.push_back(sums.back());
        Cell& into = sums.back();
        for (; at < (cell + 1) * sorted.size() / many; ++at) {
            const double value = sorted[at].value - first, weight = sorted[at].weight;
            into.last = sorted[at].value;
            into.weight += weight;
            into.sum += weight * value;
            into.squares += weight * value * value;
        }
    }
    return sums;
}

// The cuts of least squares, by dynamic programming over the cells: the best of `parts` parts up to a cell
// has the best of one part less up to where its last begins.
std::vector<double> least_squares(std::span<const Weighted> sorted, std::size_t parts)
{
    const std::vector<Cell> sums = sums_of(sorted, std::max(cells, parts));
    const std::size_t n = sums.size() - 1;
    const auto within = [&](std::size_t from, std::size_t to) {
        const double weight = sums[to].weight - sums[from].weight, sum = sums[to].sum - sums[from].sum;
        return std::max(sums[to].squares - sums[from].squares - sum * sum / weight, 0.0);
    };
    std::vector<double> best(n + 1);
    for (std::size_t to = 1; to <= n; ++to) best[to] = within(0, to);
    std::vector<std::vector<std::size_t>> begins(parts + 1, std::vector<std::size_t>(n + 1));
    for (std::size_t part = 2; part <= parts; ++part) {
        std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
        for (std::size_t to = part; to <= n; ++to)
            for (std::size_t from = part - 1; from < to; ++from)
                if (const double sum = best[from] + within(from, to); sum < next[to]) {
                    next[to] = sum;
                    begins[part][to] = from;
                }
        best = std::move(next);
    }
    std::vector<double> splits;
    std::size_t to = n;
    for (std::size_t part = parts; part >= 2; --part) {
        to = begins[part][to];
        splits.insert(splits.begin(), sums[to].last);
    }
    return splits;
}

}  // namespace

std::size_t StartSplits::of(double value) const
{
    return static_cast<std::size_t>(std::lower_bound(splits.begin(), splits.end(), value) - splits.begin());
}

std::optional<StartSplits> start_splits(std::span<const double> samples, std::size_t states)
{
    if (states == 0) return std::nullopt;
    std::vector<Weighted> sorted;
    for (const double sample : samples) {
        if (!std::isfinite(sample)) return std::nullopt;
        sorted.push_back({sample, 1});
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    // Equal samples are one of more weight.
    std::vector<Weighted> different;
    for (const Weighted& one : sorted)
        if (!different.empty() && different.back().value == one.value)
            different.back().weight += one.weight;
        else
            different.push_back(one);
    if (different.size() < states) return std::nullopt;

    StartSplits result;
    for (double adjust = first_adjust; adjust >= last_adjust; adjust *= finer) {
        auto clusters = clusters_of(different, 0, adjust);
        if (!clusters) return std::nullopt;
        if (!result.density) result.density = clusters->density;
        keep_deepest(*clusters, states - 1);
        if (clusters->splits.size() + 1 < states) continue;
        result.splits = clusters->splits;
        result.density = std::move(clusters->density);
        return result;
    }
    result.splits = least_squares(different, states);
    result.basis = SplitBasis::least_squares;
    return result;
}

}  // namespace fathom
