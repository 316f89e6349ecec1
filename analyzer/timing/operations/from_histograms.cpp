// The log's tables of operations and durations as classes.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/class_sizes.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/timing/operations/from_log.h"

namespace fathom {
namespace {

void tell_sizes(TimedClass& one, const OperationTimes& row, const ClassSizes& sizes)
{
    const auto kind = static_cast<Kind>(row.kind);
    if (!moves_data(kind)) return;
    const auto& bounds = SizeHistogram::upper_bounds;
    if (row.size_class <= bounds.size()) {
        one.least_bytes = row.size_class == 0 ? 0 : bounds[row.size_class - 1] + 1;
        if (row.size_class < bounds.size()) one.most_bytes = bounds[row.size_class];
    }
    const auto size = sizes.of(row);
    if (!size) return;
    one.mean_bytes = size->bytes;
    one.size_basis = size->basis;
    if (size->same) one.least_bytes = one.most_bytes = static_cast<std::uint64_t>(size->bytes);
}

}  // namespace

TimedOperations from_histograms(const Log& log, const OperationChoice& choice)
{
    TimedOperations all;
    all.source = TimedSource::histograms;
    all.resolution = 1.0 / 32;
    const ClassBins bins = bins_of(log);
    const ClassSizes sizes(log);
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (const OperationTimes* const row : classes_of(log, static_cast<Layer>(layer)).rows) {
            const std::string name = words_for(static_cast<Kind>(row->kind));
            const auto found = bins.find(*row);
            if (is_mixture(row->kind) || found == bins.end() || !is_chosen(choice, layer_titles[layer], name))
                continue;
            TimedClass& one = all.classes.emplace_back();
            one.layer = layer_titles[layer];
            one.operation = name;
            one.operations = row->operations;
            one.time = static_cast<double>(row->time) / 1e9;
            one.longest = static_cast<double>(row->longest) / 1e9;
            one.bins = found->second;
            tell_sizes(one, *row, sizes);
        }
    std::uint64_t untimed = 0;
    for (const Process& process : log.rows<Process>()) untimed += process.untimed;
    if (untimed > 0)
        all.notes.push_back(fmt::format(
            "{} operations are in no histogram for want of room; fathom record --memory makes room.",
            report::format_count(untimed)));
    return all;
}

}  // namespace fathom
