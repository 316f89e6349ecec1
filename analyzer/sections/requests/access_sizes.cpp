// How large reads and writes were, a chart a layer, and the commonest sizes.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t commonest_shown = 4;
constexpr std::uint64_t least_charted = 10;  // the table has fewer one by one

std::string class_name(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    if (at == bounds.size()) return "over " + format_bytes(bounds.back());
    return (at == 0 ? "up to " : "to ") + format_bytes(bounds[at]);
}

Chart histogram(std::size_t layer, const Transfers& transfers)
{
    Chart chart{.id = fmt::format("sizes_{}", layer_names[layer]),
                .title = fmt::format("{}: reads and writes by size", layer_titles[layer]),
                .category_heading = "size",
                .series = {{"reads", {}}, {"writes", {}}}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        chart.categories.push_back(class_name(at));
        chart.series[0].values.push_back(static_cast<double>(transfers.read_size.count[at]));
        chart.series[1].values.push_back(static_cast<double>(transfers.write_size.count[at]));
    }
    return chart;
}

void add_commonest(const Log& log, std::size_t layer, const SizeSums& sizes, DataTable& table)
{
    auto slots = sizes.commonest();
    std::stable_sort(slots.begin(), slots.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (std::size_t at = 0; at < std::min(commonest_shown, slots.size()); ++at)
        table.rows.push_back(
            {text(layer_titles[layer]), count(slots[at].size), bytes(slots[at].size), count(slots[at].count),
             cell_if(tells(log, static_cast<Layer>(layer), &Transfers::common_size, "_1_error"),
                     count(slots[at].error))});
}

}  // namespace

Blocks access_sizes(const Job& job, const SectionChoice&)
{
    const auto& sums = layer_sums_of(job);
    Blocks blocks;
    DataTable table{.id = "common_sizes", .title = "The commonest sizes of reads and writes"};
    table.columns = {{"layer", "layer", Measure::text},
                     {"size", "bytes", Measure::count},
                     {"size_rounded", "that is", Measure::bytes},
                     {"count", "accesses", Measure::count},
                     {"error", "at most too high by", Measure::count}};
    for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) {
        const auto at = static_cast<std::size_t>(layer);
        const Transfers& transfers = sums.transfers(layer);
        if (transfers.reads + transfers.writes == 0) continue;
        if (transfers.reads + transfers.writes >= least_charted &&
            tells(job.log, layer, &Transfers::read_size))
            blocks.push_back(histogram(at, transfers));
        add_commonest(job.log, at, sums.sizes[at], table);
    }
    if (const Source& source = source_of(job.log); source.four_sizes_a_file)
        table.remark = fmt::format(
            "{} keeps the four commonest sizes of each file and rank: of others that are "
            "common in all files together there may be more.",
            source.name);
    drop_unknown_columns(job.log, table);
    if (!table.rows.empty()) blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom
