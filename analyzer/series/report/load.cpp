#include "analyzer/series/report/load.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::series {
namespace {

constexpr std::size_t most_bins = std::size_t{1} << 22;  // eight years of minutes
constexpr double tolerated = 1.01;                       // of a usual interval: clocks drift

double sum_of(std::span<const Series* const> all, Nanoseconds bin, double& untimed)
{
    double sum = 0;
    for (const Series* const series : all)
        for (const Sample& sample : series->samples) {
            sum += sample.value;
            if (is_gap(*series, sample, bin)) untimed += sample.value;
        }
    return sum;
}

}  // namespace

Nanoseconds bin_length(Nanoseconds bin, Nanoseconds usual)
{
    const double times = std::ceil(static_cast<double>(usual) / (static_cast<double>(bin) * tolerated));
    return times > 1 ? bin * static_cast<Nanoseconds>(times) : bin;
}

Nanoseconds usual_interval_of(std::span<const Series* const> all)
{
    std::vector<Nanoseconds> intervals, alone;
    for (const Series* const series : all) {
        if (series->usual_interval > 0) intervals.push_back(series->usual_interval);
        if (series->samples.size() == 1)
            alone.push_back(series->samples.front().end - series->samples.front().begin);
    }
    if (intervals.empty()) intervals = std::move(alone);
    if (intervals.empty()) return 0;
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::ranges::nth_element(intervals, middle);
    return *middle;
}

Nanoseconds usual_bin(const Window& window)
{
    constexpr std::size_t least_bins = 60;
    constexpr Nanoseconds lengths[] = {60, 30, 20, 10, 5, 2, 1};  // s
    const auto* const fits = std::ranges::find_if(lengths, [&](Nanoseconds seconds) {
        return static_cast<double>(window.end) - static_cast<double>(window.begin) >=
               static_cast<double>(seconds * one_second) * static_cast<double>(least_bins);
    });
    return (fits == std::end(lengths) ? 1 : *fits) * one_second;
}

Grid grid_of(std::span<const Series* const> all, const Choice& choice)
{
    Window window{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const Series* const series : all) {
        window.begin = std::min(window.begin, series->samples.front().begin);
        window.end = std::max(window.end, series->samples.back().end);
    }
    Nanoseconds length = bin_length(choice.bin.value_or(usual_bin(window)), usual_interval_of(all));
    if (window.begin >= window.end) return {0, length, 0};
    while (static_cast<double>(window.end) - static_cast<double>(window.begin) >
           static_cast<double>(length) * static_cast<double>(most_bins))
        length *= 2;
    Grid grid = grid_over(window, length);
    if (grid.count > 1 && window.begin - grid.begin > length / 2) {
        grid.begin += length;
        --grid.count;
    }
    if (grid.count > 1 && grid.end() - window.end > length / 2) --grid.count;
    return grid;
}

std::vector<double> rates_of(std::span<const Series* const> all, const Grid& grid)
{
    std::vector<double> rates;
    if (all.empty()) return rates;
    const double least = seconds_in(grid.length) * least_covered;
    for (const Bin& bin : sum_in_bins(all, grid, grid.length))
        rates.push_back(bin.covered >= least ? bin.rate() : std::numeric_limits<double>::quiet_NaN());
    return rates;
}

Load load_of(const Pools& pools, const Pool& pool, const Choice& choice)
{
    Load load;
    const auto reads = pools.series_of(pool, "bytes_read", Kind::amount),
               writes = pools.series_of(pool, "bytes_written", Kind::amount);
    std::vector<const Series*> all = reads;
    all.insert(all.end(), writes.begin(), writes.end());
    load.grid = grid_of(all, choice);
    load.bytes_read = sum_of(reads, load.grid.length, load.untimed);
    load.bytes_written = sum_of(writes, load.grid.length, load.untimed);
    load.read = rates_of(reads, load.grid);
    load.written = rates_of(writes, load.grid);
    load.both = rates_of(all, load.grid);
    double sum = 0;
    for (std::size_t at = 0; at < load.both.size(); ++at) {
        if (!std::isfinite(load.both[at])) continue;
        ++load.known;
        sum += load.both[at];
        if (load.both[at] > load.peak) {
            load.peak = load.both[at];
            load.peak_bin = at;
        }
    }
    if (load.known > 0) load.mean = sum / static_cast<double>(load.known);
    return load;
}

double quantile_of(std::span<const double> ascending, double p)
{
    if (ascending.empty()) return 0;
    const double rank = std::ceil(p * static_cast<double>(ascending.size()));
    return ascending[std::min(static_cast<std::size_t>(std::max(rank, 1.0)), ascending.size()) - 1];
}

}  // namespace fathom::series
