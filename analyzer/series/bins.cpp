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

bool is_gap(const Series& series, const Sample& sample)
{
    return series.usual_interval > 0 && static_cast<double>(sample.end - sample.begin) >
                                            gap_factor * static_cast<double>(series.usual_interval);
}

void add_to_bins(const Series& series, const Grid& grid, std::span<Bin> bins)
{
    for (const Sample& sample : series.samples) {
        if (sample.end <= grid.begin || sample.begin >= grid.end() || is_gap(series, sample)) continue;
        const double rate = sample.value / seconds_of(sample.end - sample.begin);
        each_bin(sample.begin, sample.end, grid, [&](std::size_t bin, double seconds) {
            bins[bin].amount += rate * seconds;
            bins[bin].covered += seconds;
        });
    }
}

std::vector<Bin> sum_in_bins(const Table& table, std::span<const std::uint32_t> components,
                             std::string_view quantity, const Grid& grid)
{
    // First the rates, then the amounts of the time that all of them cover.
    std::vector<Bin> sum(grid.count, Bin{0, -1});
    std::vector<Bin> one(grid.count);
    for (const Series& series : table.series) {
        if (series.quantity != quantity || series.kind != Kind::amount || series.samples.empty() ||
            std::ranges::find(components, series.component) == components.end())
            continue;
        std::ranges::fill(one, Bin{});
        add_to_bins(series, grid, one);
        const Nanoseconds begin = series.samples.front().begin, end = series.samples.back().end;
        for (std::size_t at = 0; at < grid.count; ++at) {
            if (grid.begin_of(at + 1) <= begin || grid.begin_of(at) >= end)
                continue;  // not there yet, or gone
            sum[at].amount += one[at].rate();
            sum[at].covered =
                sum[at].covered < 0 ? one[at].covered : std::min(sum[at].covered, one[at].covered);
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
