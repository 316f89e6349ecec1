// The bins' means stand for what is in them: 0.2 % apart, when the density is smoothed over much more.
#include "analyzer/timing/measure/throughput.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analyzer/methods/density.h"

namespace fathom::measure {
namespace {

constexpr double bins_of_decade = 1000;
constexpr double least_duration = 1e-9;  // the clock's resolution

}  // namespace

void Durations::add(double seconds)
{
    const double logarithm = std::log10(std::max(seconds, least_duration));
    Bin& bin = bins_[static_cast<int>(std::floor(logarithm * bins_of_decade))];
    ++bin.operations;
    bin.seconds += seconds;
}

Throughput Durations::throughput(std::uint64_t size) const
{
    const auto value_of = [](const Bin& bin) {
        return std::log10(std::max(bin.seconds / static_cast<double>(bin.operations), least_duration));
    };
    std::vector<Weighted> sorted;
    for (const auto& [place, bin] : bins_)
        sorted.push_back({value_of(bin), static_cast<double>(bin.operations)});
    const auto clusters = clusters_of(sorted);
    const double cutoff = clusters ? clusters->cutoff : std::numeric_limits<double>::infinity();

    Throughput result;
    double all = 0, kept = 0;
    for (const auto& [place, bin] : bins_) {
        result.operations += bin.operations;
        all += bin.seconds;
        if (value_of(bin) > cutoff)
            result.outliers += bin.operations;
        else
            kept += bin.seconds;
    }
    const auto mean = [](double seconds, std::uint64_t operations) {
        return operations > 0 ? seconds / static_cast<double>(operations) : 0;
    };
    const auto rate = [size](double seconds) {
        return seconds > 0 ? static_cast<double>(size) / seconds : 0;
    };
    result.mean_of_all = mean(all, result.operations);
    result.mean_purged = mean(kept, result.operations - result.outliers);
    result.of_all = rate(result.mean_of_all);
    result.purged = rate(result.mean_purged);
    return result;
}

}  // namespace fathom::measure
