#include "analyzer/series/bins.h"

#include <algorithm>

namespace fathom::series {
namespace {

constexpr double seconds_of(Nanoseconds time)
{
    return static_cast<double>(time) / static_cast<double>(one_second);
}

// Calls visit(bin, seconds in it) for what a stretch of time has in each bin.
template <class Visit>
void each_bin(Nanoseconds begin, Nanoseconds end, const Grid& grid, Visit visit)
{
    begin = std::max(begin, grid.begin);
    end = std::min(end, grid.end());
    while (begin < end) {
        const auto bin = static_cast<std::size_t>((begin - grid.begin) / grid.length);
        const Nanoseconds until = std::min(end, grid.begin_of(bin + 1));
        visit(bin, seconds_of(until - begin));
        begin = until;
    }
}

constexpr Nanoseconds rounded_down(Nanoseconds time, Nanoseconds to)
{
    return (time / to - (time % to < 0 ? 1 : 0)) * to;
}

}  // namespace

Grid grid_over(const Window& window, Nanoseconds length)
{
    Grid grid{rounded_down(window.begin, length), length, 0};
    if (window.end > window.begin)
        grid.count = static_cast<std::size_t>((window.end - grid.begin + length - 1) / length);
    return grid;
}

bool is_gap(const Series& series, const Sample& sample, Nanoseconds tolerated)
{
    return sample.end - sample.begin > tolerated && series.usual_interval > 0 &&
           static_cast<double>(sample.end - sample.begin) >
               gap_factor * static_cast<double>(series.usual_interval);
}

void add_to_bins(const Series& series, const Grid& grid, std::span<Bin> bins, Nanoseconds tolerated)
{
    auto at = std::ranges::upper_bound(series.samples, grid.begin, {}, &Sample::end);
    for (; at != series.samples.end() && at->begin < grid.end(); ++at) {
        const Sample& sample = *at;
        if (is_gap(series, sample, tolerated)) continue;
        const double rate = sample.value / seconds_of(sample.end - sample.begin);
        each_bin(sample.begin, sample.end, grid, [&](std::size_t bin, double seconds) {
            bins[bin].amount += rate * seconds;
            bins[bin].covered += seconds;
        });
    }
}

std::vector<Bin> sum_in_bins(std::span<const Series* const> all, const Grid& grid, Nanoseconds tolerated)
{
    // First the rates, then the amounts of the time that all of them cover.
    std::vector<Bin> sum(grid.count, Bin{0, -1}), one;
    for (const Series* const series : all) {
        if (series->samples.empty()) continue;
        // Only where the series is: not there yet, or gone, is not missing.
        const Nanoseconds begin = std::max(series->samples.front().begin, grid.begin),
                          end = std::min(series->samples.back().end, grid.end());
        if (begin >= end) continue;
        const auto first = static_cast<std::size_t>((begin - grid.begin) / grid.length),
                   last = static_cast<std::size_t>((end - 1 - grid.begin) / grid.length);
        one.assign(last - first + 1, Bin{});
        add_to_bins(*series, {grid.begin_of(first), grid.length, one.size()}, one, tolerated);
        for (std::size_t at = 0; at < one.size(); ++at) {
            Bin& to = sum[first + at];
            to.amount += one[at].rate();
            to.covered = to.covered < 0 ? one[at].covered : std::min(to.covered, one[at].covered);
        }
    }
    for (Bin& bin : sum) {
        bin.covered = std::max(bin.covered, 0.0);
        bin.amount *= bin.covered;
    }
    return sum;
}

void add_level_to_bins(const Series& series, const Grid& grid, std::span<Bin> bins)
{
    Nanoseconds before = 0;
    bool known = false;
    for (const Sample& sample : series.samples) {
        const Sample covers{sample.begin == sample.end && known ? before : sample.begin, sample.end,
                            sample.value};
        before = sample.end;
        known = true;
        if (is_gap(series, covers)) continue;
        each_bin(covers.begin, covers.end, grid, [&](std::size_t bin, double seconds) {
            bins[bin].amount += covers.value * seconds;
            bins[bin].covered += seconds;
        });
    }
}

}  // namespace fathom::series
