// Sorts what the log's tables of operations and durations say by class.
#include "analyzer/studies/operation_classes.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/report/document_units.h"

namespace fathom {

ClassBins bins_of(const Log& log)
{
    ClassBins bins;
    for (const DurationBin& row : log.rows<DurationBin>())
        bins[row].push_back({row.at_least, row.below, row.operations});
    for (auto& [of, some] : bins)
        std::sort(some.begin(), some.end(),
                  [](const HistogramBin& a, const HistogramBin& b) { return a.at_least < b.at_least; });
    return bins;
}

std::string name_of(const OperationClass& of)
{
    std::string name(kind_names[of.kind]);
    std::replace(name.begin(), name.end(), '_', ' ');
    const auto kind = static_cast<Kind>(of.kind);
    if (kind != Kind::read && kind != Kind::write) return kind == Kind::failed ? "other failed" : name;
    const auto& bounds = SizeHistogram::upper_bounds;
    if (of.size_class >= bounds.size())
        return fmt::format("{} > {}", name, report::format_bytes(bounds.back()));
    return fmt::format("{} ≤ {}", name, report::format_bytes(bounds[of.size_class]));
}

ClassesOfLayer classes_of(const Log& log, Layer layer)
{
    ClassesOfLayer chosen;
    for (const OperationTimes& row : log.rows<OperationTimes>()) {
        if (row.layer != static_cast<std::uint64_t>(layer) || row.streams != 0 || row.operations == 0 ||
            row.kind >= kind_count)
            continue;
        chosen.rows.push_back(&row);
        chosen.time += row.time;
    }
    std::stable_sort(chosen.rows.begin(), chosen.rows.end(),
                     [](const auto* a, const auto* b) { return a->time > b->time; });
    return chosen;
}

bool times_streams(const Log& log)
{
    const auto& rows = log.rows<OperationTimes>();
    return std::any_of(rows.begin(), rows.end(), [](const OperationTimes& row) { return row.streams != 0; });
}

}  // namespace fathom
