// By the sums of records, and by the totals of ranks.
#include "analyzer/sections/requests/layer_charts.h"

#include <algorithm>
#include <array>

#include "analyzer/job/layer_sums.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::array in_order = {Layer::mpiio, Layer::posix, Layer::stdio};
constexpr double few_calls = 10;

std::string title_of(Layer layer)
{
    return std::string(layer_titles[static_cast<std::size_t>(layer)]);
}

std::vector<double> calls_in(const LayerSums& sums, Layer layer)
{
    const Transfers& one = sums.transfers(layer);
    const Pattern* const pattern = sums.pattern(layer);
    const bool posix = layer == Layer::posix;
    const std::uint64_t calls[] = {one.reads,
                                   one.writes,
                                   one.syncs,
                                   one.opens,
                                   one.closes,
                                   pattern == nullptr ? sums.mpiio.seeks : pattern->seeks,
                                   posix ? sums.posix.stats : 0,
                                   posix ? sums.posix.unlinks : 0,
                                   posix ? sums.posix.directory_reads : 0};
    std::vector<double> all;
    for (const std::uint64_t n : calls) all.push_back(static_cast<double>(n));
    return all;
}

// Kinds that no layer was asked for.
void drop_unused(Chart& chart)
{
    for (std::size_t at = chart.categories.size(); at-- > 0;) {
        const auto place = static_cast<std::ptrdiff_t>(at);
        if (std::any_of(chart.series.begin(), chart.series.end(),
                        [&](const Series& one) { return one.values[at] > 0; }))
            continue;
        chart.categories.erase(chart.categories.begin() + place);
        for (Series& one : chart.series) one.values.erase(one.values.begin() + place);
    }
}

}  // namespace

std::optional<Chart> calls_by_layer(const Job& job)
{
    Chart chart{.id = "calls_by_layer",
                .title = "Calls by kind",
                .category_heading = "kind of call",
                .categories = {"reads", "writes", "syncs", "opens", "closes", "seeks", "stats", "unlinks",
                               "directory reads"},
                .remark = "Layers overlap: POSIX has what MPI-IO asked of it too."};
    double most = 0;
    for (const Layer layer : in_order) {
        Series series{title_of(layer), calls_in(layer_sums_of(job), layer)};
        const double largest = *std::max_element(series.values.begin(), series.values.end());
        most = std::max(most, largest);
        if (largest > 0) chart.series.push_back(std::move(series));
    }
    if (most < few_calls) return std::nullopt;
    drop_unused(chart);
    if (chart.series.size() < 2) chart.remark.clear();
    return chart;
}

std::optional<Chart> time_by_layer(const Job& job)
{
    Chart chart{.id = "time_by_layer",
                .title = job.mpi ? "Time in I/O by layer, mean of a rank" : "Time in I/O by layer",
                .shape = Shape::stacked,
                .category_heading = "layer",
                .measure = Measure::seconds,
                .series = {{"read", {}}, {"write", {}}, {"metadata", {}}}};
    const double members = job.mpi ? static_cast<double>(std::max<std::size_t>(job.ranks.size(), 1)) : 1;
    for (const Layer layer : in_order) {
        TimeSplit split;
        job.each_share([&](const Member& member) { split.add(member.in(layer, Scope::direct)); });
        if (split.total() == 0) continue;
        chart.categories.push_back(title_of(layer));
        chart.series[0].values.push_back(static_cast<double>(split.read) / members / 1e9);
        chart.series[1].values.push_back(static_cast<double>(split.write) / members / 1e9);
        chart.series[2].values.push_back(static_cast<double>(split.metadata) / members / 1e9);
    }
    if (chart.categories.size() < 2) return std::nullopt;
    return chart;
}

}  // namespace fathom
