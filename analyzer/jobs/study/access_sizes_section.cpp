// How large accesses are, of all runs and without those who dominate.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/access_sizes.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"
#include "logformat/log/words.h"

namespace fathom::jobs {
namespace {

using namespace report;

using Sizes = std::array<std::uint64_t, SizeHistogram::classes>;
using SizesByGroup = std::map<std::string, AccessSizes>;

constexpr std::size_t most_dominant = 2;

// Made half or more of the accesses of a size that a tenth or more of all have.
bool dominates_sizes(const Sizes& own, const Sizes& all)
{
    const std::uint64_t sum = sum_of_sizes(all), tenth = sum / 10 + (sum % 10 > 0 ? 1 : 0);
    for (std::size_t at = 0; at < own.size(); ++at)
        if (own[at] > 0 && own[at] >= all[at] - own[at] && all[at] >= tenth) return true;
    return false;
}

// At most two, and never all there are.
std::vector<std::string> dominant_groups(const SizesByGroup& groups, const AccessSizes& all)
{
    std::vector<std::pair<std::uint64_t, std::string>> found;
    for (const auto& [name, sizes] : groups)
        if (dominates_sizes(sizes.reads, all.reads) || dominates_sizes(sizes.writes, all.writes))
            found.emplace_back(sum_of_sizes(sizes.reads) + sum_of_sizes(sizes.writes), name);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::string> names;
    for (const auto& [accesses, name] : found)
        if (names.size() < most_dominant && names.size() + 1 < groups.size()) names.push_back(name);
    return names;
}

std::string commonest_class(const Sizes& sizes)
{
    return access_size_name(
        static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin()));
}

std::string commonest_words(const AccessSizes& sizes)
{
    const bool reads = sum_of_sizes(sizes.reads) > 0, writes = sum_of_sizes(sizes.writes) > 0;
    if (!reads && !writes) return "there are none";
    std::string words = "the most popular size is ";
    if (reads) words += commonest_class(sizes.reads) + " of reads";
    if (writes) words += (reads ? ", " : "") + commonest_class(sizes.writes) + " of writes";
    return words;
}

// A curve: what part of the accesses is no larger than each bound.
struct Curve {
    std::string id, name;
    const Sizes* sizes;
};

std::vector<double> cumulative_of(const Sizes& sizes)
{
    std::vector<double> parts;
    const auto all = static_cast<double>(sum_of_sizes(sizes));
    std::uint64_t sum = 0;
    for (const std::uint64_t one : sizes) parts.push_back(static_cast<double>(sum += one) / all);
    return parts;
}

void add_curves(const std::vector<Curve>& curves, Blocks& blocks)
{
    Plot plot{.id = "access_sizes_plot",
              .title = "Cumulative distribution of access sizes",
              .x = {"size", Measure::bytes, Scale::logarithmic},
              .y = {"of accesses", Measure::share, Scale::linear}};
    DataTable table{.id = "access_sizes", .title = "Cumulative distribution of access sizes"};
    table.columns = {{"size", "size", Measure::text}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
        table.rows.push_back({text(access_size_name(at))});
    for (const Curve& curve : curves) {
        if (sum_of_sizes(*curve.sizes) == 0) continue;
        const std::vector<double> parts = cumulative_of(*curve.sizes);
        PlotSeries series{.name = curve.name, .mark = Mark::line, .colour = plot.series.size()};
        table.columns.push_back({curve.id, curve.name, Measure::share});
        for (std::size_t at = 0; at < parts.size(); ++at) {
            table.rows[at].push_back(share(parts[at]));
            if (at >= SizeHistogram::upper_bounds.size()) continue;
            series.x.push_back(static_cast<double>(SizeHistogram::upper_bounds[at]));
            series.y.push_back(parts[at]);
        }
        plot.series.push_back(std::move(series));
    }
    blocks.push_back(std::move(plot));
    blocks.push_back(std::move(table));
}

AccessSizes without_groups(const SizesByGroup& groups, const std::vector<std::string>& names)
{
    AccessSizes rest;
    for (const auto& [name, sizes] : groups)
        if (std::find(names.begin(), names.end(), name) == names.end()) rest.add(sizes);
    return rest;
}

// Names of groups that there are.
std::vector<std::string> asked_for(Site& site, const SizesByGroup& groups, Blocks& blocks)
{
    std::vector<std::string> names;
    for (const std::string& name : site.choice().without) {
        if (groups.contains(name))
            names.push_back(name);
        else
            blocks.push_back(
                Note{Weight::warning, fmt::format("--without {}: no {} of that name did any I/O.",
                                                  site.choice().anonymize ? "..." : name, site.word())});
    }
    return names;
}

// Ten sizes would be too many for the bars of a chart: the first and the last class of each range.
struct SizeRange {
    std::string_view name;
    std::size_t first, last;
};
constexpr SizeRange size_ranges[] = {
    {"to 10 KiB", 0, 2}, {"to 1 MiB", 3, 4}, {"to 10 MiB", 5, 6}, {"more", 7, SizeHistogram::classes - 1}};

struct SizesOf {
    std::string name;
    Sizes sizes;
};

Chart chart_of_sizes(const std::vector<SizesOf>& rows, std::string id, std::string title,
                     std::string_view word)
{
    Chart chart{.id = std::move(id),
                .title = std::move(title),
                .shape = Shape::stacked,
                .category_heading = std::string(word),
                .measure = Measure::share};
    for (const SizeRange& range : size_ranges) chart.series.push_back({std::string(range.name), {}});
    for (const auto& [name, sizes] : rows) {
        chart.categories.push_back(name);
        for (std::size_t at = 0; at < chart.series.size(); ++at) {
            const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(size_ranges[at].first),
                       end = sizes.begin() + static_cast<std::ptrdiff_t>(size_ranges[at].last) + 1;
            chart.series[at].values.push_back(
                static_cast<double>(std::accumulate(first, end, std::uint64_t{0})) /
                static_cast<double>(sum_of_sizes(sizes)));
        }
    }
    return chart;
}

DataTable table_of_sizes(const std::vector<SizesOf>& rows, std::string id, std::string title,
                         std::string_view word)
{
    DataTable table{.id = std::move(id), .title = std::move(title)};
    table.columns = {{"name", std::string(word), Measure::text}, {"accesses", "all", Measure::count}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
        table.columns.push_back(
            {"size" + std::string(SizeHistogram::names[at]), access_size_bound(at), Measure::share});
    for (const auto& [name, sizes] : rows) {
        const std::uint64_t sum = sum_of_sizes(sizes);
        table.rows.push_back({text(name), count(sum)});
        for (const std::uint64_t one : sizes) table.rows.back().push_back(share_cell(one, sum));
    }
    return table;
}

}  // namespace

Blocks study_access_sizes(Study& study)
{
    Site& site = study.site;
    const SizesByGroup groups = access_sizes_of(site, site.runs());
    const AccessSizes all = without_groups(groups, {});
    Blocks blocks;
    if (sum_of_sizes(all.reads) + sum_of_sizes(all.writes) == 0) {
        blocks.push_back(Paragraph{"No log here says how large reads and writes were."});
        return blocks;
    }
    std::vector<std::string> left_out = asked_for(site, groups, blocks);
    const bool chosen = !left_out.empty();
    if (!chosen) left_out = dominant_groups(groups, all);
    const AccessSizes rest = without_groups(groups, left_out);
    std::string names;
    for (const std::string& name : left_out)
        add_to_list(names, site.label(name), &name == &left_out.back() ? " and " : ", ");
    std::string lead = fmt::format("Of all accesses, {}.", commonest_words(all));
    const bool one = left_out.size() == 1;
    if (chosen)
        lead += fmt::format(" Without {}, {}.", names, commonest_words(rest));
    else if (!names.empty())
        lead += fmt::format(" {} {}; without {}, {}.", names, one ? "dominates" : "dominate",
                            one ? "it" : "them", commonest_words(rest));
    blocks.insert(blocks.begin(), Paragraph{lead});
    std::vector<Curve> curves = {{"reads", "reads", &all.reads}, {"writes", "writes", &all.writes}};
    if (!names.empty()) {
        const std::string without = " w/o " + names;
        curves.push_back({"reads_without", "reads" + without, &rest.reads});
        curves.push_back({"writes_without", "writes" + without, &rest.writes});
    }
    add_curves(curves, blocks);
    return blocks;
}

Blocks study_large_sizes(Study& study)
{
    Site& site = study.site;
    const SizesByGroup groups = access_sizes_of(site, site.large_runs());
    Blocks blocks;
    for (const bool reads : {true, false}) {
        std::vector<SizesOf> rows;
        for (const Group* const group : study.large_groups()) {
            const auto found = groups.find(group->name);
            if (found == groups.end()) continue;
            const Sizes& sizes = reads ? found->second.reads : found->second.writes;
            if (sum_of_sizes(sizes) > 0) rows.push_back({site.label(group->name), sizes});
        }
        if (rows.empty()) continue;
        const std::string id = reads ? "large_reads" : "large_writes",
                          title = fmt::format("{} of large runs by size", reads ? "Reads" : "Writes");
        blocks.push_back(chart_of_sizes(rows, id + "_chart", title, site.word()));
        blocks.push_back(table_of_sizes(rows, id, title + " and " + std::string(site.word()), site.word()));
    }
    if (blocks.empty()) blocks.push_back(Paragraph{"No log here says how large reads and writes were."});
    return blocks;
}

}  // namespace fathom::jobs
