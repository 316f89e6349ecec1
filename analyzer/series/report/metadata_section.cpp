// Metadata operations over time and by kind.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_kinds = 3, most_pools = 4;

struct KindOfOperation {
    std::string_view name;
    double operations = 0;
    std::vector<const Series*> series;
};

struct Operations {
    Pool pool;                           // what counts them
    std::vector<KindOfOperation> kinds;  // most operations first
    double operations = 0, time = 0;     // time: s
};

double total_of(const std::vector<const Series*>& all)
{
    double sum = 0;
    for (const Series* const series : all)
        for (const Sample& sample : series->samples) sum += sample.value;
    return sum;
}

Operations operations_of(const Pools& pools, const Pool& pool)
{
    Operations operations{pool, {}, 0, total_of(pools.series_of(pool, "metadata_time", Kind::amount))};
    std::vector<std::string_view> counted;
    for (const Quantity& quantity : quantities()) {
        if (quantity.subject != Subject::metadata || quantity.unit != Unit::operations) continue;
        KindOfOperation kind{quantity.name, 0, pools.series_of(pool, quantity.name, Kind::amount)};
        kind.operations = total_of(kind.series);
        if (!(kind.operations > 0)) continue;
        operations.operations += kind.operations;
        counted.push_back(quantity.name);
        operations.kinds.push_back(std::move(kind));
    }
    operations.pool = pools.with_amounts(pool, counted);
    std::ranges::stable_sort(operations.kinds, std::ranges::greater{}, &KindOfOperation::operations);
    return operations;
}

void add_operations(const Operations& operations, const Choice& choice, std::size_t number, Blocks& blocks)
{
    std::vector<const Series*> all;
    for (const KindOfOperation& kind : operations.kinds)
        all.insert(all.end(), kind.series.begin(), kind.series.end());
    const Grid grid = grid_of(all, choice);
    if (grid.count == 0) return;
    const Columns columns(grid);
    const std::string name = name_of(operations.pool);
    TimeChart chart{.id = fmt::format("metadata_{}", number),
                    .title = fmt::format("Metadata operations a second of {}, {}", name,
                                         from_to_words(grid.begin, grid.end())),
                    .time = columns.axis,
                    .measure = Measure::number};
    DataTable table{.id = fmt::format("metadata_kinds_{}", number),
                    .title = "Metadata operations by kind of " + name};
    table.columns = {{"kind", "operation", Measure::text},
                     {"operations", "operations", Measure::count},
                     {"share", "of all", Measure::share},
                     {"mean", "mean a second", Measure::number},
                     {"peak", "highest a second", Measure::number}};
    const std::vector<double> sum = rates_of(all, grid);
    std::vector<const Series*> others;
    for (std::size_t kind = 0; kind < operations.kinds.size(); ++kind) {
        const KindOfOperation& of = operations.kinds[kind];
        const std::vector<double> rates = rates_of(of.series, grid);
        double highest = 0, mean = 0, known = 0;
        for (std::size_t at = 0; at < rates.size(); ++at) {
            if (!std::isfinite(rates[at])) continue;
            highest = std::max(highest, rates[at]);
            mean += rates[at];
            ++known;
        }
        if (kind >= most_kinds) others.insert(others.end(), of.series.begin(), of.series.end());
        if (kind < most_kinds) chart.series.push_back({std::string(of.name), columns.means(rates, 1)});
        table.rows.push_back(
            {text(of.name), count(static_cast<std::uint64_t>(std::llround(of.operations))),
             share_of(of.operations, operations.operations),
             known > 0 ? with_decimals(report::number(mean / known), 1) : unknown(Measure::number),
             known > 0 ? with_decimals(report::number(highest), 1) : unknown(Measure::number)});
    }
    if (!others.empty()) chart.series.push_back({"others", columns.means(rates_of(others, grid), 1)});
    double highest = 0;
    std::size_t when = 0;
    for (std::size_t at = 0; at < sum.size(); ++at)
        if (sum[at] > highest) {
            highest = sum[at];
            when = at;
        }
    std::string words =
        fmt::format("{}: {} metadata operations", name,
                    format_count(static_cast<std::uint64_t>(std::llround(operations.operations))));
    if (highest > 0)
        words += fmt::format(", at most {:.1f} a second, in the {} from {}", highest, time_words(grid.length),
                             moment_words(grid.begin_of(when)));
    if (operations.time > 0)
        words += fmt::format("; they took {} together, {} each in the mean", format_seconds(operations.time),
                             format_seconds(operations.time / operations.operations));
    blocks.push_back(Paragraph{words + "."});
    blocks.push_back(std::move(chart));
    blocks.push_back(std::move(table));
}

}  // namespace

Blocks metadata_blocks(const Facts& facts)
{
    std::vector<Operations> all;
    for (const Pool& pool : facts.pools.pools())
        if (Operations one = operations_of(facts.pools, pool); one.operations > 0)
            all.push_back(std::move(one));
    std::ranges::stable_sort(all, std::ranges::greater{}, &Operations::operations);
    Blocks blocks;
    for (std::size_t at = 0; at < std::min(all.size(), most_pools); ++at)
        add_operations(all[at], facts.choice, at, blocks);
    if (all.size() > most_pools)
        blocks.push_back(Paragraph{
            fmt::format("{} more had fewer metadata operations.", format_count(all.size() - most_pools))});
    return blocks;
}

}  // namespace fathom::series
