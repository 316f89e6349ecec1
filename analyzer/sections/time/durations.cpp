// How long operations of each layer, kind and size took: quantiles, since a mean hides the few that take
// longest.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/sections/sections.h"
#include "analyzer/sections/time/untimed.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_classes = 12;

struct QuantileColumn {
    unsigned per_mille;
    const char* id;
    const char* heading;
};
constexpr QuantileColumn quantile_columns[] = {
    {500, "p50", "p50"}, {900, "p90", "p90"}, {990, "p99", "p99"}, {999, "p99_9", "p99.9"}};

DataTable table_of(Layer layer, const ClassesOfLayer& chosen, const ClassBins& bins)
{
    const auto at = static_cast<std::size_t>(layer);
    DataTable table{.id = fmt::format("durations_{}", layer_names[at]),
                    .title = fmt::format("{}: how long operations took", layer_titles[at])};
    table.columns = {{"operation", "operation", Measure::text},
                     {"operations", "count", Measure::count},
                     {"time", "time", Measure::seconds},
                     {"share", "of all", Measure::share},
                     {"longest", "max", Measure::seconds}};
    for (const QuantileColumn& column : quantile_columns)
        table.columns.push_back({column.id, column.heading, Measure::seconds});

    const auto time = static_cast<double>(chosen.time);
    double left_out = 0;
    for (std::size_t number = 0; number < chosen.rows.size(); ++number) {
        const OperationTimes& row = *chosen.rows[number];
        if (number >= most_classes) {
            left_out += static_cast<double>(row.time);
            continue;
        }
        auto& cells = table.rows.emplace_back();
        cells = {text(name_of(row)), count(row.operations), nanoseconds(row.time),
                 share_of(static_cast<double>(row.time), time), nanoseconds(row.longest)};
        const auto found = bins.find(row);
        for (const QuantileColumn& column : quantile_columns) {
            const auto value =
                found == bins.end() ? std::nullopt : quantile(found->second, row.longest, column.per_mille);
            cells.push_back(value ? nanoseconds(*value) : unknown(Measure::seconds));
        }
    }
    if (chosen.rows.size() > most_classes)
        table.remark =
            fmt::format("Not shown: {} more with {} of the time.",
                        format_count(chosen.rows.size() - most_classes), format(share_of(left_out, time)));
    return table;
}

}  // namespace

Blocks durations(const Job& job, const SectionChoice&)
{
    const ClassBins bins = bins_of(job.log);
    Blocks blocks = notes_on_untimed(job);
    const std::size_t notes = blocks.size();
    for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) {
        const ClassesOfLayer chosen = classes_of(job.log, layer);
        if (!chosen.rows.empty()) blocks.push_back(table_of(layer, chosen, bins));
    }
    if (blocks.size() == notes) return {};
    blocks.push_back(Paragraph{fmt::format(
        "By all processes{}, on files{}. Half of the operations took no longer than p50, one in a thousand "
        "longer than p99.9; these are right to 3.2 %, counts, times and the longest exactly. A size is the "
        "upper end of its class, as in the section on access sizes.",
        job.helpers.empty() ? "" : ", also those that are no ranks",
        times_streams(job.log) ? "; standard streams, devices and pipes are left out here" : "")});
    return blocks;
}

}  // namespace fathom
