// Operations of one kind and size that took so different a time that they must have gone different ways: from
// a cache or from a disk, alone or waiting for others.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/class_sizes.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/methods/duration_groups.h"
#include "analyzer/sections/sections.h"
#include "analyzer/timing/clusters/cluster_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_clustered = 5, most_rows = 24;
// Of fewer operations a histogram has no shape, and of little time none of interest.
constexpr std::uint64_t least_operations = 50;
constexpr double least_share = 0.02, least_time = 1e6;  // ns

struct Class : ClusteredClass {
    const OperationTimes* row = nullptr;
    std::optional<ClassSize> size;

    std::string name() const { return fmt::format("{} {}", layer_titles[row->layer], name_of(*row)); }
};

Class class_of(const OperationTimes& row, DurationGroups&& groups, const ClassSizes& sizes)
{
    Class one;
    one.row = &row;
    one.size = sizes.of(row);
    one.whose = layer_titles[row.layer];
    one.plural =
        plural_of(words_for(static_cast<Kind>(row.kind)),
                  one.size && one.size->same ? std::optional(static_cast<std::uint64_t>(one.size->bytes))
                                             : std::nullopt,
                  row.size_class);
    if (one.size) one.mean_bytes = one.size->bytes;
    one.groups = std::move(groups);
    return one;
}

std::vector<Class> costliest_classes(const Job& job)
{
    std::vector<Class> all;
    const ClassBins bins = bins_of(job.log);
    const ClassSizes sizes(job.log);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const ClassesOfLayer of_layer = classes_of(job.log, static_cast<Layer>(layer));
        for (const OperationTimes* row : of_layer.rows) {
            const auto found = bins.find(*row);
            if (is_mixture(row->kind) || row->operations < least_operations || found == bins.end() ||
                static_cast<double>(row->time) <
                    std::max(least_time, least_share * static_cast<double>(of_layer.time)))
                continue;
            if (auto groups = groups_of(found->second, row->time, row->longest))
                all.push_back(class_of(*row, std::move(*groups), sizes));
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Class& a, const Class& b) { return a.row->time > b.row->time; });
    if (all.size() > most_clustered) all.resize(most_clustered);
    return all;
}

void add_row(DataTable& table, const Class& of, std::string_view group, const DurationGroup& part)
{
    auto& cells = table.rows.emplace_back();
    cells = {text(of.name()), text(group)};
    for (Cell& cell : cells_of(of, part)) cells.push_back(std::move(cell));
}

void add_rows(DataTable& table, const Class& of)
{
    const DurationGroups& groups = of.groups;
    const std::size_t clusters = groups.clusters.size();
    const bool apart = groups.outliers.operations > 0;
    add_row(table, of, "all", groups.all);
    if (clusters > 1)
        for (std::size_t one = 0; one < clusters; ++one)
            add_row(table, of, fmt::format("{} of {}", one + 1, clusters), groups.clusters[one]);
    if (!apart) return;
    add_row(table, of, "outliers", groups.outliers);
    add_row(table, of, "without", groups.kept);
}

std::string sizes_used(const std::vector<Class>& classes)
{
    std::string words;
    bool missing = false;
    for (const Class& one : classes) {
        missing = missing || (moves_data(static_cast<Kind>(one.row->kind)) && !one.size);
        if (one.size)
            words += fmt::format("{}{} {} ({})",
                                 words.empty() ? "Sizes that the rates are given with: " : "; ", one.name(),
                                 format_bytes(static_cast<std::uint64_t>(one.size->bytes)), one.size->basis);
    }
    if (!words.empty()) words += ".";
    if (missing) words += " No rate: the records do not have the sizes of those.";
    return words;
}

}  // namespace

Blocks operation_clusters(const Job& job, const SectionChoice&)
{
    const std::vector<Class> classes = costliest_classes(job);
    if (classes.empty()) return {};
    Blocks blocks;
    bool any = false;
    DataTable table{.id = "operation_clusters"};
    table.columns = {{"operation", "operation", Measure::text}, {"group", "group", Measure::text}};
    for (DataColumn& column : columns_of_groups()) table.columns.push_back(std::move(column));
    for (const Class& one : classes) {
        for (std::string& sentence : sentences_on(one)) {
            blocks.push_back(Paragraph{std::move(sentence)});
            any = true;
        }
        if (table.rows.size() < most_rows) add_rows(table, one);
    }
    if (!any)
        blocks.push_back(
            Paragraph{"In no class of operations did a part take much longer than the others and much of the "
                      "time."});
    table.remark = sizes_used(classes);
    blocks.push_back(std::move(table));
    blocks.push_back(
        Paragraph{std::string(words_on_groups) + " Mean, median and shares are right to 3.2 %."});
    return blocks;
}

}  // namespace fathom
