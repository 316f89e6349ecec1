// Sentences, a row a group, and the two plots where they can be drawn.
#include "analyzer/timing/clusters/class_section.h"

#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom {
namespace {

using namespace report;

Cell seconds_of(const std::vector<double>& logs, std::size_t at)
{
    return at < logs.size() ? seconds(std::pow(10, logs[at])) : unknown(Measure::seconds);
}

DataTable group_table(const AnalysedClass& of, std::size_t number)
{
    const DurationGroups& groups = of.clusters.groups;
    const Clusters& found = groups.found;
    const bool cut = std::isfinite(found.cutoff);
    const Cell cutoff = cut ? seconds(std::pow(10, found.cutoff)) : unknown(Measure::seconds);
    DataTable table{.id = fmt::format("clusters_{}", number)};
    table.columns = {{"group", "group", Measure::text},
                     {"peak", "peak", Measure::seconds},
                     {"above", "above", Measure::seconds},
                     {"to", "up to", Measure::seconds}};
    for (DataColumn& column : columns_of_groups()) table.columns.push_back(std::move(column));
    const auto add = [&](std::string name, Cell peak, Cell above, Cell to, const DurationGroup& part) {
        auto& row = table.rows.emplace_back();
        row = {text(name), std::move(peak), std::move(above), std::move(to)};
        for (Cell& cell : cells_of(of.clusters, part)) row.push_back(std::move(cell));
    };
    const std::size_t clusters = groups.clusters.size();
    const Cell none = unknown(Measure::seconds);
    for (std::size_t one = 0; one < clusters; ++one)
        add(fmt::format("cluster {}", one + 1), seconds_of(found.peaks, one),
            one == 0 ? none : seconds_of(found.splits, one - 1),
            one + 1 == clusters ? cutoff : seconds_of(found.splits, one), groups.clusters[one]);
    if (cut) add("outliers", none, cutoff, none, groups.outliers);
    add("without outliers", none, none, none, groups.kept);
    add("all", none, none, none, groups.all);
    return table;
}

bool all_equal(const DurationGroups& groups)
{
    const Density& density = groups.found.density;
    // The samples lie between the margins of three bandwidths.
    return density.at.back() - density.at.front() <= 6.0001 * density.bandwidth;
}

std::string words_on_size(const TimedClass& one)
{
    if (!one.mean_bytes) return {};
    const std::string bytes = format_bytes(static_cast<std::uint64_t>(std::llround(*one.mean_bytes)));
    if (!one.size_basis.empty()) return fmt::format("Rates: with {} ({}). ", bytes, one.size_basis);
    return one.same_size() ? std::string{} : fmt::format("Mean size {}. ", bytes);
}

std::string words_on_exactness(const TimedClass& one, const TimedOperations& source)
{
    if (source.source == TimedSource::histograms) return "From a histogram: all times are right to 3.2 %.";
    std::string words;
    if (!one.each)
        words = fmt::format(
            "Clusters come from a histogram of all operations, right to 3.2 %; {} of them, evenly "
            "spread, are kept one by one.",
            format_count(one.durations.size()));
    else if (source.resolution > 0)
        words = "From each operation; the trace has durations to 1.6 %.";
    return words;
}

}  // namespace

Section class_section(const AnalysedClass& of, const TimedOperations& source, std::size_t number)
{
    const TimedClass& one = *of.operations;
    Section section{fmt::format("class_{}", number), one.name(), {}};
    for (std::string& sentence : sentences_on(of.clusters))
        section.blocks.push_back(Paragraph{std::move(sentence)});
    DataTable table = group_table(of, number);
    table.remark = words_on_size(one) + words_on_exactness(one, source);
    section.blocks.push_back(std::move(table));
    if (all_equal(of.clusters.groups))
        section.blocks.push_back(Paragraph{"All took the same time: there is no density to draw."});
    else
        section.blocks.push_back(density_plot(of, number));
    if (!one.starts.empty()) section.blocks.push_back(timeline_plot(of, source, number));
    return section;
}

}  // namespace fathom
