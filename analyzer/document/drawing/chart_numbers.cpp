// A row a category, a slice or a band, a column a series.
#include "analyzer/document/drawing/chart_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analyzer/document/chart_ends.h"
#include "analyzer/document/drawing/heatmap.h"
#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

DataTable with_series(DataColumn first, Measure measure, const std::vector<Series>& series)
{
    DataTable table;
    table.columns.push_back(std::move(first));
    for (const Series& one : series) table.columns.push_back({one.name, one.name, measure});
    return table;
}

void add_row(DataTable& table, Cell first, Measure measure, const std::vector<Series>& series, std::size_t at)
{
    std::vector<Cell> row = {std::move(first)};
    for (const Series& one : series) row.push_back(cell_of(measure, one.values[at]));
    table.rows.push_back(std::move(row));
}

// The least and the greatest of those that are finite.
std::optional<std::pair<double, double>> ends_of(const std::vector<double>& values)
{
    std::optional<std::pair<double, double>> ends;
    for (const double value : values)
        if (std::isfinite(value))
            ends = ends ? std::pair(std::min(ends->first, value), std::max(ends->second, value))
                        : std::pair(value, value);
    return ends;
}

}  // namespace

DataTable numbers_of(const Chart& whole)
{
    const Chart chart = without_empty_ends(whole);
    DataTable table =
        with_series({"category", chart.category_heading, Measure::text}, chart.measure, chart.series);
    for (std::size_t at = 0; at < chart.categories.size(); ++at)
        add_row(table, text(chart.categories[at]), chart.measure, chart.series, at);
    return table;
}

DataTable numbers_of(const TimeChart& chart)
{
    DataTable table =
        with_series({"from", "from", from_cell(chart.time, 0).measure}, chart.measure, chart.series);
    for (std::size_t at = 0; at < chart.time.slices; ++at)
        add_row(table, from_cell(chart.time, at), chart.measure, chart.series, at);
    return table;
}

DataTable sums_by_row(const Heatmap& map)
{
    DataTable table;
    table.columns = {{"row", map.row_heading, Measure::text}, {"sum", map.by_row.name, map.by_row.measure}};
    for (std::size_t row = 0; row < map.rows.size(); ++row)
        table.rows.push_back(
            {text(name_of(map.rows[row])), cell_of(map.by_row.measure, map.by_row.values[row])});
    return table;
}

DataTable sums_by_slice(const Heatmap& map)
{
    DataTable table;
    table.columns = {{"from", "from", from_cell(map.time, 0).measure},
                     {"sum", map.by_slice.name, map.by_slice.measure}};
    for (std::size_t at = 0; at < map.time.slices; ++at)
        table.rows.push_back(
            {from_cell(map.time, at), cell_of(map.by_slice.measure, map.by_slice.values[at])});
    return table;
}

DataTable ranges_of(const Plot& plot)
{
    DataTable table;
    table.columns = {{"series", "series", Measure::text},
                     {"points", "points", Measure::count},
                     {"from_x", plot.x.heading + ", from", plot.x.measure},
                     {"to_x", "to", plot.x.measure},
                     {"from_y", plot.y.heading + ", from", plot.y.measure},
                     {"to_y", "to", plot.y.measure}};
    for (const PlotSeries& one : plot.series) {
        const auto x = ends_of(one.x), y = ends_of(one.y);
        if (!x || !y) continue;
        table.rows.push_back({text(one.name), count(one.x.size()), cell_of(plot.x.measure, x->first),
                              cell_of(plot.x.measure, x->second), cell_of(plot.y.measure, y->first),
                              cell_of(plot.y.measure, y->second)});
    }
    for (const PlotMark& one : plot.marks)
        table.rows.push_back({text(one.name), count(1), cell_of(plot.x.measure, one.x),
                              cell_of(plot.x.measure, one.x), unknown(plot.y.measure),
                              unknown(plot.y.measure)});
    return table;
}

std::string values_at(const std::vector<Series>& series, Measure measure, std::size_t at)
{
    std::string words;
    for (const Series& one : series) {
        if (!words.empty()) words += ", ";
        if (!one.name.empty()) words += one.name + " ";
        words += format(cell_of(measure, one.values[at]));
    }
    return words;
}

}  // namespace fathom::report
