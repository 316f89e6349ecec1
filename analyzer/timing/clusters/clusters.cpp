// Finds the clusters of each class, lists the classes, and gives a section to those that took most time.
#include "analyzer/timing/clusters/clusters.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/timing/clusters/class_section.h"
#include "analyzer/timing/operations/class_groups.h"

namespace fathom {
namespace {

using namespace report;

// As many as fit a screen with their names in full; --top asks for more.
constexpr std::size_t most_rows = 24;

std::size_t most_classes(const ClustersChoice& choice)
{
    return std::max(most_rows, choice.classes);
}

struct Overview {
    std::vector<AnalysedClass> classes;  // most time first
    std::uint64_t operations = 0;
    double time = 0;
    std::size_t small = 0;  // classes of too few operations, and their time
    double small_time = 0;
};

AnalysedClass analysed(const TimedClass& one, DurationGroups&& groups)
{
    ClusteredClass clusters;
    clusters.whose = one.layer.empty() ? one.group : one.layer;
    clusters.plural = one.plural();
    clusters.mean_bytes = one.mean_bytes;
    clusters.groups = std::move(groups);
    return {&one, std::move(clusters)};
}

Overview overview_of(const TimedOperations& operations, const ClustersChoice& choice, const Tick& tick)
{
    Overview all;
    std::uint64_t done = 0;
    for (const TimedClass& one : operations.classes) {
        tell_progress(tick, done++, operations.classes.size());
        all.operations += one.operations;
        all.time += one.time;
        std::optional<DurationGroups> groups;
        if (one.operations >= choice.least && all.classes.size() < most_classes(choice))
            groups = groups_of(one, operations.resolution);
        if (groups) {
            all.classes.push_back(analysed(one, std::move(*groups)));
        } else {
            ++all.small;
            all.small_time += one.time;
        }
    }
    return all;
}

DataTable class_table(const Overview& all, const ClustersChoice& choice)
{
    DataTable table{.id = "classes"};
    table.columns = {{"operation", "operation", Measure::text},
                     {"operations", "count", Measure::count},
                     {"time", "time", Measure::seconds},
                     {"share", "of all", Measure::share},
                     {"clusters", "clusters", Measure::count},
                     {"outliers", "outliers", Measure::count},
                     {"outlier_time", "their time", Measure::share},
                     {"rate", "rate", Measure::rate},
                     {"rate_kept", "without them", Measure::rate}};
    for (const AnalysedClass& one : all.classes) {
        const DurationGroups& groups = one.clusters.groups;
        table.rows.push_back(
            {text(one.operations->name()), count(one.operations->operations), seconds(one.operations->time),
             share_of(one.operations->time, all.time), count(groups.clusters.size()),
             count(groups.outliers.operations), share_of(groups.outliers.time, groups.all.time),
             rate_of_group(one.clusters, groups.all), rate_of_group(one.clusters, groups.kept)});
    }
    table.remark =
        "Their time: the share of the class's time that outliers took. Rates: bytes by the time in the "
        "operations, with and without outliers.";
    if (all.small > 0)
        table.remark +=
            fmt::format(" Not looked at: {} with fewer than {} operations{}, {} together.",
                        counted(all.small, "class", "classes"), choice.least,
                        all.classes.size() < most_classes(choice) ? "" : " or less time than these",
                        format_seconds(all.small_time));
    return table;
}

constexpr std::string_view source_names[] = {"the log's trace", "the log's histograms", "the rows of a CSV"};

std::vector<Block> overview_blocks(const TimedOperations& operations, const Overview& all,
                                   const ClustersChoice& choice)
{
    std::vector<Block> blocks;
    for (const std::string& problem : operations.problems) blocks.push_back(Note{Weight::warning, problem});
    for (const std::string& note : operations.notes) blocks.push_back(Note{Weight::information, note});
    blocks.push_back(
        Entries{{{"source", "from", text(source_names[static_cast<std::size_t>(operations.source)]), ""},
                 {"operations", "operations", count(all.operations), ""},
                 {"time", "time in them", seconds(all.time), "of all processes and threads together"}}});
    if (all.classes.empty()) {
        blocks.push_back(
            Note{Weight::warning, fmt::format("No class has {}, so that there is no distribution to look at; "
                                              "--least looks at smaller ones.",
                                              counted(choice.least, "operation", "operations"))});
        return blocks;
    }
    blocks.push_back(class_table(all, choice));
    blocks.push_back(Paragraph{std::string(words_on_groups)});
    return blocks;
}

}  // namespace

Document cluster_document(const TimedOperations& operations, const std::string& name,
                          const ClustersChoice& choice, const Tick& tick)
{
    const Overview all = overview_of(operations, choice, tick);
    Document document;
    document.title = "How long operations took";
    document.subtitle = fmt::format("{}: {} in {}", name, counted(all.operations, "operation", "operations"),
                                    counted(operations.classes.size(), "class", "classes"));
    document.sections.push_back({"overview", "Overview", overview_blocks(operations, all, choice)});
    for (std::size_t at = 0; at < std::min(all.classes.size(), choice.classes); ++at)
        document.sections.push_back(class_section(all.classes[at], operations, at + 1));
    return document;
}

}  // namespace fathom
