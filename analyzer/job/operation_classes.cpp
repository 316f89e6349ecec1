// Sorts what the log's tables of operations and durations say by class.
#include "analyzer/job/operation_classes.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"

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

std::string plain_name(Kind kind)
{
    std::string name(kind_row(kind).name);
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string words_for(Kind kind)
{
    return kind == Kind::failed ? "other failed" : plain_name(kind);
}

std::string name_of(const OperationClass& of)
{
    const auto kind = static_cast<Kind>(of.kind);
    const std::string name = words_for(kind);
    if (!moves_data(kind)) return name;
    const auto& bounds = SizeHistogram::upper_bounds;
    if (of.size_class >= bounds.size())
        return fmt::format("{} > {}", name, report::format_bytes(bounds.back()));
    return fmt::format("{} ≤ {}", name, report::format_bytes(bounds[of.size_class]));
}

std::string plural_of(std::string_view operation, std::optional<std::uint64_t> size,
                      std::optional<std::size_t> size_class)
{
    const bool moves = operation == "read" || operation == "write";
    if (!moves) return operation.empty() ? "operations" : fmt::format("{} calls", operation);
    const auto& bounds = SizeHistogram::upper_bounds;
    if (size) return fmt::format("{}s of {}", operation, report::format_bytes(*size));
    if (!size_class) return fmt::format("{}s", operation);
    return *size_class < bounds.size()
               ? fmt::format("{}s of up to {}", operation, report::format_bytes(bounds[*size_class]))
               : fmt::format("{}s of more than {}", operation, report::format_bytes(bounds.back()));
}

bool is_mixture(std::uint64_t kind)
{
    return kind < kind_count && kind_table[kind].is.mixed;
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
