// Operations of one kind and size that took so different a time that they must have gone different ways: from
// a cache or from a disk, alone or waiting for others.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/methods/duration_groups.h"
#include "analyzer/methods/rate.h"
#include "analyzer/report/document_units.h"
#include "analyzer/studies/class_sizes.h"
#include "analyzer/studies/operation_classes.h"
#include "analyzer/studies/study.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_classes = 5, most_rows = 24;
// Of fewer operations a histogram has no shape, and of little time none of interest.
constexpr std::uint64_t least_operations = 50;
constexpr double least_share = 0.02;
// What is worth a sentence: the slow ones take this many times as long, and this part of the time.
constexpr double much_slower = 3, much_time = 0.1, much_quicker = 10;

struct Class {
    const OperationTimes* row = nullptr;
    DurationGroups groups;
    std::optional<ClassSize> size;

    std::string name() const { return fmt::format("{} {}", layer_titles[row->layer], name_of(*row)); }
    // "writes of 1.00 MiB", "open calls"
    std::string plural() const
    {
        const auto kind = static_cast<Kind>(row->kind);
        if (kind != Kind::read && kind != Kind::write) return name_of(*row) + " calls";
        std::string words = kind == Kind::read ? "reads" : "writes";
        if (size && size->same)
            words += " of " + format_bytes(static_cast<std::uint64_t>(size->bytes));
        else if (row->size_class < SizeHistogram::upper_bounds.size())
            words += " of up to " + format_bytes(SizeHistogram::upper_bounds[row->size_class]);
        else
            words += " of more than " + format_bytes(SizeHistogram::upper_bounds.back());
        return words;
    }
};

// Calls of several kinds that the log does not tell apart: that some take longer says nothing.
bool is_mixture(const OperationClass& of)
{
    const auto kind = static_cast<Kind>(of.kind);
    return kind == Kind::other || kind == Kind::failed;
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
            if (is_mixture(*row) || row->operations < least_operations || found == bins.end() ||
                static_cast<double>(row->time) < least_share * static_cast<double>(of_layer.time))
                continue;
            if (auto groups = groups_of(found->second, row->time, row->longest))
                all.push_back({row, std::move(*groups), sizes.of(*row)});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Class& a, const Class& b) { return a.row->time > b.row->time; });
    if (all.size() > most_classes) all.resize(most_classes);
    return all;
}

void add_row(DataTable& table, const Class& of, std::string_view group, const DurationGroup& part)
{
    Cell rate_of_part = unknown(Measure::rate);
    if (of.size && part.time > 0)
        rate_of_part =
            rate(of.size->bytes * static_cast<double>(part.operations) / mebibyte / (part.time / 1e9));
    table.rows.push_back({text(of.name()), text(group), count(part.operations), seconds(part.mean() / 1e9),
                          nanoseconds(part.median), share_of(part.time, of.groups.all.time),
                          std::move(rate_of_part)});
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

std::string times_as_long(double times)
{
    return times < 10 ? fmt::format("{:.1f} times as long", times)
                      : format_count(static_cast<std::uint64_t>(times + 0.5)) + " times as long";
}

Cell share_of_operations(const DurationGroup& part, const Class& of)
{
    return share_of(static_cast<double>(part.operations), static_cast<double>(of.groups.all.operations));
}

// "3 % of the writes of 1 MiB took 50 times as long as the others and 40 % of the time of all."
std::string sentence_on_slow(const Class& of)
{
    const DurationGroups& groups = of.groups;
    const DurationGroup &slow = groups.slow, &usual = groups.usual;
    if (slow.operations == 0 || usual.mean() <= 0 || slow.mean() < much_slower * usual.mean() ||
        slow.time < much_time * groups.all.time)
        return {};
    return fmt::format(
        "{}: {} of the {} ({} of {}) took {} as the others, {} rather than {} on average. They took {} of "
        "the time "
        "of all, {}; at the pace of the others it would have been {}.",
        layer_titles[of.row->layer], format(share_of_operations(slow, of)), of.plural(),
        format_count(slow.operations), format_count(groups.all.operations),
        times_as_long(slow.mean() / usual.mean()), format_seconds(slow.mean() / 1e9),
        format_seconds(usual.mean() / 1e9), format(share_of(slow.time, groups.all.time)),
        format_seconds(slow.time / 1e9),
        format_seconds(usual.mean() * static_cast<double>(slow.operations) / 1e9));
}

// Where most are slow, what some could do tells more.
std::string sentence_on_quick(const Class& of)
{
    const DurationGroups& groups = of.groups;
    const DurationGroup& quick = groups.quick;
    const std::uint64_t others = groups.all.operations - quick.operations;
    if (quick.operations == 0 || others == 0 || quick.mean() <= 0) return {};
    const double mean = (groups.all.time - quick.time) / static_cast<double>(others);
    if (mean < much_quicker * quick.mean()) return {};
    return fmt::format("{}: {} of the {} ({} of {}) took only {} on average; the others took {}, {}.",
                       layer_titles[of.row->layer], format(share_of_operations(quick, of)), of.plural(),
                       format_count(quick.operations), format_count(groups.all.operations),
                       format_seconds(quick.mean() / 1e9), format_seconds(mean / 1e9),
                       times_as_long(mean / quick.mean()));
}

std::string sizes_used(const std::vector<Class>& classes)
{
    std::string words;
    bool missing = false;
    for (const Class& one : classes) {
        const bool sized =
            static_cast<Kind>(one.row->kind) == Kind::read || static_cast<Kind>(one.row->kind) == Kind::write;
        missing = missing || (sized && !one.size);
        if (one.size)
            words += fmt::format("{}{} {} ({})",
                                 words.empty() ? "Sizes that the rates are told with: " : "; ", one.name(),
                                 format_bytes(static_cast<std::uint64_t>(one.size->bytes)), one.size->basis);
    }
    if (!words.empty()) words += ".";
    if (missing) words += " No rate: the records do not tell how large those were.";
    return words;
}

}  // namespace

Blocks operation_clusters(const Job& job, const StudyChoice&)
{
    const std::vector<Class> classes = costliest_classes(job);
    if (classes.empty()) return {};
    Blocks blocks;
    bool any = false;
    DataTable table{.id = "operation_clusters"};
    table.columns = {{"operation", "operation", Measure::text},
                     {"group", "group", Measure::text},
                     {"operations", "count", Measure::count},
                     {"mean", "mean", Measure::seconds},
                     {"median", "median", Measure::seconds},
                     {"share", "of time", Measure::share},
                     {"rate", "rate", Measure::rate}};
    for (const Class& one : classes) {
        for (const std::string& sentence : {sentence_on_slow(one), sentence_on_quick(one)}) {
            if (sentence.empty()) continue;
            blocks.push_back(Paragraph{sentence});
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
    blocks.push_back(Paragraph{
        "Groups: clusters, each a hill of the distribution of durations on a logarithmic scale (kernel "
        "density; hills of "
        "less than 5 % of the highest count with their neighbour). Outliers took longer than the "
        "slope of the "
        "last one reaches. Mean, median and shares are right to 3.2 %."});
    return blocks;
}

}  // namespace fathom
