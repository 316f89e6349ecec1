// The cutoff of the density clusters, back from logarithms.
#include "analyzer/methods/outlier_limit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/methods/density.h"

namespace fathom {

std::optional<OutlierLimit> outlier_limit(std::span<const float> seconds, double shortest)
{
    std::vector<float> sorted(seconds.begin(), seconds.end());
    const auto usable = [](float one) { return std::isfinite(one) && one >= 0; };
    if (sorted.empty() || !std::all_of(sorted.begin(), sorted.end(), usable)) return std::nullopt;
    std::sort(sorted.begin(), sorted.end());

    const auto told = [&](float one) { return std::max(static_cast<double>(one), shortest); };
    const std::size_t n = sorted.size();
    OutlierLimit limit{.seconds = told(sorted.back()),
                       .median = (told(sorted[(n - 1) / 2]) + told(sorted[n / 2])) / 2,
                       .operations = n};
    if (told(sorted.front()) == told(sorted.back())) return limit;

    std::vector<Weighted> logs;
    for (const float one : sorted) {
        const double value = std::log10(told(one));
        if (!logs.empty() && logs.back().value == value)
            ++logs.back().weight;
        else
            logs.push_back({value, 1});
    }
    const auto clusters = clusters_of(logs);
    if (!clusters) return std::nullopt;
    limit.seconds = std::pow(10, clusters->cutoff);
    for (auto one = logs.rbegin(); one != logs.rend() && one->value > clusters->cutoff; ++one)
        limit.outliers += static_cast<std::uint64_t>(one->weight);
    return limit;
}

}  // namespace fathom
