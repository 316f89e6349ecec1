#include "analyzer/series/report/days.h"

#include <algorithm>
#include <cmath>

namespace fathom::series {
namespace {

constexpr Nanoseconds day_length = Nanoseconds{86'400} * one_second;

void add_days(std::span<const Series* const> all, const Grid& grid, Nanoseconds bin, Days& days,
              double Day::*bytes)
{
    std::vector<Bin> bins(grid.count);
    for (const Series* const series : all) {
        add_to_bins(*series, grid, bins, bin);
        for (const Sample& sample : series->samples) {
            if (!is_gap(*series, sample, bin)) continue;
            const Grid in = grid_over({sample.begin, sample.end}, day_length);
            if (in.count == 1)
                days.days[static_cast<std::size_t>((in.begin - grid.begin) / day_length)].*bytes +=
                    sample.value;
            else
                days.undated += sample.value;
        }
    }
    for (std::size_t at = 0; at < bins.size(); ++at) days.days[at].*bytes += bins[at].amount;
}

}  // namespace

Days days_of(const Pools& pools, const Pool& pool, const Load& load)
{
    Days days;
    const auto reads = pools.series_of(pool, "bytes_read", Kind::amount),
               writes = pools.series_of(pool, "bytes_written", Kind::amount);
    Window window{load.grid.begin, load.grid.end()};
    for (const auto* const all : {&reads, &writes})
        for (const Series* const series : *all) {
            window.begin = std::min(window.begin, series->samples.front().begin);
            window.end = std::max(window.end, series->samples.back().end);
        }
    const Grid grid = grid_over(window, day_length);
    days.days.resize(grid.count);
    for (std::size_t at = 0; at < grid.count; ++at) days.days[at].begin = grid.begin_of(at);
    add_days(reads, grid, load.grid.length, days, &Day::bytes_read);
    add_days(writes, grid, load.grid.length, days, &Day::bytes_written);
    const double part = static_cast<double>(load.grid.length) / static_cast<double>(day_length);
    for (std::size_t at = 0; at < load.both.size(); ++at)
        if (std::isfinite(load.both[at]))
            days.days[static_cast<std::size_t>((load.grid.begin_of(at) - grid.begin) / day_length)].known +=
                part;
    for (Day& day : days.days) day.known = std::min(day.known, 1.0);
    return days;
}

}  // namespace fathom::series
