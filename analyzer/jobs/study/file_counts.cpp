// How many files runs of each size used.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

// Points closer than this are drawn as one: a tenth of a factor of two.
constexpr double places_a_doubling = 10;

using Point = std::pair<Number, Number>;  // processes, files

Point place_of(const Point& point)
{
    const auto place = [](Number value) {
        return static_cast<Number>(std::llround(std::log2(static_cast<double>(value)) * places_a_doubling));
    };
    return {place(point.first), place(point.second)};
}

// Of the runs at one place the one with fewest processes and files stands for all.
Plot plot_of_files(Site& site)
{
    const auto shown = site.shown();
    std::vector<std::map<Point, Point>> points(shown.size());
    site.each_run("tnn", fmt::format("{}, jobs.processes, jobs.files", site.column()),
                  "jobs.files > 0 and jobs.processes > 0 and " + site.runs(), [&](const AskedRow& row) {
                      const std::size_t group = site.groups().place.at(row.text(0));
                      if (group >= shown.size()) return;
                      const Point point{row.number(1), row.number(2)};
                      Point& there = points[group].try_emplace(place_of(point), point).first->second;
                      there = std::min(there, point);
                  });
    Plot plot{.id = "file_counts_plot",
              .title = "Files by processes of each run",
              .x = {"processes", Measure::count, Scale::logarithmic},
              .y = {"files", Measure::count, Scale::logarithmic}};
    for (std::size_t at = 0; at < shown.size(); ++at) {
        PlotSeries series{.name = site.label(shown[at].name), .colour = at};
        for (const auto& [place, point] : points[at]) {
            series.x.push_back(static_cast<double>(point.first));
            series.y.push_back(static_cast<double>(point.second));
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

Blocks study_file_counts(Study& study)
{
    Site& site = study.site;
    DataTable table{.id = "file_counts",
                    .title = fmt::format("Runs by how many files they used, by {}", site.word())};
    table.columns = {{"name", std::string(site.word()), Measure::text},
                     {"runs", "runs", Measure::count},
                     {"none", "no file", Measure::share},
                     {"one", "one", Measure::share},
                     {"fewer", "< procs", Measure::share},
                     {"each", ">= procs", Measure::share},
                     {"files", "files", Measure::count}};
    std::map<std::string, std::vector<Cell>> rows;
    std::uint64_t all = 0, none = 0;
    const std::string one = "jobs.files = 1 and coalesce(jobs.processes, 0) > 1",
                      fewer = "jobs.files > 1 and jobs.files < coalesce(jobs.processes, 0)";
    const auto times = [](const std::string& condition) {
        return sum_of("case when " + condition + " then 1 else 0 end");
    };
    site.each("tnnnnnn",
              fmt::format(
                  "select {0}, count(*), {1}, {2}, {3}, {4}, {5} from @jobs where jobs.files is not null and "
                  "{6} group by {0}",
                  site.column(), times("jobs.files = 0"), times(one), times(fewer),
                  times("jobs.files > 0 and jobs.files >= coalesce(jobs.processes, 0)"), sum_of("jobs.files"),
                  site.runs()),
              [&](const AskedRow& row) {
                  const std::uint64_t runs = row.count(1);
                  all += runs;
                  none += row.count(2);
                  std::vector<Cell> cells = {text(site.label(row.text(0))), count(runs)};
                  for (std::size_t at = 2; at < 6; ++at) cells.push_back(share_cell(row.count(at), runs));
                  cells.push_back(count(row.count(6)));
                  rows[row.text(0)] = std::move(cells);
              });
    for (const Group& group : site.shown())
        if (const auto row = rows.find(group.name); row != rows.end())
            table.rows.push_back(std::move(row->second));
    Blocks blocks;
    blocks.push_back(Paragraph{fmt::format("{} of {} used no file at all ({}).", format_count(none),
                                           counted(all, "run", "runs"), format(share_cell(none, all)))});
    Plot plot = plot_of_files(site);
    if (!plot.series.empty()) blocks.push_back(std::move(plot));
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
