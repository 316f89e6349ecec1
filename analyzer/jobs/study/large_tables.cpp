// Large runs by group: how fast they are, and what they do.
#include <fmt/format.h>
#include <limits>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/large_jobs.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

constexpr int rate_digits = 2;
// Of the height of a row of the plot.
constexpr double box_half = 0.2, median_half = 0.3;

Paragraph large_lead(Study& study)
{
    const LargeJobs& large = study.large_jobs();
    return {fmt::format("{} of {} had {}.", counted(large.runs, "run", "runs"),
                        counted(large.groups.size(), study.site.word(), study.site.words()),
                        large_words(study.site.choice()))};
}

// A line that breaks off before the next.
void add_line(PlotSeries& series, std::initializer_list<std::pair<double, double>> points)
{
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    if (!series.x.empty()) {
        series.x.push_back(gap);
        series.y.push_back(gap);
    }
    for (const auto& [x, y] : points) {
        series.x.push_back(x);
        series.y.push_back(y);
    }
}

// Lying boxes, one above the other, the first at the foot.
Plot box_plot(const std::vector<FiveNumbers>& boxes, std::string_view word)
{
    Plot plot{.id = "rates_plot",
              .title = fmt::format("MiB/s/CN by {}", word),
              .x = {"MiB/s/CN", Measure::number, Scale::logarithmic},
              .y = {fmt::format("{}, by its number in the table", word), Measure::count, Scale::linear}};
    PlotSeries whiskers{.name = "minimum to maximum", .mark = Mark::line, .colour = 0},
        bodies{.name = "Q1 to Q3", .mark = Mark::line, .colour = 1},
        medians{.name = "median", .mark = Mark::line, .colour = 2};
    for (std::size_t at = 0; at < boxes.size(); ++at) {
        const FiveNumbers& box = boxes[at];
        const auto y = static_cast<double>(at + 1);
        add_line(whiskers, {{box.least, y}, {box.most, y}});
        add_line(bodies, {{box.q1, y - box_half},
                          {box.q3, y - box_half},
                          {box.q3, y + box_half},
                          {box.q1, y + box_half},
                          {box.q1, y - box_half}});
        add_line(medians, {{box.median, y - median_half}, {box.median, y}, {box.median, y + median_half}});
    }
    plot.series = {std::move(whiskers), std::move(bodies), std::move(medians)};
    return plot;
}

}  // namespace

Blocks study_rates(Study& study)
{
    Site& site = study.site;
    Blocks blocks;
    blocks.push_back(large_lead(study));
    DataTable table{.id = "rates", .title = fmt::format("MiB/s/CN of large runs by {}", site.word())};
    table.columns = {{"number", "no.", Measure::count}, {"name", std::string(site.word()), Measure::text},
                     {"runs", "runs", Measure::count},  {"min", "min", Measure::number},
                     {"q1", "Q1", Measure::number},     {"median", "median", Measure::number},
                     {"q3", "Q3", Measure::number},     {"max", "max", Measure::number},
                     {"iqr", "IQR", Measure::number}};
    std::vector<FiveNumbers> boxes;
    for (const Group* const group : study.large_groups()) {
        const LargeGroup& large = study.large_jobs().groups.find(group->name)->second;
        if (!large.rates) continue;
        const FiveNumbers& box = boxes.emplace_back(*large.rates);
        table.rows.push_back({count(boxes.size()), text(site.label(group->name)), count(box.values)});
        for (const double one : {box.least, box.q1, box.median, box.q3, box.most, box.spread()})
            table.rows.back().push_back(number_cell(one, rate_digits));
    }
    if (boxes.empty()) {
        blocks.push_back(
            Paragraph{"The rate of none of them is known: that takes nodes, and the time of each rank."});
        return blocks;
    }
    blocks.push_back(box_plot(boxes, site.word()));
    blocks.push_back(std::move(table));
    return blocks;
}

Blocks study_large_jobs(Study& study)
{
    struct LargeMean {
        std::string_view id, heading;
        ExactMean LargeGroup::*mean;
        Measure measure;
        int decimals;
    };
    // With the digits of the paper's table.
    constexpr LargeMean means[] = {
        {"rate", "MiB/s/CN", &LargeGroup::rate, Measure::number, rate_digits},
        {"io_share", "time in I/O", &LargeGroup::io_share, Measure::share, 2},
        {"metadata", "metadata", &LargeGroup::metadata_share, Measure::share, 0},
        {"files", "files/proc", &LargeGroup::files, Measure::number, 2},
        {"creates", "creates/proc", &LargeGroup::creates, Measure::number, 2},
        {"sequential", "seq.", &LargeGroup::sequential, Measure::share, 0},
        {"aligned", "aligned", &LargeGroup::aligned, Measure::share, 0},
        {"volume", "MiB/proc", &LargeGroup::volume, Measure::number, 2},
    };
    Site& site = study.site;
    Blocks blocks;
    blocks.push_back(large_lead(study));
    DataTable table{.id = "large_jobs", .title = fmt::format("Means over large runs, by {}", site.word())};
    table.columns = {{"name", std::string(site.word()), Measure::text}, {"runs", "runs", Measure::count}};
    for (const LargeMean& one : means)
        table.columns.push_back({std::string(one.id), std::string(one.heading), one.measure});
    for (const Group* const group : study.large_groups()) {
        const LargeGroup& large = study.large_jobs().groups.find(group->name)->second;
        table.rows.push_back({text(site.label(group->name)), count(large.runs)});
        for (const LargeMean& one : means) {
            const auto mean = (large.*one.mean).mean();
            table.rows.back().push_back(one.measure == Measure::share ? share_cell(mean, one.decimals)
                                                                      : number_cell(mean, one.decimals));
        }
    }
    table.remark = "Metadata: of the time in I/O.";
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
